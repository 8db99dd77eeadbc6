import Foundation
import KeyedArchives
import PropertyLists

/// Decodes objects from a keyed archive, whoever wrote it: `NSKeyedArchiver` on a phone, ``KeyedArchiver``, or somebody who
/// means harm.
///
/// It does what Foundation's `NSKeyedUnarchiver` does on Apple's systems, and differs from the one on Linux where that one ends
/// the process: whatever the bytes are, there is a value or an ``error``. Nothing is made of a class that was not allowed. An
/// archiver's class names are found in what `setClass(_:forClassName:)` says, in the classes that the caller allows (by
/// their names, or without the module they are in), and only without secure coding among all classes of the program.
///
/// ```swift
/// let unarchiver = try KeyedUnarchiver(forReadingFrom: contents)
/// let bookmark = unarchiver.decodeObject(of: Bookmark.self, forKey: "Bookmark")
/// if let error = unarchiver.error { throw error }
/// ```
open class KeyedUnarchiver: NSCoder {
    let archive: ArchiveTable?
    private let data: Data
    var scopes: [Scope] = []
    var isSecure: Bool
    private var isFinished = false
    var fault: NSError?
    private var policy = NSCoder.DecodingFailurePolicy.setErrorAndReturn
    var classes: [String: AnyClass] = [:]
    /// The classes that are allowed now, the innermost question last.
    var allowed: [[AnyClass]] = []
    /// What was made of each place of the archive.
    var made: [Int: Made] = [:]
    var descriptions: [Int: Description] = [:]
    /// The places that are being decoded: what leads back to one of them is a circle.
    private var open: Set<Int> = []
    /// Bytes that somebody has a pointer to.
    private var lent: [NSData] = []

    struct Scope {
        let fields: ArchiveTable.Fields
        var unkeyed = 0
    }

    struct Made {
        let object: Any
        let type: AnyClass
        /// How many objects it unfolds to.
        let weight: Int
    }

    /// What the archive says of a class.
    struct Description {
        let name: String
        let chain: [String]
        let hints: [String]
    }

    /// Objects in objects, each on the stack of the one that decodes it.
    private static let deepest = 256
    /// How many objects the one that is being decoded unfolds to so far. One that is shared counts each time: collections
    /// are values in Swift, and whoever looks at one gets a copy of all that is in it.
    private var weight = 0
    private var mostWeight: Int { max(1 << 20, 16 * (archive?.slots.count ?? 0)) }

    /// The object that is told of what is decoded.
    ///
    /// ```swift
    /// unarchiver.delegate = renaming
    /// ```
    open weak var delegate: (any KeyedUnarchiverDelegate)?

    // MARK: Opening

    /// An unarchiver that wants secure coding, as what comes from a container deserves.
    ///
    /// ```swift
    /// let unarchiver = try KeyedUnarchiver(forReadingFrom: contents)
    /// ```
    /// - Throws: an error that says what is wrong with the bytes.
    public init(forReadingFrom data: Data) throws {
        self.data = data
        isSecure = true
        do { archive = try Self.table(data) } catch {
            throw CoderFault.error(error)
        }
        super.init()
        scopes = archive.map { [Scope(fields: $0.top)] } ?? []
    }

    /// An unarchiver that wants no secure coding. What is wrong with the bytes is its ``error``.
    ///
    /// ```swift
    /// let unarchiver = KeyedUnarchiver(forReadingWith: contents)
    /// let bookmark = unarchiver.decodeObject(forKey: "Bookmark") as? Bookmark
    /// ```
    public init(forReadingWith data: Data) {
        self.data = data
        isSecure = false
        do {
            archive = try Self.table(data)
        } catch {
            archive = nil
            fault = CoderFault.error(error)
        }
        super.init()
        scopes = archive.map { [Scope(fields: $0.top)] } ?? []
    }

    /// The bytes are in memory already; what is made of them is bounded by how many there are.
    private static func table(_ data: Data) throws(PropertyListFault) -> ArchiveTable {
        var limits = PropertyListLimits.standard
        limits.objectCount = max(limits.objectCount, min(data.count, 1 << 26))
        limits.memory = max(limits.memory, data.count.multipliedReportingOverflow(by: 16).partialValue)
        limits.stringLength = max(limits.stringLength, data.count)
        return try ArchiveTable(DataSource(data), limits: limits)
    }

    // MARK: Names of classes

    /// Makes objects of a class of what the archives call by a name, in all unarchivers of this process. nil forgets it.
    ///
    /// ```swift
    /// KeyedUnarchiver.setClass(Bookmark.self, forClassName: "Bookmark")
    /// ```
    open class func setClass(_ cls: AnyClass?, forClassName codedName: String) { ClassNames.read.setType(cls, named: codedName) }

    /// The same for this archive. It goes before what is set for all.
    ///
    /// ```swift
    /// unarchiver.setClass(PhotoData.self, forClassName: "PTKData")
    /// ```
    open func setClass(_ cls: AnyClass?, forClassName codedName: String) { classes[codedName] = cls }

    /// The class that was set for a name in all archives; nil where none was.
    ///
    /// ```swift
    /// KeyedUnarchiver.class(forClassName: "Bookmark")
    /// ```
    open class func `class`(forClassName codedName: String) -> AnyClass? { ClassNames.read.type(named: codedName) }

    /// The class that was set for a name in this archive; nil where none was.
    ///
    /// ```swift
    /// unarchiver.class(forClassName: "PTKData")
    /// ```
    open func `class`(forClassName codedName: String) -> AnyClass? { classes[codedName] }

    // MARK: What a coder says of itself

    open override var allowsKeyedCoding: Bool { true }
    open override var systemVersion: UInt32 { 2000 }
    /// Why something could not be decoded, the first time that it could not; nil where all went well. It names the class and the key.
    ///
    /// ```swift
    /// if let error = unarchiver.error { throw error }
    /// ```
    open override var error: Error? { fault }
    open override var allowedClasses: [AnyClass]? { allowed.last }

    /// Whether only allowed classes that support secure coding are made. A class that is named itself in the question is
    /// made without supporting it: the apps' older classes do not.
    ///
    /// ```swift
    /// unarchiver.requiresSecureCoding = false
    /// ```
    open override var requiresSecureCoding: Bool {
        get { isSecure }
        set { isSecure = newValue }
    }

    /// Kept for those who set it: errors are always kept in ``error``, and never end the process.
    ///
    /// ```swift
    /// unarchiver.decodingFailurePolicy = .setErrorAndReturn
    /// ```
    open override var decodingFailurePolicy: NSCoder.DecodingFailurePolicy {
        get { policy }
        set { policy = newValue }
    }

    /// Remembers an error, if it is the first. From here on, nothing more is decoded.
    ///
    /// ```swift
    /// guard version == 1 else { return coder.failWithError(CocoaError(.coderInvalidValue)) }
    /// ```
    open override func failWithError(_ error: Error) {
        if fault == nil { fault = error as NSError }
    }

    /// Ends the decoding.
    ///
    /// ```swift
    /// unarchiver.finishDecoding()
    /// ```
    open func finishDecoding() {
        guard !isFinished else { return }
        delegate?.unarchiverWillFinish(self)
        isFinished = true
        delegate?.unarchiverDidFinish(self)
    }

    func fail(_ sentence: String, _ code: CocoaError.Code = .coderReadCorrupt) { failWithError(CoderFault.error(code, sentence)) }

    // MARK: Fields

    func value(_ key: String) -> Int? { spelled(ArchiveTable.escaped(key)) }

    private func spelled(_ key: String) -> Int? {
        guard fault == nil, !isFinished, let archive, let scope = scopes.last else { return nil }
        return archive.value(key, in: scope.fields)
    }

    private func nextKey() -> String {
        guard !scopes.isEmpty else { return "$0" }
        defer { scopes[scopes.count - 1].unkeyed += 1 }
        return "$\(scopes[scopes.count - 1].unkeyed)"
    }

    open override func containsValue(forKey key: String) -> Bool { value(key) != nil }

    /// A number under a key, inline or as an object.
    private func number(_ key: String) -> ObjectTable.Object? {
        guard let archive, let value = value(key) else { return nil }
        return number(at: value, key, archive)
    }

    private func number(at value: Int, _ key: String, _ archive: ArchiveTable) -> ObjectTable.Object? {
        var object = archive[value]
        if case .uid(let uid)? = object {
            guard uid != 0 else { return nil }
            object = archive.slot(uid).flatMap { archive[$0] }
        }
        switch object {
        case .integer, .boolean, .real, .float: return object
        default:
            fail("The value for key “\(key)” is no number.")
            return nil
        }
    }

    private func integer<Value: FixedWidthInteger>(_ key: String, as type: Value.Type) -> Value {
        let result: Value?
        switch number(key) {
        case nil: return 0
        case .integer(let value)?: result = Value(exactly: value)
        case .boolean(let value)?: result = value ? 1 : 0
        case .real(let value)?: result = Value(exactly: value.rounded(.towardZero))
        case .float(let value)?: result = Value(exactly: value.rounded(.towardZero))
        default: result = nil
        }
        if result == nil { fail("The number for key “\(key)” does not fit into \(Value.bitWidth) bits.") }
        return result ?? 0
    }

    private func real(_ key: String) -> Double { number(key).map(Self.real) ?? 0 }

    private static func real(_ object: ObjectTable.Object) -> Double {
        switch object {
        case .integer(let value): Double(value)
        case .boolean(let value): value ? 1 : 0
        case .real(let value): value
        case .float(let value): Double(value)
        default: 0
        }
    }

    open override func decodeBool(forKey key: String) -> Bool {
        switch number(key) {
        case .boolean(let value)?: value
        case let other?: Self.real(other) != 0
        case nil: false
        }
    }

    open override func decodeInteger(forKey key: String) -> Int { integer(key, as: Int.self) }
    open override func decodeInt64(forKey key: String) -> Int64 { integer(key, as: Int64.self) }
    open override func decodeInt32(forKey key: String) -> Int32 { integer(key, as: Int32.self) }
    open override func decodeCInt(forKey key: String) -> Int32 { integer(key, as: Int32.self) }
    open override func decodeFloat(forKey key: String) -> Float { Float(real(key)) }
    open override func decodeDouble(forKey key: String) -> Double { real(key) }

    // MARK: Bytes

    private func content(at value: Int?, _ key: String) -> Data? {
        guard let value, let archive else { return nil }
        var object = archive[value]
        if case .uid(let uid)? = object {
            guard uid != 0 else { return nil }
            object = archive.slot(uid).flatMap { archive[$0] }
        }
        guard case .data(let content)? = object else {
            fail("The value for key “\(key)” is no data.")
            return nil
        }
        return bytes(content)
    }

    func bytes(_ content: ObjectTable.DataContent) -> Data {
        guard let archive else { return Data() }
        if !archive.isConverted, let range = archive.range(of: content) {
            let start = data.startIndex + Int(range.offset)
            return data.subdata(in: start..<(start + Int(range.length)))
        }
        return (try? archive.bytes(of: content)).map { Data($0) } ?? Data()
    }

    open override func withDecodedUnsafeBytes<ResultType>(
        forKey key: String, body: (UnsafeRawBufferPointer?) throws -> ResultType
    ) rethrows -> ResultType {
        guard let data = content(at: value(key), key) else { return try body(nil) }
        return try unsafe data.withUnsafeBytes { try unsafe body($0) }
    }

    open override func withDecodedUnsafeBufferPointer<ResultType>(
        forKey key: String, body: (UnsafeBufferPointer<UInt8>?) throws -> ResultType
    ) rethrows -> ResultType {
        guard let data = content(at: value(key), key) else { return try body(nil) }
        return try unsafe Array(data).withUnsafeBufferPointer { try unsafe body($0) }
    }

    /// The bytes under a key. They are there as long as this unarchiver is.
    ///
    /// ```swift
    /// var length = 0
    /// let bytes = unarchiver.decodeBytes(forKey: "bytes", returnedLength: &length)
    /// ```
    open func decodeBytes(forKey key: String, returnedLength: UnsafeMutablePointer<Int>?) -> UnsafePointer<UInt8>? {
        guard let data = content(at: value(key), key) else { return nil }
        let bytes = NSData(data: data)
        lent.append(bytes)
        unsafe returnedLength?.pointee = data.count
        // SAFETY: the object is not changed, and kept.
        return unsafe bytes.bytes.assumingMemoryBound(to: UInt8.self)
    }

    // MARK: Objects

    open override func decodeObject(forKey key: String) -> Any? { object(at: value(key), key) }

    open override func decodeObject(of classes: [AnyClass]?, forKey key: String) -> Any? {
        allowing(classes) { object(at: value(key), key) }
    }

    open override func decodePropertyList(forKey key: String) -> Any? { decodeObject(of: BuiltInClass.propertyList, forKey: key) }

    // Without keys, in the order in which they were encoded.
    open override func decodeObject() -> Any? {
        let key = nextKey()
        return object(at: spelled(key), key)
    }

    open override func decodeData() -> Data? {
        let key = nextKey()
        return Data(value: object(at: spelled(key), key))
    }

    open override func decodePropertyList() -> Any? { allowing(BuiltInClass.propertyList) { decodeObject() } }

    open override func decodeValue(ofObjCType type: UnsafePointer<Int8>, at address: UnsafeMutableRawPointer) {
        // SAFETY: the caller says what the address has room for.
        let code = unsafe UInt8(bitPattern: type.pointee)
        if code == UInt8(ascii: "@") {
            let object = decodeObject()
            unsafe address.assumingMemoryBound(to: Any?.self).pointee = object
            return
        }
        let key = nextKey()
        guard let row = ScalarRow(unsafe String(cString: type)) else { return fail("Values of the type “\(Character(Unicode.Scalar(code)))” cannot be decoded without a key.") }
        guard row.isArray else { return unsafe put(spelled(key), key, row.code, at: address) }
        guard let archive, let value = spelled(key), case .uid(let uid)? = archive[value], case .dictionary(let keys, let values)? = archive.slot(uid).flatMap({ archive[$0] }) else {
            return fail("The value for key “\(key)” is no row of numbers.")
        }
        let fields = ArchiveTable.Fields(keys: keys, values: values)
        for index in 0..<row.count { unsafe put(archive.value("$\(index)", in: fields), key, row.code, at: address + index * row.code.size) }
    }

    private func put(_ value: Int?, _ key: String, _ scalar: ScalarCode, at address: UnsafeMutableRawPointer) {
        guard let archive, let value, let found = number(at: value, key, archive) else { return unsafe scalar.put(0, 0, at: address) }
        let real = Self.real(found)
        if case .integer(let integer) = found { return unsafe scalar.put(integer, real, at: address) }
        unsafe scalar.put(Int128(exactly: real.rounded(.towardZero)) ?? 0, real, at: address)
    }

    /// The next text without a key.
    func decodeText() -> String? { allowing([NSString.self]) { decodeObject() as? String } }

    /// With other classes allowed; nil allows those that are allowed already.
    func allowing<Value>(_ classes: [AnyClass]?, _ body: () -> Value) -> Value {
        guard let classes else { return body() }
        allowed.append(classes)
        defer { allowed.removeLast() }
        return body()
    }

    /// What a field holds.
    func object(at value: Int?, _ key: String) -> Any? {
        guard fault == nil, let value, let archive else { return nil }
        guard case .uid(let uid)? = archive[value] else { return plain(value, key) }
        return object(uid, key)
    }

    private func object(_ uid: UInt64, _ key: String) -> Any? {
        guard fault == nil, uid != 0, let archive else { return nil }
        guard let place = Int(exactly: uid), let number = archive.slot(uid) else {
            fail("The value for key “\(key)” is an object that the archive does not have.")
            return nil
        }
        if archive.objects.isText(number, "$null") { return nil }
        if let made = made[place] {
            guard isAllowed(made.type, key) else { return nil }
            return weigh(made.weight, key) ? made.object : nil
        }
        guard !open.contains(place) else {
            fail("The value for key “\(key)” leads back to itself.")
            return nil
        }
        guard open.count < Self.deepest else {
            fail("The value for key “\(key)” is deeper than \(Self.deepest) levels.")
            return nil
        }
        guard weigh(1, key) else { return nil }
        open.insert(place)
        let outer = weight
        weight = 1
        defer {
            open.remove(place)
            weight += outer - 1
        }
        guard case .dictionary(let keys, let values)? = archive[number] else { return plain(number, key, at: place) }
        return composed(ArchiveTable.Fields(keys: keys, values: values), key, at: place)
    }

    private func weigh(_ objects: Int, _ key: String) -> Bool {
        weight += objects
        guard weight > mostWeight else { return true }
        fail("The value for key “\(key)” unfolds to more than \(mostWeight) objects.")
        return false
    }

    /// What is an object of the property list.
    private func plain(_ number: Int, _ key: String, at place: Int? = nil) -> Any? {
        let object: Any, type: AnyClass
        switch archive?[number] {
        case .ascii?, .utf16?: (object, type) = (NSString(string: archive?.objects.text(number) ?? ""), NSString.self)
        case .boolean(let value)?: (object, type) = (NSNumber(value: value), NSNumber.self)
        case .integer(let value)?: (object, type) = (Int64(exactly: value).map { NSNumber(value: $0) } ?? NSNumber(value: UInt64(clamping: value)), NSNumber.self)
        case .real(let value)?: (object, type) = (NSNumber(value: value), NSNumber.self)
        case .float(let value)?: (object, type) = (NSNumber(value: value), NSNumber.self)
        case .date(let value)?: (object, type) = (NSDate(timeIntervalSinceReferenceDate: value), NSDate.self)
        case .data(let content)?: (object, type) = (bytes(content), NSData.self)
        default:
            fail("The value for key “\(key)” is nothing that an archive has.")
            return nil
        }
        guard isAllowed(type, key) else { return nil }
        return keep(object, type, place)
    }

    func keep(_ object: Any?, _ type: AnyClass, _ place: Int?) -> Any? {
        var result = object
        if let delegate, let decoded = object {
            // One that stays the same object.
            let object = decoded as AnyObject
            result = delegate.unarchiver(self, didDecode: object)
            if let result, (result as AnyObject) !== object { delegate.unarchiver(self, willReplace: object, with: result) }
        }
        if let place, let result { made[place] = Made(object: result, type: type, weight: weight) }
        return result
    }

    func isAllowed(_ type: AnyClass, _ key: String, called name: String? = nil) -> Bool {
        guard isSecure else { return true }
        if let allowed = allowed.last, allowed.contains(where: { ClassName.isKind(type, of: $0) }) { return true }
        refuse(name ?? ClassName.text(of: type), key)
        return false
    }

    func refuse(_ name: String, _ key: String) {
        let list = (allowed.last ?? []).map { "“\(ClassName.text(of: $0))”" }.joined(separator: ", ")
        fail("The value for key “\(key)” is of the class “\(name)”, which is not allowed; allowed are: \(list.isEmpty ? "none" : list).")
    }
}
