import LinuxFiles

/// Where something is, as the journal writes it down: names from one of the folders in which things are moved.
package struct Place: Hashable, Sendable {
    package enum Top: String { case documents = "d", staging = "s", versions = "v", names = "n", deleted = "x" }

    package let top: Top
    package let path: [Name]
    package let name: Name

    package init(top: Top, path: [Name], name: Name) { (self.top, self.path, self.name) = (top, path, name) }

    package static func item(_ name: Name, in path: [Name]) -> Place { Place(top: .documents, path: path, name: name) }
    package static func staged(_ name: Name) -> Place { Place(top: .staging, path: [], name: name) }
    /// Where the versions of the item are.
    package var ofVersions: Place { Place(top: .versions, path: path, name: name) }
    /// Where the item's name is kept, or those of what is in it.
    package var ofNames: Place { Place(top: .names, path: path, name: name) }
    /// The folder that it is in; nil at the top.
    package var folder: Place? { path.last.map { Place(top: top, path: path.dropLast(), name: $0) } }
    package func part(_ part: Name) -> Place { Place(top: top, path: path + [name], name: part) }
    package func part(_ way: [Name]) -> Place { way.reduce(self) { $0.part($1) } }
}

extension Place {
    /// "d/Holiday/cat.ptk": one word, whatever the names are made of.
    package var text: String { ([top.rawValue] + path.map(Self.escaped) + [Self.escaped(name)]).joined(separator: "/") }

    package init?(text: ArraySlice<UInt8>) {
        let words = text.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        guard words.count >= 2, words[0].count == 1, let top = Top(rawValue: String(decoding: words[0], as: UTF8.self)) else { return nil }
        var names: [Name] = []
        for word in words.dropFirst() {
            guard let name = Self.unescaped(word) else { return nil }
            names.append(name)
        }
        guard let last = names.popLast() else { return nil }
        self.init(top: top, path: names, name: last)
    }

    private static let hexadecimal = Array("0123456789ABCDEF".utf8)

    package static func escaped(_ name: Name) -> String {
        var bytes: [UInt8] = []
        for byte in name.bytes {
            if byte > 0x20, byte < 0x7F, byte != UInt8(ascii: "%"), byte != UInt8(ascii: ";") {
                bytes.append(byte)
            } else {
                bytes += [UInt8(ascii: "%"), hexadecimal[Int(byte >> 4)], hexadecimal[Int(byte & 15)]]
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    package static func unescaped(_ word: some Sequence<UInt8>) -> Name? {
        var bytes: [UInt8] = []
        var rest = Array(word)[...]
        if !rest.contains(UInt8(ascii: "%")) { return Name(rest) }
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                bytes.append(byte)
                continue
            }
            guard rest.count >= 2, let value = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16) else { return nil }
            bytes.append(value)
            rest = rest.dropFirst(2)
        }
        return Name(bytes)
    }
}
