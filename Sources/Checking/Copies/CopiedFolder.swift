import Containers
import LinuxFiles

/// The names of one folder of a copy, as far as they tell that something was lost on the way, or will be on the next one.
struct CopiedFolder {
    enum Remark: Hashable {
        /// What iCloud leaves of a file that it has not downloaded, if it is what it is called.
        case stub(Name)
        /// What a Mac keeps of another file, where the store has no place for it.
        case beside(Name)
        /// A package that a sync tool made of this one, when both sides had changed it.
        case copy(Name, of: Name)
        /// Two that are the same name on stores that do not tell capital letters or spellings of one letter apart.
        case alike(Name, Name, isSpelling: Bool)
        /// What a Mac may have given another name, because it had another one that is called alike.
        case numbered(Name)
    }

    private var folders: Set<Name> = []
    private var copies: [(name: Name, of: Name)] = []
    private var folded: [String: Name] = [:]
    private(set) var remarks: [Remark] = []

    mutating func add(_ name: Name, isFolder: Bool) {
        if Hidden.isBesideFile(name) || name.bytes.elementsEqual("__MACOSX".utf8) { return remarks.append(.beside(name)) }
        if Hidden.isPlaceholder(name) { return remarks.append(.stub(name)) }
        if isFolder {
            folders.insert(name)
            if let original = Container.copiedItem(by: name) { copies.append((name, original)) }
        }
        if Self.hasNumber(name.bytes) { remarks.append(.numbered(name)) }
        // A name that is no text is alike to none.
        guard let text = String(validating: name.bytes, as: UTF8.self) else { return }
        // Swift compares text as Unicode does: two spellings of “é” are one key.
        let key = text.lowercased()
        guard let other = folded.updateValue(name, forKey: key) else { return }
        remarks.append(.alike(name, other, isSpelling: text == String(decoding: other.bytes, as: UTF8.self)))
    }

    /// All of them, when every name was added: a copy stands beside what it is a copy of.
    func all(_ isPackage: (Name) -> Bool) -> [Remark] {
        remarks + copies.filter { folders.contains($0.of) && isPackage($0.of) }.map { .copy($0.name, of: $0.of) }
    }

    /// `Notes 2.txt`
    private static func hasNumber(_ name: [UInt8]) -> Bool {
        let stem = name.lastIndex(of: UInt8(ascii: ".")).map { name[..<$0] } ?? name[...]
        let digits = stem.reversed().prefix { (0x30...0x39).contains($0) }.count
        return digits > 0 && stem.count > digits + 1 && stem[stem.endIndex - digits - 1] == UInt8(ascii: " ")
    }
}
