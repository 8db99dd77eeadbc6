import PropertyLists

extension ImageType {
    /// How much of an image is looked at in one go.
    private static let chunk = 1 << 16

    /// Whether an image that begins as one of this type lacks what every one of its type ends with, because it is not all written yet.
    /// Only where that is easily told. What comes behind the end, and how whole the image is in between, does not matter.
    func lacksEnd(_ content: any ByteSource) throws(DocumentFault) -> Bool {
        switch self {
        // The last chunk's name and its checksum, which is always the same.
        case .png: try !Self.find([0x49, 0x45, 0x4E, 0x44, 0xAE, 0x42, 0x60, 0x82], in: content, from: 8)
        // Inside of the image's data no other byte stands behind FF but 00 and those that start it anew.
        case .jpeg: try !Self.find([0xFF, 0xD9], in: content, from: Self.startOfData(content))
        case .gif, .webp, .heic, .heif, .avif, .tiff, .bmp: false
        }
    }

    /// Where the segments of a JPEG end that come before its data, as far as they are in order: one may hold a small image that has an end.
    private static func startOfData(_ content: any ByteSource) throws(DocumentFault) -> Int64 {
        var offset: Int64 = 2
        while offset <= content.byteCount - 4 {
            let head = try content.few(at: offset, count: 4)
            guard head[0] == 0xFF, (0xC0...0xFE).contains(head[1]), !(0xD0...0xD9).contains(head[1]) else { break }
            offset += 2 + (Int64(head[2]) << 8 | Int64(head[3]))
            if head[1] == 0xDA { break }
        }
        return offset
    }

    private static func find(_ word: [UInt8], in content: any ByteSource, from start: Int64) throws(DocumentFault) -> Bool {
        var offset = start
        while offset <= content.byteCount - Int64(word.count) {
            let bytes = try content.few(at: offset, count: Int(min(Int64(chunk), content.byteCount - offset)))
            for index in 0...bytes.count - word.count where bytes[index] == word[0] && bytes[index..<index + word.count].elementsEqual(word) { return true }
            // One that lies across two of them is found in the second.
            offset += Int64(bytes.count - word.count + 1)
        }
        return false
    }
}
