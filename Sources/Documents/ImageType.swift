/// The image formats that a photo's bytes can have, told by how they begin: names lie, first bytes do not.
enum ImageType: CaseIterable {
    case png, jpeg, gif, webp, heic, avif, tiff, bmp

    /// As many first bytes as telling needs.
    static let bytesNeeded = 32

    /// The extensions that files of these formats have, in lower case.
    static let extensions = [
        "png", "jpg", "jpeg", "jpe", "jfif", "gif", "webp", "heic", "heif", "hif", "avif", "tif", "tiff", "bmp", "dib",
    ]

    static let unknownExtension = "bin"

    var preferredExtension: String {
        switch self {
        case .png: "png"
        case .jpeg: "jpg"
        case .gif: "gif"
        case .webp: "webp"
        case .heic: "heic"
        case .avif: "avif"
        case .tiff: "tif"
        case .bmp: "bmp"
        }
    }

    static func of(_ head: [UInt8]) -> ImageType? {
        func has(_ bytes: [UInt8], at place: Int = 0) -> Bool { head.dropFirst(place).starts(with: bytes) }
        func has(_ text: String, at place: Int = 0) -> Bool { has(Array(text.utf8), at: place) }

        if has([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) { return .png }
        if has([0xFF, 0xD8, 0xFF]) { return .jpeg }
        if has("GIF87a") || has("GIF89a") { return .gif }
        if has("RIFF"), has("WEBP", at: 8) { return .webp }
        if has([0x49, 0x49, 0x2A, 0x00]) || has([0x4D, 0x4D, 0x00, 0x2A]) { return .tiff }
        if has([0x49, 0x49, 0x2B, 0x00, 0x08, 0x00]) || has([0x4D, 0x4D, 0x00, 0x2B, 0x00, 0x08]) { return .tiff }
        // Two letters begin many a text; the size of the header behind them has few values.
        if has("BM"), bitmapHeaders.contains(where: { has([$0, 0, 0, 0], at: 14) }) { return .bmp }
        if has("ftyp", at: 4) { return ofBrands(head) }
        return nil
    }

    private static let bitmapHeaders: [UInt8] = [12, 16, 40, 52, 56, 64, 108, 124]

    /// ISO base media: the major brand tells, unless it is one that says no more than "an image";
    /// then the compatible ones do, as far as they are among the first bytes and in the same box.
    private static func ofBrands(_ head: [UInt8]) -> ImageType? {
        let size = head.prefix(4).reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
        let box = head.prefix(Int(clamping: size)).prefix(bytesNeeded)
        guard let major = brand(in: box, at: 8) else { return nil }
        if let type = type(ofBrand: major) { return type }
        guard ["mif1", "msf1", "miaf", "heif"].contains(major) else { return nil }
        for place in stride(from: 16, to: bytesNeeded, by: 4) {
            if let compatible = brand(in: box, at: place), let type = type(ofBrand: compatible) { return type }
        }
        return .heic
    }

    private static func brand(in box: ArraySlice<UInt8>, at place: Int) -> String? {
        let bytes = box.dropFirst(place).prefix(4)
        return bytes.count == 4 ? String(validating: bytes, as: UTF8.self) : nil
    }

    private static func type(ofBrand brand: String) -> ImageType? {
        switch brand {
        case "heic", "heix", "heim", "heis", "hevc", "hevx", "hevm", "hevs": .heic
        case "avif", "avis": .avif
        default: nil
        }
    }
}
