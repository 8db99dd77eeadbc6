import Foundation

// Arrays and dictionaries of classes that are named: of every coder, because `init(coder:)` is given one. Foundation on Linux has none
// of these.
extension NSCoder {
    /// The array of objects of a class under a key.
    ///
    /// ```swift
    /// let tags = coder.decodeArrayOfObjects(ofClass: NSString.self, forKey: "Tags")
    /// ```
    public func decodeArrayOfObjects<DecodedObjectType: NSObject & NSCoding>(ofClass cls: DecodedObjectType.Type, forKey key: String) -> [DecodedObjectType]? {
        decodeArrayOfObjects(ofClasses: [cls], forKey: key) as? [DecodedObjectType]
    }

    /// The array of objects of several classes under a key.
    ///
    /// ```swift
    /// let parts = coder.decodeArrayOfObjects(ofClasses: [Text.self, Picture.self], forKey: "Parts")
    /// ```
    public func decodeArrayOfObjects(ofClasses classes: [AnyClass], forKey key: String) -> [Any]? {
        decodeObject(of: [NSArray.self] + classes, forKey: key) as? [Any]
    }

    /// The dictionary under a key whose keys and objects are of one class each.
    ///
    /// ```swift
    /// let scores = coder.decodeDictionary(withKeyClass: NSString.self, objectClass: NSNumber.self, forKey: "Scores")
    /// ```
    public func decodeDictionary<DecodedKeyType: NSObject & NSCopying & NSCoding, DecodedObjectType: NSObject & NSCoding>(
        withKeyClass keyClass: DecodedKeyType.Type, objectClass: DecodedObjectType.Type, forKey key: String
    ) -> [DecodedKeyType: DecodedObjectType]? {
        DictionaryOfClasses.typed(decodeDictionary(withKeysOfClasses: [keyClass], objectsOfClasses: [objectClass], forKey: key))
    }

    /// The dictionary under a key whose keys and objects are of several classes.
    ///
    /// ```swift
    /// let parts = coder.decodeDictionary(withKeysOfClasses: [NSString.self], objectsOfClasses: [Text.self, Picture.self], forKey: "Parts")
    /// ```
    public func decodeDictionary(withKeysOfClasses keyClasses: [AnyClass], objectsOfClasses objectClasses: [AnyClass], forKey key: String) -> [AnyHashable: Any]? {
        decodeObject(of: [NSDictionary.self] + keyClasses + objectClasses, forKey: key) as? [AnyHashable: Any]
    }
}

/// A dictionary whose keys and objects are wanted as objects, where Foundation's on Linux has values.
enum DictionaryOfClasses {
    /// nil where one of them is of another class.
    static func typed<Key: NSObject, Object: NSObject>(_ dictionary: [AnyHashable: Any]?) -> [Key: Object]? {
        guard let dictionary else { return nil }
        var typed: [Key: Object] = [:]
        for (key, object) in dictionary {
            guard let key = key.base as AnyObject as? Key, let object = object as AnyObject as? Object else { return nil }
            typed[key] = object
        }
        return typed
    }
}
