import Foundation
import PropertyLists

/// How an archive has the objects of Foundation: Foundation's own way on Apple's systems, which apps there read.
/// Foundation on Linux can tell it only to its own archiver.
enum FoundationObject {
    /// An object of the property list.
    case plain(ObjectTable.Object)
    /// The same within an object, under a key: the mutable forms.
    case wrapped(String, ObjectTable.Object, [String])
    /// A string that can be changed.
    case text(String)
    case composed([String], [Field])

    struct Field {
        let key: String
        let value: Value

        init(_ key: String, _ value: Value) {
            self.key = key
            self.value = value
        }
    }

    enum Value {
        case inline(ObjectTable.Object)
        case object(Any?)
        case objects([Any])
    }

    /// nil for an object that encodes itself.
    init?(_ object: AnyObject) {
        switch object {
        case let text as NSMutableString: self = .text(String(describing: text as NSString))
        case let number as NSDecimalNumber: self = Self.decimal(number)
        case let number as NSNumber: self = .plain(Self.number(number))
        case let data as NSMutableData: self = .wrapped("NS.data", .data(.bytes([UInt8](data))), ["NSMutableData", "NSData", "NSObject"])
        case let data as NSData: self = .plain(.data(.bytes([UInt8](data))))
        case let date as NSDate: self = .wrapped("NS.time", .real(date.timeIntervalSinceReferenceDate), ["NSDate", "NSObject"])
        case is NSNull: self = .composed(["NSNull", "NSObject"], [])
        case let url as NSURL:
            self = .composed(["NSURL", "NSObject"], [Field("NS.base", .object(url.baseURL)), Field("NS.relative", .object(url.relativeString))])
        case let uuid as NSUUID:
            // SAFETY: the sixteen bytes of the value.
            let bytes = unsafe withUnsafeBytes(of: (uuid as UUID).uuid) { unsafe Array($0) }
            self = .composed(["NSUUID", "NSObject"], [Field("NS.uuidbytes", .inline(.data(.bytes(bytes))))])
        default:
            guard let collection = Self.collection(object) else { return nil }
            self = collection
        }
    }

    private static func collection(_ object: AnyObject) -> FoundationObject? {
        switch object {
        case let array as NSArray:
            let classes = array is NSMutableArray ? ["NSMutableArray", "NSArray", "NSObject"] : ["NSArray", "NSObject"]
            return .composed(classes, [Field("NS.objects", .objects(Array(array)))])
        case let dictionary as NSDictionary:
            let classes = dictionary is NSMutableDictionary ? ["NSMutableDictionary", "NSDictionary", "NSObject"] : ["NSDictionary", "NSObject"]
            let keys = dictionary.allKeys
            return .composed(classes, [Field("NS.keys", .objects(keys)), Field("NS.objects", .objects(keys.map { dictionary.object(forKey: $0) ?? NSNull() }))])
        case let set as NSCountedSet:
            var fields = [Field("NS.count", .inline(.integer(Int128(set.count))))]
            for (index, member) in set.allObjects.enumerated() {
                fields.append(Field("NS.object\(index)", .object(member)))
                fields.append(Field("NS.count\(index)", .inline(.integer(Int128(set.count(for: member))))))
            }
            return .composed(["NSCountedSet", "NSMutableSet", "NSSet", "NSObject"], fields)
        case let set as NSSet:
            let classes = set is NSMutableSet ? ["NSMutableSet", "NSSet", "NSObject"] : ["NSSet", "NSObject"]
            return .composed(classes, [Field("NS.objects", .objects(set.allObjects))])
        case let set as NSOrderedSet:
            let classes = set is NSMutableOrderedSet ? ["NSMutableOrderedSet", "NSOrderedSet", "NSObject"] : ["NSOrderedSet", "NSObject"]
            return .composed(classes, set.array.enumerated().map { Field("NS.object.\($0.offset)", .object($0.element)) })
        default: return nil
        }
    }

    static func number(_ number: NSNumber) -> ObjectTable.Object {
        // True and false are two objects; any other number that is 1 is a third.
        if number === NSNumber(value: true) { return .boolean(true) }
        if number === NSNumber(value: false) { return .boolean(false) }
        switch unsafe UInt8(bitPattern: number.objCType.pointee) {
        case UInt8(ascii: "f"): return .float(number.floatValue)
        case UInt8(ascii: "d"): return .real(number.doubleValue)
        case UInt8(ascii: "Q"): return .integer(Int128(number.uint64Value))
        default: return .integer(Int128(number.int64Value))
        }
    }

    private static func decimal(_ number: NSDecimalNumber) -> FoundationObject {
        let decimal = number.decimalValue
        guard !decimal.isNaN else {
            return .composed(["NSDecimalNumberPlaceholder", "NSDecimalNumber", "NSNumber", "NSValue", "NSObject"], decimalFields(exponent: 0, length: 0, negative: true, mantissa: []))
        }
        // The digits as one whole number, little end first.
        var digits = Array(decimal.significand.description.filter(\.isNumber).utf8)
        var mantissa: [UInt8] = []
        while !digits.isEmpty {
            var rest = 0, quotient: [UInt8] = []
            for digit in digits {
                rest = rest * 10 + Int(digit & 0x0F)
                if !quotient.isEmpty || rest >= 256 { quotient.append(UInt8(truncatingIfNeeded: rest / 256)) }
                rest %= 256
            }
            mantissa.append(UInt8(truncatingIfNeeded: rest))
            digits = quotient
        }
        while mantissa.last == 0 { mantissa.removeLast() }
        let words = mantissa + [UInt8](repeating: 0, count: max(0, 16 - mantissa.count))
        let length = (mantissa.count + 1) / 2
        return .composed(
            ["NSDecimalNumber", "NSNumber", "NSValue", "NSObject"],
            decimalFields(exponent: decimal.exponent, length: length, negative: decimal.isSignMinus, mantissa: words))
    }

    private static func decimalFields(exponent: Int, length: Int, negative: Bool, mantissa: [UInt8]) -> [Field] {
        [
            Field("NS.exponent", .inline(.integer(Int128(exponent)))), Field("NS.length", .inline(.integer(Int128(length)))),
            Field("NS.negative", .inline(.boolean(negative))), Field("NS.compact", .inline(.boolean(true))),
            Field("NS.mantissa", .inline(.data(.bytes(mantissa)))), Field("NS.mantissa.bo", .inline(.integer(1))),
        ]
    }
}
