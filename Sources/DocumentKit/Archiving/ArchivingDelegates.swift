import Foundation

/// Is told of what an archiver encodes, and may exchange it.
///
/// ```swift
/// final class Censor: KeyedArchiverDelegate {
///     func archiver(_ archiver: KeyedArchiver, willEncode object: Any) -> Any? { object is Secret ? nil : object }
/// }
/// ```
public protocol KeyedArchiverDelegate: AnyObject {
    /// An object is about to be encoded; what is answered is encoded in its place. nil encodes nil.
    func archiver(_ archiver: KeyedArchiver, willEncode object: Any) -> Any?
    /// An object was encoded.
    func archiver(_ archiver: KeyedArchiver, didEncode object: Any?)
    /// `object` is replaced by `newObject`.
    func archiver(_ archiver: KeyedArchiver, willReplace object: Any?, with newObject: Any?)
    /// `finishEncoding` begins.
    func archiverWillFinish(_ archiver: KeyedArchiver)
    /// `finishEncoding` has ended.
    func archiverDidFinish(_ archiver: KeyedArchiver)
}

extension KeyedArchiverDelegate {
    public func archiver(_ archiver: KeyedArchiver, willEncode object: Any) -> Any? { object }
    public func archiver(_ archiver: KeyedArchiver, didEncode object: Any?) {}
    public func archiver(_ archiver: KeyedArchiver, willReplace object: Any?, with newObject: Any?) {}
    public func archiverWillFinish(_ archiver: KeyedArchiver) {}
    public func archiverDidFinish(_ archiver: KeyedArchiver) {}
}

/// An object that has another one take its place once it was decoded. Foundation on Linux has no `awakeAfter(using:)` that could be overridden: a class
/// says this protocol beside `NSCoding`, and the method without the word `override`.
///
/// ```swift
/// extension Colour: AwakingAfterDecoding {
///     func awakeAfter(using coder: NSCoder) -> Any? { Colour.known[name] ?? self }
/// }
/// ```
public protocol AwakingAfterDecoding: AnyObject {
    /// What is to be used instead of this object: itself, another one, or nil for none. Called by ``KeyedUnarchiver`` after `init(coder:)`.
    ///
    /// ```swift
    /// func awakeAfter(using coder: NSCoder) -> Any? { Colour.known[name] ?? self }
    /// ```
    func awakeAfter(using coder: NSCoder) -> Any?
}

/// Is told of what an unarchiver decodes, may exchange it, and knows classes that the unarchiver does not.
///
/// ```swift
/// final class Renaming: KeyedUnarchiverDelegate {
///     func unarchiver(_ unarchiver: KeyedUnarchiver, cannotDecodeObjectOfClassName name: String, originalClasses: [String]) -> AnyClass? {
///         name == "OldBookmark" ? Bookmark.self : nil
///     }
/// }
/// ```
public protocol KeyedUnarchiverDelegate: AnyObject {
    /// No class has this name; the one that is answered is used, if it is allowed.
    func unarchiver(_ unarchiver: KeyedUnarchiver, cannotDecodeObjectOfClassName name: String, originalClasses: [String]) -> AnyClass?
    /// An object was decoded; what is answered is used in its place.
    func unarchiver(_ unarchiver: KeyedUnarchiver, didDecode object: Any?) -> Any?
    /// `object` is replaced by `newObject`.
    func unarchiver(_ unarchiver: KeyedUnarchiver, willReplace object: Any, with newObject: Any)
    /// `finishDecoding` begins.
    func unarchiverWillFinish(_ unarchiver: KeyedUnarchiver)
    /// `finishDecoding` has ended.
    func unarchiverDidFinish(_ unarchiver: KeyedUnarchiver)
}

extension KeyedUnarchiverDelegate {
    public func unarchiver(_ unarchiver: KeyedUnarchiver, cannotDecodeObjectOfClassName name: String, originalClasses: [String]) -> AnyClass? { nil }
    public func unarchiver(_ unarchiver: KeyedUnarchiver, didDecode object: Any?) -> Any? { object }
    public func unarchiver(_ unarchiver: KeyedUnarchiver, willReplace object: Any, with newObject: Any) {}
    public func unarchiverWillFinish(_ unarchiver: KeyedUnarchiver) {}
    public func unarchiverDidFinish(_ unarchiver: KeyedUnarchiver) {}
}
