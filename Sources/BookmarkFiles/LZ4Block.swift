/// A block of LZ4: stretches of bytes, and copies of what came before. Firefox's backups are one, behind “mozLz40” and the length of what is in it.
public enum LZ4Block {
    static let mark = Array("mozLz40\0".utf8)
    /// The longest that is unpacked.
    public static let longest = 1 << 28
    /// And no file of a browser's is so many times longer when it is unpacked.
    private static let mostTimes = 32

    /// As far as it can be unpacked, and why no further where that is not all.
    public static func unpacked(_ packed: [UInt8], from start: Int = 0, length: Int) -> (bytes: [UInt8], fault: String?) {
        guard length <= longest else { return ([], "it would be \(length) bytes long, more than \(longest)") }
        var bytes: [UInt8] = [], position = start
        // What it says of its length may be anything.
        bytes.reserveCapacity(min(length, packed.count * 8))
        func more(_ count: Int) -> Int? {
            var count = count
            while position < packed.count {
                let byte = packed[position]
                position += 1
                count += Int(byte)
                if byte != 255 { return count }
                if count > longest { return nil }
            }
            return nil
        }
        while position < packed.count {
            let token = packed[position]
            position += 1
            var literals = Int(token >> 4)
            if literals == 15 {
                guard let count = more(literals) else { return (bytes, "it ends early") }
                literals = count
            }
            let there = min(literals, packed.count - position)
            guard bytes.count + there <= length else { return (bytes, "it is longer than it says") }
            bytes.append(contentsOf: packed[position..<position + there])
            position += there
            if there < literals { return (bytes, "it ends early") }
            // The last stretch has no copy behind it.
            if position == packed.count { break }
            guard packed.count - position >= 2 else { return (bytes, "it ends early") }
            let distance = Int(packed[position]) | Int(packed[position + 1]) << 8
            position += 2
            guard distance > 0, distance <= bytes.count else { return (bytes, "a copy is of what was not there") }
            var count = Int(token & 15)
            if count == 15 {
                guard let longer = more(count) else { return (bytes, "it ends early") }
                count = longer
            }
            count += 4
            guard bytes.count + count <= length else { return (bytes, "it is longer than it says") }
            // It may reach into what it makes itself.
            if distance >= count {
                let first = bytes.count - distance
                bytes.append(contentsOf: bytes[first..<first + count])
            } else {
                for _ in 0..<count { bytes.append(bytes[bytes.count - distance]) }
            }
        }
        return (bytes, bytes.count < length ? "it ends early" : nil)
    }

    /// What is in a backup of Firefox's; nil where it is none.
    static func unpacked(backup file: [UInt8]) -> (bytes: [UInt8], fault: String?)? {
        guard file.starts(with: mark) else { return nil }
        guard file.count >= 12 else { return ([], "it ends early") }
        let length = file[8..<12].reversed().reduce(0) { $0 << 8 | Int($1) }
        // Browsers' files become a tenth as long, and a block can say that it is a hundred times as long: that much memory it does not get.
        guard length <= 1 << 20 + mostTimes * file.count else { return ([], "it would be \(length) bytes long, more than \(mostTimes) times as long as it is") }
        return unpacked(file, from: 12, length: length)
    }
}
