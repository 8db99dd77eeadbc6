import LinuxFiles
import PropertyLists

/// What a version is called, for as long as it is there: the moment at which its content was written, in UTC, and
/// a mark where the moment alone does not tell it from another one.
///
/// Ordered by time and then by the mark. Made of nothing but what goes with the content from computer to computer, so that
/// the newest of several is the same one wherever that is asked.
public struct VersionID: Hashable, Sendable {
    /// "2026-11-21T23-27-33.123456Z" or "2026-11-21T23-27-33.123456Z_2", which is listed after it. No colons: some systems have no
    /// names with those.
    public let text: String
    /// Moments in versions' names are exact to the microsecond.
    public let time: Timestamp

    private static let timeLength = 27, longestMark = 64
    /// The moment from which `PlainDate` counts.
    private static let epoch: Int64 = 978_307_200
    private static let firstSecond: Int64 = -62_167_219_200, lastSecond: Int64 = 253_402_300_799

    public init(_ time: Timestamp, mark: String = "") {
        let seconds = min(max(time.seconds, Self.firstSecond), Self.lastSecond)
        let micros = min(max(time.nanoseconds / 1000, 0), 999_999)
        let date = (PlainDate.text(Double(seconds - Self.epoch)) ?? "").dropLast().map { $0 == ":" ? "-" : $0 }
        let digits = String(micros)
        let fraction = String(repeating: "0", count: 6 - digits.utf8.count) + digits
        let tail = Self.plain(mark)
        text = String(date) + "." + fraction + "Z" + (tail.isEmpty ? "" : "_" + tail)
        self.time = Timestamp(seconds: seconds, nanoseconds: micros * 1000)
    }

    public init?(_ text: some StringProtocol) {
        let bytes = Array(text.utf8)
        guard bytes.count >= Self.timeLength, bytes[19] == UInt8(ascii: "."), bytes[26] == UInt8(ascii: "Z"),
            let micros = Int32(String(decoding: bytes[20..<26], as: UTF8.self)), micros >= 0
        else { return nil }
        var date = Array(bytes[..<19])
        (date[13], date[16]) = (UInt8(ascii: ":"), UInt8(ascii: ":"))
        guard let seconds = PlainDate.seconds(String(decoding: date, as: UTF8.self) + "Z") else { return nil }
        let time = Timestamp(seconds: Int64(seconds) + Self.epoch, nanoseconds: micros * 1000)
        let mark = String(decoding: bytes[Self.timeLength...], as: UTF8.self)
        self.init(time, mark: mark.hasPrefix("_") ? String(mark.dropFirst()) : "")
        guard self.text == text else { return nil }
    }

    /// What is left of a text when it is to be a part of a file's name, and a word.
    private static func plain(_ text: String) -> String {
        String(text.unicodeScalars.map { $0.isASCII && ($0.properties.isAlphabetic || ("0"..."9").contains($0)) ? Character($0) : "-" }.prefix(longestMark))
    }
}

extension VersionID: Comparable {
    public static func < (left: VersionID, right: VersionID) -> Bool {
        left.time == right.time ? left.text < right.text : left.time < right.time
    }
}

extension VersionID: CustomStringConvertible {
    public var description: String { text }
}
