import Foundation
import LinuxFiles

/// Which class is called what in archives: the table that all archivers, or all unarchivers, of this process share.
///
/// Classes are compared by what they are; a name is the archive's own.
final class ClassNames: Sendable {
    /// What an archiver writes.
    static let written = ClassNames()
    /// What an unarchiver makes of it.
    static let read = ClassNames()

    private struct Tables {
        var names: [ObjectIdentifier: String] = [:]
        var classes: [String: AnyClass] = [:]
    }

    private let tables = Locked(Tables())

    func name(of type: AnyClass) -> String? {
        let key = ObjectIdentifier(type)
        return tables.withLock { $0.names[key] }
    }

    func setName(_ name: String?, of type: AnyClass) {
        let key = ObjectIdentifier(type)
        tables.withLock { $0.names[key] = name }
    }

    func type(named name: String) -> AnyClass? { tables.withLock { Held(type: $0.classes[name]) }.type }

    func setType(_ type: AnyClass?, named name: String) {
        let held = Held(type: type)
        tables.withLock { $0.classes[name] = held.type }
    }

    /// Because a class is never changed and never freed, whichever thread has it.
    private struct Held: @unchecked Sendable { let type: AnyClass? }
}

/// What the names of classes in archives say.
enum ClassName {
    /// A class and those above it, itself first.
    static func chain(of type: AnyClass) -> [AnyClass] {
        var chain: [AnyClass] = [], next: AnyClass? = type
        while let current = next {
            chain.append(current)
            next = _getSuperclass(current)
        }
        return chain
    }

    static func isKind(_ type: AnyClass, of wanted: AnyClass) -> Bool {
        var next: AnyClass? = type
        while let current = next {
            if current == wanted { return true }
            next = _getSuperclass(current)
        }
        return false
    }

    /// What a class is called in archives: with its module, but for Foundation's.
    static func text(of type: AnyClass) -> String {
        let text = String(reflecting: type)
        // Foundation knows which of its classes are called otherwise on Apple's systems; of a class inside of another it
        // does not want to know.
        return text.hasPrefix("Foundation.") ? NSStringFromClass(type) : text
    }

    /// The class of this program that has the name: "PhotoKeeper.PhotoData", or one of Foundation's.
    static func found(_ name: String) -> AnyClass? {
        // Only what can be the name of a class is looked for: the names come from files.
        let bytes = name.utf8
        guard (1...512).contains(bytes.count), bytes.count(where: { $0 == UInt8(ascii: ".") }) <= 1, !name.hasPrefix("_Tt"), !name.hasPrefix("$"),
              bytes.allSatisfy({ isIdentifier($0) || $0 == UInt8(ascii: ".") }) else { return nil }
        return NSClassFromString(name)
    }

    private static func isIdentifier(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"): true
        default: byte >= 0x80
        }
    }

    /// The class without the module that it is in.
    static func last(_ name: String) -> Substring { name.split(separator: ".").last ?? "" }
}
