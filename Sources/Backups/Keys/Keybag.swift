/// The classes of keys in a backup, each locked by the password (FORMATS 11): what `BackupKeyBag` in Manifest.plist is.
package struct Keybag: Sendable {
    /// How a key comes of the password.
    package struct Derivation: Hashable, Sendable {
        package let salt: [UInt8]
        package let rounds: Int32
        /// Before the other one; backups made before iOS 10.2 have none.
        package let first: First?

        package struct First: Hashable, Sendable {
            package let salt: [UInt8]
            package let rounds: Int32
        }
    }

    package struct Class: Hashable, Sendable {
        package let number: UInt32
        /// The key, as it lies there.
        package let wrapped: [UInt8]
        /// It is locked by the password, and not by a key of the device alone.
        package let isByPassword: Bool
    }

    package let derivation: Derivation
    package let classes: [Class]

    /// Real ones have ten million rounds and ten thousand.
    package static let mostFirstRounds: UInt32 = 20_000_000, mostRounds: UInt32 = 1_000_000
    private static let mostClasses = 64, longestSalt = 1024, longest = 64 << 10

    package enum Fault: Error, Hashable, Sendable {
        case damaged(String)
        case excessive(String)
    }

    /// Tag, length, value; the header first, and each class from its UUID on.
    package init(_ bytes: [UInt8]) throws(Fault) {
        guard bytes.count <= Self.longest else {
            throw .excessive("it has \(bytes.count) bytes, more than \(Self.longest)")
        }
        var header: [String: [UInt8]] = [:], classes: [[String: [UInt8]]] = []
        var offset = 0
        while offset + 8 <= bytes.count {
            let tag = String(decoding: bytes[offset..<offset + 4], as: UTF8.self)
            let length = Int(Self.number(bytes[offset + 4..<offset + 8]))
            guard length <= bytes.count - offset - 8 else { throw .damaged("“\(tag)” is longer than the rest of it") }
            let value = Array(bytes[offset + 8..<offset + 8 + length])
            offset += 8 + length
            // The second UUID begins the first class.
            if tag == "UUID", header["UUID"] != nil {
                guard classes.count < Self.mostClasses else {
                    throw .excessive("it has more than \(Self.mostClasses) classes")
                }
                classes.append([tag: value])
            } else if classes.isEmpty {
                if header[tag] == nil { header[tag] = value }
            } else if classes[classes.count - 1][tag] == nil {
                classes[classes.count - 1][tag] = value
            }
        }
        derivation = try Self.derivation(header)
        self.classes = classes.compactMap { members in
            guard let number = members["CLAS"], let wrap = members["WRAP"], let key = members["WPKY"],
                number.count == 4, wrap.count == 4
            else { return nil }
            return Class(number: Self.number(number[...]), wrapped: key, isByPassword: Self.number(wrap[...]) & 2 != 0)
        }
    }

    private static func derivation(_ header: [String: [UInt8]]) throws(Fault) -> Derivation {
        func rounds(_ tag: String, most: UInt32) throws(Fault) -> Int32 {
            guard let value = header[tag], value.count == 4 else { throw .damaged("it has no “\(tag)”") }
            let count = number(value[...])
            guard count > 0 else { throw .damaged("its “\(tag)” is zero") }
            guard count <= most else { throw .excessive("it asks for \(count) rounds (“\(tag)”), more than \(most)") }
            return Int32(truncatingIfNeeded: count)
        }
        func salt(_ tag: String) throws(Fault) -> [UInt8] {
            guard let value = header[tag], !value.isEmpty else { throw .damaged("it has no “\(tag)”") }
            guard value.count <= longestSalt else {
                throw .excessive("its “\(tag)” has \(value.count) bytes, more than \(longestSalt)")
            }
            return value
        }
        var first: Derivation.First?
        if header["DPSL"] != nil {
            first = Derivation.First(salt: try salt("DPSL"), rounds: try rounds("DPIC", most: mostFirstRounds))
        }
        return Derivation(salt: try salt("SALT"), rounds: try rounds("ITER", most: mostRounds), first: first)
    }

    private static func number(_ bytes: ArraySlice<UInt8>) -> UInt32 { bytes.reduce(0) { $0 << 8 | UInt32($1) } }
}
