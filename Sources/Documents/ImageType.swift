/// The types of images that a photo can hold, told by their first bytes.
public enum ImageType: String, CaseIterable, Hashable, Sendable {
    case png, jpeg, gif, webp, heic, heif, avif, tiff, bmp

    /// How many bytes tell the type.
    public static let prefixLength = 32

    /// The extensions of files of this type; the first is the one given to an image that came without.
    public var extensions: [String] {
        switch self {
        case .png: ["png"]
        case .jpeg: ["jpg", "jpeg", "jpe"]
        case .gif: ["gif"]
        case .webp: ["webp"]
        case .heic: ["heic"]
        case .heif: ["heif"]
        case .avif: ["avif"]
        case .tiff: ["tiff", "tif"]
        case .bmp: ["bmp"]
        }
    }

    public static let allExtensions = Set(allCases.flatMap(\.extensions))

    /// The type of an image that begins with these bytes.
    public init?(prefix bytes: [UInt8]) {
        func begins(_ word: String, at offset: Int = 0) -> Bool { bytes.dropFirst(offset).starts(with: word.utf8) }
        if bytes.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) {
            self = .png
        } else if bytes.starts(with: [0xFF, 0xD8, 0xFF]) {
            self = .jpeg
        } else if begins("GIF87a") || begins("GIF89a") {
            self = .gif
        } else if begins("RIFF"), begins("WEBP", at: 8) {
            self = .webp
        } else if begins("ftyp", at: 4), let type = Self.brand(bytes) {
            self = type
        } else if bytes.starts(with: [0x49, 0x49, 0x2A, 0x00]) || bytes.starts(with: [0x4D, 0x4D, 0x00, 0x2A])
            || bytes.starts(with: [0x49, 0x49, 0x2B, 0x00]) || bytes.starts(with: [0x4D, 0x4D, 0x00, 0x2B]) {
            self = .tiff
        } else if begins("BM"), bytes.count >= 18, [12, 40, 52, 56, 64, 108, 124].contains(bytes[14]), bytes[15...17].allSatisfy({ $0 == 0 }) {
            // Two letters alone would make images of many texts: the length of the header that follows decides.
            self = .bmp
        } else {
            return nil
        }
    }

    /// The type that a file of the ISO media format names: its major brand, or else the first compatible one
    /// that is an image's. A film has none of these.
    private static func brand(_ bytes: [UInt8]) -> ImageType? {
        for offset in [8, 16, 20, 24, 28] where bytes.count >= offset + 4 {
            switch String(decoding: bytes[offset..<(offset + 4)], as: UTF8.self) {
            case "heic", "heix", "heim", "heis", "hevc", "hevx", "hevm", "hevs": return .heic
            case "avif", "avis": return .avif
            case "mif1", "msf1", "mif2": return offset == 8 ? brand(after: bytes) ?? .heif : .heif
            default: continue
            }
        }
        return nil
    }

    /// What a file of the general brand says more exactly among its compatible brands.
    private static func brand(after bytes: [UInt8]) -> ImageType? {
        for offset in [16, 20, 24, 28] where bytes.count >= offset + 4 {
            switch String(decoding: bytes[offset..<(offset + 4)], as: UTF8.self) {
            case "heic", "heix": return .heic
            case "avif", "avis": return .avif
            default: continue
            }
        }
        return nil
    }
}
