// Values are compared by what they are. What is no number equals nothing in arithmetic, itself neither; as a value it is one, the same as any other
// that is no number: a list that has it equals itself, and whoever asks what changed is not told of it each time.
extension PropertyList {
    public static func == (one: PropertyList, other: PropertyList) -> Bool {
        switch (one, other) {
        case (.null, .null): true
        case (.boolean(let one), .boolean(let other)): one == other
        case (.integer(let one), .integer(let other)): one == other
        case (.real(let one), .real(let other)), (.date(let one), .date(let other)): one == other || one.isNaN && other.isNaN
        case (.data(let one), .data(let other)): one == other
        case (.string(let one), .string(let other)): one == other
        case (.uid(let one), .uid(let other)): one == other
        case (.array(let one), .array(let other)), (.set(let one), .set(let other)): one == other
        case (.dictionary(let one), .dictionary(let other)): one == other
        default: false
        }
    }

    public func hash(into hasher: inout Hasher) {
        switch self {
        case .null: hasher.combine(0)
        case .boolean(let value): hasher.combine(value)
        case .integer(let value): hasher.combine(value)
        case .real(let value), .date(let value): hasher.combine(value.isNaN ? .nan : value)
        case .data(let bytes): hasher.combine(bytes)
        case .string(let text): hasher.combine(text)
        case .uid(let value): hasher.combine(value)
        case .array(let values), .set(let values): hasher.combine(values)
        case .dictionary(let members): hasher.combine(members)
        }
    }
}
