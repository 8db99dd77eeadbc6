import Foundation
import PropertyLists

/// The errors of archivers and unarchivers, as Foundation has them: in the Cocoa domain, with a sentence.
enum CoderFault {
    static func error(_ code: CocoaError.Code, _ sentence: String) -> NSError {
        NSError(domain: NSCocoaErrorDomain, code: code.rawValue, userInfo: [NSDebugDescriptionErrorKey: sentence, NSLocalizedDescriptionKey: sentence])
    }

    static func error(_ fault: PropertyListFault) -> NSError {
        switch fault {
        case .foreign(let sentence), .damaged(let sentence), .excessive(let sentence): error(.coderReadCorrupt, "The archive cannot be read: \(sentence)")
        case .unreadable: error(.coderReadCorrupt, "The archive cannot be read: it ends early.")
        }
    }
}

/// The types of values that can be encoded without a key, as Objective-C spells them.
enum ScalarCode: UInt8 {
    case character = 0x63, unsignedCharacter = 0x43, short = 0x73, unsignedShort = 0x53, int = 0x69, unsignedInt = 0x49
    case long = 0x6C, unsignedLong = 0x4C, longLong = 0x71, unsignedLongLong = 0x51, float = 0x66, double = 0x64, bool = 0x42

    var size: Int {
        switch self {
        case .character, .unsignedCharacter, .bool: 1
        case .short, .unsignedShort: 2
        case .int, .unsignedInt, .float: 4
        case .long, .unsignedLong, .longLong, .unsignedLongLong, .double: 8
        }
    }

    /// The value at an address that holds one of this type.
    func object(at address: UnsafeRawPointer) -> ObjectTable.Object {
        // SAFETY: the caller says what lies there; it need not be aligned.
        switch self {
        case .character: unsafe .integer(Int128(address.loadUnaligned(as: Int8.self)))
        case .unsignedCharacter: unsafe .integer(Int128(address.loadUnaligned(as: UInt8.self)))
        case .short: unsafe .integer(Int128(address.loadUnaligned(as: Int16.self)))
        case .unsignedShort: unsafe .integer(Int128(address.loadUnaligned(as: UInt16.self)))
        case .int: unsafe .integer(Int128(address.loadUnaligned(as: Int32.self)))
        case .unsignedInt: unsafe .integer(Int128(address.loadUnaligned(as: UInt32.self)))
        case .long, .longLong: unsafe .integer(Int128(address.loadUnaligned(as: Int64.self)))
        case .unsignedLong, .unsignedLongLong: unsafe .integer(Int128(address.loadUnaligned(as: UInt64.self)))
        case .float: unsafe .float(address.loadUnaligned(as: Float.self))
        case .double: unsafe .real(address.loadUnaligned(as: Double.self))
        case .bool: unsafe .boolean(address.loadUnaligned(as: UInt8.self) != 0)
        }
    }

    /// Puts a number at an address that has room for one of this type. What does not fit is cut to what does.
    func put(_ integer: Int128, _ real: Double, at address: UnsafeMutableRawPointer) {
        // SAFETY: the caller says how much room there is; copying bytes needs no alignment.
        func store<Value>(_ value: Value) { unsafe withUnsafeBytes(of: value) { unsafe address.copyMemory(from: $0.baseAddress ?? UnsafeRawPointer(address), byteCount: $0.count) } }
        switch self {
        case .character: store(Int8(truncatingIfNeeded: integer))
        case .unsignedCharacter: store(UInt8(truncatingIfNeeded: integer))
        case .short: store(Int16(truncatingIfNeeded: integer))
        case .unsignedShort: store(UInt16(truncatingIfNeeded: integer))
        case .int: store(Int32(truncatingIfNeeded: integer))
        case .unsignedInt: store(UInt32(truncatingIfNeeded: integer))
        case .long, .longLong: store(Int64(truncatingIfNeeded: integer))
        case .unsignedLong, .unsignedLongLong: store(UInt64(truncatingIfNeeded: integer))
        case .float: store(Float(real))
        case .double: store(real)
        case .bool: store(UInt8(integer == 0 ? 0 : 1))
        }
    }
}

/// Some values of one type: `i`, or `[3i]` for three of them.
struct ScalarRow {
    let code: ScalarCode
    let count: Int
    let isArray: Bool

    init?(_ type: String) {
        var text = Substring(type)
        isArray = text.first == "["
        if isArray {
            guard text.last == "]" else { return nil }
            text = text.dropFirst().dropLast()
        }
        let digits = text.prefix { $0.isASCII && $0.isNumber }
        guard let count = isArray ? Int(digits) : 1, (0...65_536).contains(count), isArray || digits.isEmpty,
              let byte = text.dropFirst(digits.count).utf8.first, text.utf8.count == digits.utf8.count + 1, let code = ScalarCode(rawValue: byte) else { return nil }
        (self.code, self.count) = (code, count)
    }
}
