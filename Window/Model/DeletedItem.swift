import Foundation

/// What was deleted on a drive and is kept.
public struct DeletedItem: Identifiable, Equatable, Sendable, Decodable {
    public let number: Int
    public let path: String
    public let deleted: Date
    public let kind: String
    public let size: Int64?
    public let versions: Int

    public var id: Int { number }
    public var name: String { (path as NSString).lastPathComponent }
}

extension ValiseProgram {
    private struct DeletedAnswer: Decodable { let deleted: [DeletedItem] }

    /// The last one first.
    public func deleted(on drive: Drive) async throws -> [DeletedItem] { try await answer("deleted", "--json", "--", drive.mountpoint, as: DeletedAnswer.self).deleted }

    /// Those come back with their names and their versions. What cannot, because another one has its name, stays deleted, and that is said.
    public func bringBack(_ items: [DeletedItem], on drive: Drive) async throws {
        var faults: [String] = []
        // An argument is short, and there may be very many.
        for start in stride(from: 0, to: items.count, by: 1_000) {
            let numbers = items[start..<min(start + 1_000, items.count)].map { "\($0.number)" }
            do { try await perform(["undelete", "-q", "--", drive.mountpoint] + numbers) } catch { faults.append(ValiseFault.sentence(of: error)) }
        }
        if !faults.isEmpty { throw ValiseFault(faults.joined(separator: "\n")) }
    }
}

/// A day as people call it.
public enum DayName {
    public static func of(_ date: Date, now: Date = Date(), calendar: Calendar = .current) -> String {
        if calendar.isDate(date, inSameDayAs: now) { return "Today" }
        if let before = calendar.date(byAdding: .day, value: -1, to: now), calendar.isDate(date, inSameDayAs: before) { return "Yesterday" }
        var style = Date.FormatStyle(date: .complete, time: .omitted)
        (style.calendar, style.timeZone) = (calendar, calendar.timeZone)
        return date.formatted(style)
    }
}
