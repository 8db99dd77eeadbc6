import LinuxFiles

/// A thumbnail as the freedesktop.org thumbnail standard shares it with everybody who reads a folder:
/// `.sh_thumbnails/<size>/<digest>.png` beside the picture, with texts in the PNG that say whose it is.
public struct SharedThumbnail: Sendable {
    public static let folder = Name(constant: ".sh_thumbnails")

    /// The folders for sizes: at most 128, 256, 512 and 1024 pixels, which nobody insists on.
    public static let sizes = [Name(constant: "normal"), Name(constant: "large"), Name(constant: "x-large"), Name(constant: "xx-large")]

    /// "./" and the picture's name as a part of a URI.
    private let uri: [UInt8]
    private let modified: Timestamp

    public init(of picture: Name, modified: Timestamp) {
        uri = Self.uri(of: picture)
        self.modified = modified
    }

    /// What the file is called, without its extension: by the standard, and by libxfce4util before 4.20, which many have and
    /// which leaves the "./" out.
    public static func digests(of picture: Name) -> [MD5] {
        let uri = uri(of: picture)
        return [MD5(of: uri), MD5(of: Array(uri.dropFirst(2)))]
    }

    /// The digest that a file's name holds.
    public static func digest(inNameOf file: Name) -> MD5? {
        guard file.bytes.suffix(4).elementsEqual(".png".utf8) else { return nil }
        return MD5(hexadecimal: file.bytes.dropLast(4))
    }

    private static let hexadecimal = Array("0123456789ABCDEF".utf8)

    /// As GLib writes the paths of files, because a digest has no room for taste.
    private static func uri(of picture: Name) -> [UInt8] {
        var uri = Array("./".utf8)
        for byte in picture.bytes {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "0")...UInt8(ascii: "9"): uri.append(byte)
            case _ where "-_.!~*'()&=:@+$,".utf8.contains(byte): uri.append(byte)
            default: uri += [UInt8(ascii: "%"), hexadecimal[Int(byte >> 4)], hexadecimal[Int(byte & 15)]]
            }
        }
        return uri
    }

    // MARK: In a PNG

    /// The signature and the first chunk, which is always this long. What is said comes behind it.
    public static let headLength = 33

    /// Whether a file that begins like this is a PNG.
    public static func isPNG(_ head: [UInt8]) -> Bool {
        head.count == headLength
            && head.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 13, 0x49, 0x48, 0x44, 0x52])
    }

    /// The chunks that say whose thumbnail it is, and of which state of it.
    public var chunks: [UInt8] {
        let micro = String(modified.nanoseconds / 1000)
        let time = "\(modified.seconds)." + String(repeating: "0", count: 6 - micro.count) + micro
        return Self.text("Thumb::URI", uri) + Self.text("Thumb::MTime", Array(time.utf8))
    }

    private static func text(_ keyword: String, _ value: [UInt8]) -> [UInt8] {
        let content = Array(keyword.utf8) + [0] + value
        let checked = Array("tEXt".utf8) + content
        return bigEndian(UInt32(content.count)) + checked + bigEndian(checksum(checked))
    }

    private static func bigEndian(_ number: UInt32) -> [UInt8] { (0..<4).map { UInt8(truncatingIfNeeded: number >> (24 - $0 * 8)) } }

    /// The CRC of PNG's chunks. Bit by bit: it is a hundred bytes.
    private static func checksum(_ bytes: [UInt8]) -> UInt32 {
        var sum = UInt32.max
        for byte in bytes {
            sum ^= UInt32(byte)
            for _ in 0..<8 { sum = sum & 1 == 1 ? (sum >> 1) ^ 0xEDB8_8320 : sum >> 1 }
        }
        return ~sum
    }
}
