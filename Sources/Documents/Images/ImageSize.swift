/// How wide and high an image is, as the first bytes of its file say. Told for people; nothing relies on it.
public struct ImageSize: Equatable, Sendable {
    public let width: Int
    public let height: Int

    /// So many bytes say it, in nearly every file.
    public static let prefixLength = 65_536

    /// nil where these bytes do not say.
    public init?(prefix bytes: [UInt8]) {
        guard let type = ImageType(prefix: bytes) else { return nil }
        let found: (Int, Int)? = switch type {
        case .png: Self.pair(bytes, 16, 20, 4)
        case .gif: Self.pairLow(bytes, 6, 8, 2)
        case .bmp: Self.pairLow(bytes, 18, 22, bytes.count > 14 && bytes[14] == 12 ? 2 : 4)
        case .jpeg: Self.jpeg(bytes)
        case .webp: Self.webp(bytes)
        case .heic, .heif, .avif: Self.extents(bytes)
        case .tiff: nil
        }
        guard let found, found.0 > 0, found.1 > 0 else { return nil }
        (width, height) = found
    }

    /// A number with the highest byte first.
    private static func number(_ bytes: [UInt8], _ offset: Int, _ count: Int) -> Int? {
        guard offset >= 0, bytes.count >= offset + count else { return nil }
        return bytes[offset..<offset + count].reduce(0) { $0 << 8 | Int($1) }
    }

    private static func low(_ bytes: [UInt8], _ offset: Int, _ count: Int) -> Int? {
        guard offset >= 0, bytes.count >= offset + count else { return nil }
        return bytes[offset..<offset + count].reversed().reduce(0) { $0 << 8 | Int($1) }
    }

    private static func pair(_ bytes: [UInt8], _ first: Int, _ second: Int, _ count: Int) -> (Int, Int)? {
        guard let width = number(bytes, first, count), let height = number(bytes, second, count) else { return nil }
        return (width, height)
    }

    private static func pairLow(_ bytes: [UInt8], _ first: Int, _ second: Int, _ count: Int) -> (Int, Int)? {
        guard let width = low(bytes, first, count), let height = low(bytes, second, count) else { return nil }
        // A bitmap that is written from the top down has a negative height.
        return (width, height > Int(Int32.max) ? Int(UInt32.max) - height + 1 : height)
    }

    /// The frame's header among the segments.
    private static func jpeg(_ bytes: [UInt8]) -> (Int, Int)? {
        var offset = 2
        while offset + 4 <= bytes.count {
            guard bytes[offset] == 0xFF else { return nil }
            let marker = bytes[offset + 1]
            if marker == 0xFF || (0xD0...0xD8).contains(marker) || marker == 0x01 {
                offset += marker == 0xFF ? 1 : 2
                continue
            }
            if (0xC0...0xCF).contains(marker), ![0xC4, 0xC8, 0xCC].contains(marker) {
                return pair(bytes, offset + 7, offset + 5, 2)
            }
            guard let length = number(bytes, offset + 2, 2), length >= 2 else { return nil }
            offset += 2 + length
        }
        return nil
    }

    private static func webp(_ bytes: [UInt8]) -> (Int, Int)? {
        switch String(decoding: bytes.dropFirst(12).prefix(4), as: UTF8.self) {
        case "VP8X":
            guard let width = low(bytes, 24, 3), let height = low(bytes, 27, 3) else { return nil }
            return (width + 1, height + 1)
        case "VP8L":
            guard let bits = low(bytes, 21, 4) else { return nil }
            return (bits & 0x3FFF + 1, bits >> 14 & 0x3FFF + 1)
        case "VP8 ":
            guard let width = low(bytes, 26, 2), let height = low(bytes, 28, 2) else { return nil }
            return (width & 0x3FFF, height & 0x3FFF)
        default: return nil
        }
    }

    /// The largest of the extents that the file's items have: those of tiles and thumbnails are smaller.
    private static func extents(_ bytes: [UInt8]) -> (Int, Int)? {
        let word = Array("ispe".utf8)
        var largest: (Int, Int)?
        for offset in 0..<max(0, bytes.count - 16) where bytes[offset] == word[0] && bytes[offset..<offset + 4].elementsEqual(word) {
            guard let found = pair(bytes, offset + 8, offset + 12, 4) else { continue }
            if found.0.multipliedReportingOverflow(by: found.1).overflow { continue }
            if found.0 * found.1 > (largest.map { $0.0 * $0.1 } ?? 0) { largest = found }
        }
        return largest.map { aperture(bytes, of: $0) ?? $0 }
    }

    /// What is shown of an image whose sides a codec has made even, or longer still: a little less.
    private static func aperture(_ bytes: [UInt8], of whole: (Int, Int)) -> (Int, Int)? {
        let word = Array("clap".utf8)
        for offset in 0..<max(0, bytes.count - 20) where bytes[offset] == word[0] && bytes[offset..<offset + 4].elementsEqual(word) {
            guard let width = number(bytes, offset + 4, 4), let widthParts = number(bytes, offset + 8, 4), let height = number(bytes, offset + 12, 4),
                let heightParts = number(bytes, offset + 16, 4), widthParts > 0, heightParts > 0, width % widthParts == 0, height % heightParts == 0
            else { continue }
            let found = (width / widthParts, height / heightParts)
            if (max(1, whole.0 - mostHidden)...whole.0).contains(found.0), (max(1, whole.1 - mostHidden)...whole.1).contains(found.1) { return found }
        }
        return nil
    }

    /// So much a codec adds to a side at most.
    private static let mostHidden = 64
}
