import Documents
import PropertyLists

/// The documents of a sample container: a few of each kind, so that there is something to try.
enum Samples {
    struct Sample {
        let kind: KindID
        let shownName: String
        let content: [UInt8]
        /// The address of a bookmark.
        var url: String?

        /// A bookmark is as its app makes one, which says no form: each mount shows it in the form that it was asked for.
        func writings() throws(DocumentFault) -> [PartWriting] {
            let name = Array(shownName.utf8)
            if let url, kind.kind is BookmarkKind { return [.bytes(try BookmarkKind.archive(shownName: name, url: url))] }
            return try kind.kind.write(content: Bytes(content), shownName: name, over: nil, spelling: nil)
        }
    }

    static var all: [Sample] {
        KindRegistry.basic.all.flatMap { id -> [Sample] in
            switch id.kind {
            case is BookmarkKind: return bookmarks(id)
            case is PhotoKind: return photos(id)
            case is TextKind: return texts(id)
            default: return []
            }
        }
    }

    private static func bookmarks(_ kind: KindID) -> [Sample] {
        [("Swift", "https://www.swift.org/"), ("Linux kernel", "https://www.kernel.org/"), ("FUSE", "https://github.com/libfuse/libfuse")].map {
            Sample(kind: kind, shownName: $0.0 + ".url", content: Array("[InternetShortcut]\nURL=\($0.1)\n".utf8), url: $0.1)
        }
    }

    private static func texts(_ kind: KindID) -> [Sample] {
        [
            ("Welcome", "Welcome to Valise.\n\nThis text is a document in the container, as the app keeps it.\nEvery program on this machine can open it here.\n"),
            ("Shopping list", "Bread\nApples\nCoffee\n"),
        ].map { Sample(kind: kind, shownName: $0.0 + ".txt", content: Array($0.1.utf8)) }
    }

    private static func photos(_ kind: KindID) -> [Sample] {
        [
            Sample(kind: kind, shownName: "Sunset.png", content: PNGImage.bytes(width: 320, height: 200) { x, y in
                (UInt8(255 - y / 2), UInt8(140 - min(y, 199) / 2), UInt8(60 + y / 2 + x / 16))
            }),
            Sample(kind: kind, shownName: "Meadow.png", content: PNGImage.bytes(width: 320, height: 200) { x, y in
                y < 90 ? (130, 190, UInt8(230 - y / 3)) : (UInt8(60 + (x * 7 + y * 13) % 30), UInt8(140 + (x * 3 + y) % 40), 60)
            }),
        ]
    }
}

/// A PNG made without a compressor: its data is stored as it is, which is legal and needs no library.
enum PNGImage {
    static func bytes(width: Int, height: Int, _ color: (Int, Int) -> (red: UInt8, green: UInt8, blue: UInt8)) -> [UInt8] {
        var rows: [UInt8] = []
        for y in 0..<height {
            rows.append(0)
            for x in 0..<width {
                let (red, green, blue) = color(x, y)
                rows += [red, green, blue]
            }
        }
        let header = bigEndian(UInt32(width)) + bigEndian(UInt32(height)) + [8, 2, 0, 0, 0]
        return [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A] + chunk("IHDR", header) + chunk("IDAT", stored(rows)) + chunk("IEND", [])
    }

    /// zlib's format with blocks that are not compressed.
    private static func stored(_ bytes: [UInt8]) -> [UInt8] {
        var result: [UInt8] = [0x78, 0x01]
        var start = 0
        repeat {
            let end = min(start + 65535, bytes.count)
            let count = UInt16(end - start)
            result += [end == bytes.count ? 1 : 0, UInt8(count & 0xFF), UInt8(count >> 8), UInt8(~count & 0xFF), UInt8(~count >> 8)]
            result += bytes[start..<end]
            start = end
        } while start < bytes.count
        var (low, high): (UInt32, UInt32) = (1, 0)
        for byte in bytes {
            low = (low + UInt32(byte)) % 65521
            high = (high + low) % 65521
        }
        return result + bigEndian(high << 16 | low)
    }

    private static func chunk(_ type: String, _ data: [UInt8]) -> [UInt8] {
        let body = Array(type.utf8) + data
        return bigEndian(UInt32(data.count)) + body + bigEndian(checksum(body))
    }

    private static func checksum(_ bytes: [UInt8]) -> UInt32 {
        var value: UInt32 = .max
        for byte in bytes {
            value ^= UInt32(byte)
            for _ in 0..<8 { value = value & 1 == 1 ? value >> 1 ^ 0xEDB8_8320 : value >> 1 }
        }
        return ~value
    }

    private static func bigEndian(_ value: UInt32) -> [UInt8] {
        [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> UInt32($0)) }
    }
}
