import Foundation

/// The classes of Foundation that are decoded here: bounded, and without the process ending over what a file says. All others
/// decode themselves, through the same fields.
enum BuiltInClass: CaseIterable {
    case string, mutableString, data, mutableData, date, decimal, null, url, uuid
    case array, mutableArray, dictionary, mutableDictionary, set, mutableSet, countedSet, orderedSet, mutableOrderedSet
    case indexSet, mutableIndexSet, indexPath, value

    var type: AnyClass {
        switch self {
        case .string: NSString.self
        case .mutableString: NSMutableString.self
        case .data: NSData.self
        case .mutableData: NSMutableData.self
        case .date: NSDate.self
        case .decimal: NSDecimalNumber.self
        case .null: NSNull.self
        case .url: NSURL.self
        case .uuid: NSUUID.self
        case .array: NSArray.self
        case .mutableArray: NSMutableArray.self
        case .dictionary: NSDictionary.self
        case .mutableDictionary: NSMutableDictionary.self
        case .set: NSSet.self
        case .mutableSet: NSMutableSet.self
        case .countedSet: NSCountedSet.self
        case .orderedSet: NSOrderedSet.self
        case .mutableOrderedSet: NSMutableOrderedSet.self
        case .indexSet: NSIndexSet.self
        case .mutableIndexSet: NSMutableIndexSet.self
        case .indexPath: NSIndexPath.self
        case .value: NSValue.self
        }
    }

    private static let names: [String: BuiltInClass] = Dictionary(uniqueKeysWithValues: allCases.map { (ClassName.text(of: $0.type), $0) })
        .merging(["NSDecimalNumberPlaceholder": .decimal]) { one, _ in one }
    private static let byType: [ObjectIdentifier: BuiltInClass] = Dictionary(uniqueKeysWithValues: allCases.map { (ObjectIdentifier($0.type), $0) })

    init?(_ type: AnyClass) {
        guard let found = Self.byType[ObjectIdentifier(type)] else { return nil }
        self = found
    }

    static func type(named name: String) -> AnyClass? { names[name]?.type }

    /// What a property list is made of.
    static let propertyListKinds: [BuiltInClass] = [.string, .data, .date, .array, .dictionary]
    static var propertyList: [AnyClass] { propertyListKinds.map(\.type) + [NSNumber.self] }

    /// What has nothing of other classes inside.
    static let leafKinds: [BuiltInClass] = [.string, .data, .date, .null, .url, .uuid]
    static var leaves: [AnyClass] { leafKinds.map(\.type) + [NSNumber.self] }

    /// The object that the fields of this scope make; nil where they make none.
    func object(from coder: KeyedUnarchiver) -> Any? {
        switch self {
        case .string: return text(coder).map { NSString(string: $0) }
        case .mutableString: return text(coder).map { NSMutableString(string: $0) }
        case .data: return bytes(coder)
        case .mutableData: return bytes(coder).map { NSMutableData(data: $0) }
        case .date: return NSDate(timeIntervalSinceReferenceDate: coder.decodeDouble(forKey: "NS.time"))
        case .decimal: return decimal(coder)
        case .null: return NSNull()
        case .url: return url(coder)
        case .uuid: return uuid(coder)
        case .array: return coder.objects("NS.objects").map { NSArray(array: $0) }
        case .mutableArray: return coder.objects("NS.objects").map { NSMutableArray(array: $0) }
        case .dictionary: return dictionary(coder).map { NSDictionary(dictionary: $0) }
        case .mutableDictionary: return dictionary(coder).map { NSMutableDictionary(dictionary: $0) }
        case .set: return members(coder).map { NSSet(array: $0) }
        case .mutableSet: return members(coder).map { NSMutableSet(array: $0) }
        case .countedSet: return countedSet(coder)
        case .orderedSet: return numbered(coder).map { NSOrderedSet(array: $0) }
        case .mutableOrderedSet: return numbered(coder).map { NSMutableOrderedSet(array: $0) }
        case .indexSet: return indexes(coder).map { NSIndexSet(indexSet: $0) }
        case .mutableIndexSet: return indexes(coder).map { NSMutableIndexSet(indexSet: $0) }
        case .indexPath: return indexPath(coder)
        case .value: return value(coder)
        }
    }

    // MARK: One by one

    private func text(_ coder: KeyedUnarchiver) -> String? {
        if let text = coder.trusted([NSString.self], "NS.string") as? String { return text }
        return Data(value: coder.trusted([NSData.self], "NS.bytes")).map { String(decoding: $0, as: UTF8.self) }
    }

    private func bytes(_ coder: KeyedUnarchiver) -> Data? {
        Data(value: coder.trusted([NSData.self], "NS.data") ?? coder.trusted([NSData.self], "NS.bytes"))
    }

    private func url(_ coder: KeyedUnarchiver) -> NSURL? {
        guard let relative = coder.trusted([NSString.self], "NS.relative") as? String else { return nil }
        return NSURL(string: relative, relativeTo: (coder.trusted([NSURL.self], "NS.base") as? NSURL) as URL?)
    }

    private func uuid(_ coder: KeyedUnarchiver) -> NSUUID? {
        guard let bytes = Data(value: coder.trusted([NSData.self], "NS.uuidbytes")), bytes.count == 16 else { return nil }
        var value = UUID().uuid
        // SAFETY: sixteen bytes are copied to where there are sixteen.
        unsafe withUnsafeMutableBytes(of: &value) { unsafe $0.copyBytes(from: bytes) }
        return NSUUID(uuidString: UUID(uuid: value).uuidString)
    }

    private func decimal(_ coder: KeyedUnarchiver) -> NSDecimalNumber? {
        let exponent = coder.decodeInteger(forKey: "NS.exponent"), length = coder.decodeInteger(forKey: "NS.length")
        let negative = coder.decodeBool(forKey: "NS.negative")
        guard (-128...127).contains(exponent), (0...8).contains(length) else { return nil }
        if length == 0 { return negative ? .notANumber : .zero }
        guard let mantissa = Data(value: coder.trusted([NSData.self], "NS.mantissa")), mantissa.count >= length * 2 else { return nil }
        let isBig = coder.decodeInteger(forKey: "NS.mantissa.bo") == 2
        var value = Decimal(0)
        let bytes = [UInt8](mantissa.prefix(length * 2))
        for word in (0..<length).reversed() {
            let (low, high) = isBig ? (bytes[word * 2 + 1], bytes[word * 2]) : (bytes[word * 2], bytes[word * 2 + 1])
            value = value * 65536 + Decimal(Int(high) * 256 + Int(low))
        }
        return NSDecimalNumber(decimal: Decimal(sign: negative ? .minus : .plus, exponent: exponent, significand: value))
    }

    private func dictionary(_ coder: KeyedUnarchiver) -> [AnyHashable: Any]? {
        guard let keys = coder.objects("NS.keys"), let values = coder.objects("NS.objects"), keys.count == values.count else { return nil }
        var result: [AnyHashable: Any] = [:]
        for (key, value) in zip(keys, values) {
            guard let key = key as? NSObject else { return nil }
            result[key] = value
        }
        return result
    }

    private func members(_ coder: KeyedUnarchiver) -> [Any]? {
        coder.containsValue(forKey: "NS.objects") ? coder.objects("NS.objects") : numbered(coder, "NS.object.")
    }

    /// Objects under keys with numbers, as long as there is a next one.
    private func numbered(_ coder: KeyedUnarchiver, _ prefix: String = "NS.object.") -> [Any]? {
        var result: [Any] = []
        while coder.containsValue(forKey: "\(prefix)\(result.count)") {
            guard let object = coder.decodeObject(forKey: "\(prefix)\(result.count)") else { return nil }
            result.append(object)
        }
        return coder.error == nil ? result : nil
    }

    private func countedSet(_ coder: KeyedUnarchiver) -> NSCountedSet? {
        guard let members = numbered(coder, "NS.object") else { return nil }
        let set = NSCountedSet()
        for (index, member) in members.enumerated() {
            // A count is a loop of additions: a file may not ask for more than this.
            let count = coder.decodeInteger(forKey: "NS.count\(index)")
            guard (0...65_536).contains(count) else { return nil }
            for _ in 0..<count { set.add(member) }
        }
        return set
    }

    private func indexes(_ coder: KeyedUnarchiver) -> IndexSet? {
        var result = IndexSet()
        func insert(_ location: UInt64, _ length: UInt64) -> Bool {
            guard length > 0 else { return true }
            let (end, overflow) = location.addingReportingOverflow(length)
            guard !overflow, let start = Int(exactly: location), let end = Int(exactly: end) else { return false }
            result.insert(integersIn: start..<end)
            return true
        }
        switch coder.decodeInteger(forKey: "NSRangeCount") {
        case 0: return result
        case 1:
            let location = coder.decodeInteger(forKey: "NSLocation"), length = coder.decodeInteger(forKey: "NSLength")
            guard location >= 0, length >= 0 else { return nil }
            return insert(UInt64(location), UInt64(length)) ? result : nil
        case let count:
            guard count > 0, let data = Data(value: coder.trusted([NSData.self], "NSRangeData")) else { return nil }
            var numbers = VariableNumbers(Array(data))
            for _ in 0..<min(count, data.count) {
                guard let location = numbers.next(), let length = numbers.next(), insert(location, length) else { return nil }
            }
            return result
        }
    }

    private func indexPath(_ coder: KeyedUnarchiver) -> NSIndexPath? {
        let length = coder.decodeInteger(forKey: "NSIndexPathLength")
        switch length {
        case 0: return NSIndexPath()
        case 1: return NSIndexPath(index: coder.decodeInteger(forKey: "NSIndexPathValue"))
        default:
            guard length > 0, let data = Data(value: coder.trusted([NSData.self], "NSIndexPathData")), length <= data.count else { return nil }
            var numbers = VariableNumbers(Array(data)), path = IndexPath()
            for _ in 0..<length {
                guard let next = numbers.next(), let index = Int(exactly: next) else { return nil }
                path.append(index)
            }
            return path as NSIndexPath
        }
    }

    /// A rectangle, a range and the like; or some numbers of one type.
    private func value(_ coder: KeyedUnarchiver) -> NSValue? {
        func text(_ key: String) -> String { coder.trusted([NSString.self], key) as? String ?? "" }
        func inset(_ side: String) -> CGFloat { CGFloat(coder.decodeDouble(forKey: "NS.edgeval.\(side)")) }
        switch coder.decodeInteger(forKey: "NS.special") {
        case 1: return NSValue(point: NSPointFromString(text("NS.pointval")))
        case 2: return NSValue(size: NSSizeFromString(text("NS.sizeval")))
        case 3: return NSValue(rect: NSRectFromString(text("NS.rectval")))
        case 4:
            let location = coder.decodeInteger(forKey: "NS.rangeval.location"), length = coder.decodeInteger(forKey: "NS.rangeval.length")
            return location >= 0 && length >= 0 ? NSValue(range: NSRange(location: location, length: length)) : nil
        case 12: return NSValue(edgeInsets: NSEdgeInsets(top: inset("top"), left: inset("left"), bottom: inset("bottom"), right: inset("right")))
        default: return numbers(coder)
        }
    }

    private func numbers(_ coder: KeyedUnarchiver) -> NSValue? {
        guard let type = coder.decodeText(), let row = ScalarRow(type) else { return nil }
        var bytes = [UInt8](repeating: 0, count: max(1, row.count * row.code.size))
        // SAFETY: there is room for so many values of the type, and the type's name lives through the call.
        return unsafe bytes.withUnsafeMutableBytes { buffer in
            guard let address = buffer.baseAddress else { return nil }
            unsafe type.withCString { unsafe coder.decodeValue(ofObjCType: $0, at: address) }
            return coder.error == nil ? unsafe type.withCString { unsafe NSValue(bytes: address, objCType: $0) } : nil
        }
    }
}

/// Numbers in a row, seven bits a byte, the low ones first; the high bit says that there are more.
private struct VariableNumbers {
    private let bytes: [UInt8]
    private var position = 0

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    mutating func next() -> UInt64? {
        var value: UInt64 = 0
        for shift in stride(from: UInt64(0), to: 63, by: 7) {
            guard position < bytes.count else { return nil }
            let byte = bytes[position]
            position += 1
            value |= UInt64(byte & 0x7F) << shift
            if byte & 0x80 == 0 { return value }
        }
        return nil
    }
}
