import Foundation
#if canImport(CThumbnail)
import CThumbnail
#endif

/// The small picture of a list: 150 × 150 pixels, filled.
public enum Thumbnail {
    #if canImport(CThumbnail)
    /// Where it cannot be made the photo is kept without one.
    public static func make(_ picture: Data) -> Data? {
        var count = 0
        let made = picture.withUnsafeBytes { CThumbnail_make($0.bindMemory(to: UInt8.self).baseAddress, $0.count, 150, 100_000_000, &count) }
        guard let made else { return nil }
        defer { free(made) }
        return Data(bytes: made, count: count)
    }
    #else
    /// This was built where gdk-pixbuf is not: photos are kept without thumbnails.
    public static func make(_ picture: Data) -> Data? { nil }
    #endif
}
