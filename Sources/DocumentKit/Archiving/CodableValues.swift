import Foundation

// Values of Swift's own coding in an archive: as property lists, as on Apple's systems.
extension KeyedArchiver {
    /// Encodes a value of Swift's own coding.
    ///
    /// ```swift
    /// try archiver.encodeEncodable(settings, forKey: "Settings")
    /// ```
    /// - Throws: what the value's own encoding throws.
    public func encodeEncodable<T: Encodable>(_ value: T, forKey key: String) throws {
        let list = try unsafe PropertyListSerialization.propertyList(from: PropertyListEncoder().encode(InProperty(value: value)), format: nil)
        encode((list as? [String: Any])?[InProperty<T>.name], forKey: key)
    }
}

extension KeyedUnarchiver {
    /// A value of Swift's own coding; nil where there is none, or where it cannot be decoded: see ``error``.
    ///
    /// ```swift
    /// let settings = unarchiver.decodeDecodable(Settings.self, forKey: "Settings")
    /// ```
    public func decodeDecodable<T: Decodable>(_ type: T.Type, forKey key: String) -> T? {
        do { return try decodeTopLevelDecodable(type, forKey: key) } catch {
            failWithError(error)
            return nil
        }
    }

    /// The same, and says why where it cannot be decoded.
    ///
    /// ```swift
    /// let settings = try unarchiver.decodeTopLevelDecodable(Settings.self, forKey: "Settings")
    /// ```
    public func decodeTopLevelDecodable<T: Decodable>(_ type: T.Type, forKey key: String) throws -> T? {
        let list = decodePropertyList(forKey: key)
        if let error { throw error }
        guard let list else { return nil }
        let data = try PropertyListSerialization.data(fromPropertyList: [InProperty<T>.name: list], format: .binary, options: 0)
        return try PropertyListDecoder().decode(InProperty<T>.self, from: data).value
    }
}

/// A property list is a dictionary or an array; a value by itself may be a number.
private struct InProperty<Value> {
    static var name: String { "value" }
    let value: Value
}

extension InProperty: Encodable where Value: Encodable {}
extension InProperty: Decodable where Value: Decodable {}
