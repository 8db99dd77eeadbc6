import PropertyLists

/// What the value of a key is. Its words are those of the command line and of `user.valise.type`.
public enum KeyValueType: String, CaseIterable, Sendable {
    case string, integer, real, boolean, date, data, array, dictionary

    /// nil for what cannot be a value.
    public init?(of value: PropertyList) {
        switch value {
        case .string: self = .string
        case .integer: self = .integer
        case .real: self = .real
        case .boolean: self = .boolean
        case .date: self = .date
        case .data: self = .data
        case .array: self = .array
        case .dictionary: self = .dictionary
        case .null, .uid, .set: return nil
        }
    }

    /// What a text of this type looks like, for whoever wrote another one.
    public var example: String {
        switch self {
        case .string: "text in UTF-8"
        case .integer: "a whole number, as 42"
        case .real: "a number, as 1.5"
        case .boolean: "true or false"
        case .date: "a date, as 2026-03-01T09:30:00Z"
        case .data: "any bytes"
        case .array: #"JSON, as ["a", 1]"#
        case .dictionary: #"JSON, as {"name": "Swift"}"#
        }
    }
}
