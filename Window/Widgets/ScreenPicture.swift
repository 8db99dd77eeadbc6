import CWindow
import Foundation

/// A picture as a widget's `paintable`. It is made of a file's bytes, on any thread, and does not change.
public final class ScreenPicture: @unchecked Sendable {
    // @unchecked: a texture that was made is read only.
    let texture: OpaquePointer

    /// `most`: the points of its longer side at most. Nil where the bytes are no picture that can be drawn.
    init?(_ bytes: Data, most: Int) {
        let made = bytes.withUnsafeBytes { bytes in bytes.baseAddress.flatMap { CWindow_picture($0, bytes.count, Int32(most)) } }
        guard let made else { return nil }
        texture = made
    }

    /// Beside the main thread.
    public static func drawn(_ bytes: Data, most: Int) async -> ScreenPicture? { await Task.detached { ScreenPicture(bytes, most: most) }.value }

    /// A sentence where that is why they are not drawn.
    public static func tooLarge(_ bytes: Data) async -> String? {
        await Task.detached {
            var width: Int32 = 0, height: Int32 = 0
            let isTooLarge = bytes.withUnsafeBytes { bytes in bytes.baseAddress.map { CWindow_picture_is_too_large($0, bytes.count, &width, &height) } ?? false }
            return isTooLarge ? "This picture is too large to be drawn here: it has \(width.formatted()) × \(height.formatted()) pixels." : nil
        }.value
    }

    deinit { CWindow_release(texture) }
}

extension Part {
    public func set(_ property: String, _ picture: ScreenPicture?) { CWindow_set_object(object, property, picture?.texture) }
}
