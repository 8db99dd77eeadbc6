import Foundation

// An archive with one object, under the key "root".
extension KeyedUnarchiver {
    /// The object of a class, or of one below it, that was archived under the key "root".
    ///
    /// ```swift
    /// let bookmark = try KeyedUnarchiver.unarchivedObject(ofClass: Bookmark.self, from: contents)
    /// ```
    /// - Throws: an error that names the class and the key, where the archive has something else.
    public static func unarchivedObject<DecodedObjectType: NSObject & NSCoding>(
        ofClass cls: DecodedObjectType.Type, from data: Data
    ) throws -> DecodedObjectType? {
        try unarchivedObject(ofClasses: [cls], from: data) as? DecodedObjectType
    }

    /// The object of one of several classes that was archived under the key "root".
    ///
    /// ```swift
    /// let list = try KeyedUnarchiver.unarchivedObject(ofClasses: [NSArray.self, Bookmark.self], from: contents)
    /// ```
    /// - Throws: an error that names the class and the key, where the archive has something else.
    public static func unarchivedObject(ofClasses classes: [AnyClass], from data: Data) throws -> Any? {
        let unarchiver = try KeyedUnarchiver(forReadingFrom: data)
        let object = unarchiver.decodeObject(of: classes, forKey: NSKeyedArchiveRootObjectKey)
        unarchiver.finishDecoding()
        if let fault = unarchiver.fault { throw fault }
        return object
    }

    /// The array of objects of a class that was archived under the key "root".
    ///
    /// ```swift
    /// let bookmarks = try KeyedUnarchiver.unarchivedArrayOfObjects(ofClass: Bookmark.self, from: contents)
    /// ```
    /// - Throws: an error that names the class and the key, where the archive has something else.
    public static func unarchivedArrayOfObjects<DecodedObjectType: NSObject & NSCoding>(
        ofClass cls: DecodedObjectType.Type, from data: Data
    ) throws -> [DecodedObjectType]? {
        try unarchivedObject(ofClasses: [NSArray.self, cls], from: data) as? [DecodedObjectType]
    }

    /// The array of objects of several classes that was archived under the key "root".
    ///
    /// ```swift
    /// let parts = try KeyedUnarchiver.unarchivedArrayOfObjects(ofClasses: [Text.self, Picture.self], from: contents)
    /// ```
    /// - Throws: an error that names the class and the key, where the archive has something else.
    public static func unarchivedArrayOfObjects(ofClasses classes: [AnyClass], from data: Data) throws -> [Any]? {
        try unarchivedObject(ofClasses: [NSArray.self] + classes, from: data) as? [Any]
    }

    /// The dictionary that was archived under the key "root" and whose keys and objects are of one class each.
    ///
    /// ```swift
    /// let scores = try KeyedUnarchiver.unarchivedDictionary(ofKeyClass: NSString.self, objectClass: NSNumber.self, from: contents)
    /// ```
    /// - Throws: an error that names the class and the key, where the archive has something else.
    public static func unarchivedDictionary<DecodedKeyType: NSObject & NSCopying & NSCoding, DecodedObjectType: NSObject & NSCoding>(
        ofKeyClass keyClass: DecodedKeyType.Type, objectClass: DecodedObjectType.Type, from data: Data
    ) throws -> [DecodedKeyType: DecodedObjectType]? {
        DictionaryOfClasses.typed(try unarchivedDictionary(keysOfClasses: [keyClass], objectsOfClasses: [objectClass], from: data))
    }

    /// The dictionary that was archived under the key "root" and whose keys and objects are of several classes.
    ///
    /// ```swift
    /// let parts = try KeyedUnarchiver.unarchivedDictionary(keysOfClasses: [NSString.self], objectsOfClasses: [Text.self, Picture.self], from: contents)
    /// ```
    /// - Throws: an error that names the class and the key, where the archive has something else.
    public static func unarchivedDictionary(keysOfClasses keyClasses: [AnyClass], objectsOfClasses objectClasses: [AnyClass], from data: Data) throws -> [AnyHashable: Any]? {
        try unarchivedObject(ofClasses: [NSDictionary.self] + keyClasses + objectClasses, from: data) as? [AnyHashable: Any]
    }

    /// The object under the key "root", of whatever class. Only for archives that this program wrote itself.
    ///
    /// ```swift
    /// let bookmarks = KeyedUnarchiver.unarchiveObject(with: data) as? [Bookmark]
    /// ```
    public static func unarchiveObject(with data: Data) -> Any? { try? unarchiveTopLevelObjectWithData(data) }

    /// The object under the key "root", of whatever class. Only for archives that this program wrote itself.
    ///
    /// ```swift
    /// let bookmarks = try KeyedUnarchiver.unarchiveTopLevelObjectWithData(data) as? [Bookmark]
    /// ```
    /// - Throws: an error that names the class and the key of what could not be decoded.
    public static func unarchiveTopLevelObjectWithData(_ data: Data) throws -> Any? {
        let unarchiver = KeyedUnarchiver(forReadingWith: data)
        let object = unarchiver.decodeObject(forKey: NSKeyedArchiveRootObjectKey)
        unarchiver.finishDecoding()
        if let fault = unarchiver.fault { throw fault }
        return object
    }

    /// The object under the key "root" in a file. Only for files that this program wrote itself.
    ///
    /// ```swift
    /// let bookmarks = KeyedUnarchiver.unarchiveObject(withFile: path) as? [Bookmark]
    /// ```
    public static func unarchiveObject(withFile path: String) -> Any? {
        (try? Data(contentsOf: URL(fileURLWithPath: path))).flatMap { unarchiveObject(with: $0) }
    }
}
