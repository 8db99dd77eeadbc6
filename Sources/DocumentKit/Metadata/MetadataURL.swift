import Foundation

/// A file's URL as predicates compare it: of an item on a drive, that of the item in its container.
enum MetadataURL {
    static func text(of url: URL) -> String {
        guard url.isFileURL else { return url.absoluteString }
        return text(ofPath: SearchedPlace(url)?.storedPath ?? url.standardizedFileURL.path)
    }

    /// The same signs are escaped as in the attribute of an item.
    static func text(ofPath path: String) -> String {
        let plain = CharacterSet(charactersIn: "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz/-._~")
        return "file://" + (path.addingPercentEncoding(withAllowedCharacters: plain) ?? path)
    }
}
