import JSONValues
import PropertyLists

/// Values as JSON, so that the same value comes back. What JSON does not have is an object with one key: `{"$date": "2026-03-01T09:30:00Z"}`,
/// `{"$data": "AAEC"}`, `{"$integer": "18446744073709551615"}`, `{"$real": "inf"}`. A dictionary that looks like one of these is
/// `{"$dictionary": {…}}`.
public enum KeyValueJSON {
    public static func json(_ value: PropertyList) -> JSON {
        switch value {
        case .string(let text): .string(text)
        case .boolean(let flag): .bool(flag)
        case .integer(let number): Int64(exactly: number).map { .integer($0) } ?? marked("integer", .string("\(number)"))
        case .real(let number): number.isFinite ? .number(number) : marked("real", .string("\(number)"))
        case .date: marked("date", .string(KeyValueText.word(of: value)))
        case .data(let bytes): marked("data", .string(Base64.encoded(bytes)))
        case .array(let values), .set(let values): .array(values.map(json))
        case .dictionary(let members): dictionary(members)
        case .null, .uid: .null
        }
    }

    private static func marked(_ mark: String, _ value: JSON) -> JSON { .object([JSON.Member("$" + mark, value)]) }

    private static func dictionary(_ members: [PropertyList.Member]) -> JSON {
        let plain = JSON.object(members.map { JSON.Member($0.key, json($0.value)) })
        return members.count == 1 && members.first?.key.hasPrefix("$") == true ? marked("dictionary", plain) : plain
    }

    /// nil for what is no value: null, a mark that there is not, two members with one key.
    public static func value(_ json: JSON) -> PropertyList? {
        switch json {
        case .null: return nil
        case .bool(let flag): return .boolean(flag)
        case .integer(let number): return .integer(Int128(number))
        case .number(let number): return .real(number)
        case .string(let text): return .string(text)
        case .array(let elements):
            let values = elements.compactMap(value)
            return values.count == elements.count ? .array(values) : nil
        case .object(let members):
            if members.count == 1, let only = members.first, only.key.hasPrefix("$") { return value(marked: only) }
            return dictionary(members)
        }
    }

    private static func value(marked member: JSON.Member) -> PropertyList? {
        switch (member.key, member.value) {
        case ("$dictionary", .object(let members)): return dictionary(members)
        case ("$data", .string(let text)): return Base64.decoded(Array(text.utf8)).map { .data($0) }
        case ("$date", .string(let text)): return KeyValueText.value(ofWord: text, as: .date)
        case ("$integer", .string(let text)): return KeyValueText.value(ofWord: text, as: .integer)
        case ("$real", .string(let text)): return KeyValueText.value(ofWord: text, as: .real)
        default: return nil
        }
    }

    private static func dictionary(_ members: [JSON.Member]) -> PropertyList? {
        var found: [PropertyList.Member] = [], keys: Set<[UInt8]> = []
        for member in members {
            guard let value = value(member.value), keys.insert(Array(member.key.utf8)).inserted else { return nil }
            found.append(PropertyList.Member(member.key, value))
        }
        return .dictionary(found)
    }
}
