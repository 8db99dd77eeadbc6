import Foundation

/// What was deleted on a drive and is kept, by the drive or in the trash that a file manager has there.
public struct DeletedItem: Identifiable, Equatable, Sendable, Decodable {
    /// 0 of what the drive does not keep.
    public let number: Int
    /// Where it comes back to.
    public private(set) var path: String
    public let deleted: Date
    public let kind: String
    public let size: Int64?
    public let versions: Int
    /// Its place in a trash, if that is where it lies or was.
    public private(set) var inTrash: String?

    public var id: String { number == 0 ? inTrash ?? "" : "\(number)" }
    public var name: String { (path as NSString).lastPathComponent }

    init(path: String, deleted: Date, size: Int64?, inTrash: String) {
        (number, kind, versions) = (0, "", 0)
        (self.path, self.deleted, self.size, self.inTrash) = (path, deleted, size, inTrash)
    }

    func inEmptiedTrash(_ path: String) -> DeletedItem {
        var item = self
        (item.path, item.inTrash) = (path, self.path)
        return item
    }
}

extension ValiseProgram {
    private struct DeletedAnswer: Decodable { let deleted: [DeletedItem] }

    /// The last one first.
    public func deleted(on drive: Drive) async throws -> [DeletedItem] {
        let kept = try await answer("deleted", "--json", "--", drive.mountpoint, as: DeletedAnswer.self).deleted
        let trash = DriveTrash(on: drive), inTrash = await trash.items(), shown = trash.shown(kept)
        return inTrash.isEmpty ? shown : (shown + inTrash).sorted { $0.deleted > $1.deleted }
    }

    /// Those come back with their names and their versions. What cannot, because another one has its name, stays deleted, and that is said.
    public func bringBack(_ items: [DeletedItem], on drive: Drive) async throws {
        var faults: [String] = []
        let kept = items.filter { $0.number != 0 }, fromTrash = items.filter { $0.inTrash != nil }, trash = DriveTrash(on: drive)
        // An argument is short, and there may be very many.
        for start in stride(from: 0, to: kept.count, by: 1_000) {
            let numbers = kept[start..<min(start + 1_000, kept.count)].map { "\($0.number)" }
            do { try await perform(["undelete", "-q", "--", drive.mountpoint] + numbers) } catch { faults.append(ValiseFault.sentence(of: error)) }
        }
        // What was in an emptied one is there again now.
        faults += await Task.detached { fromTrash.compactMap { item in
            do { try trash.bringBack(item) } catch { return ValiseFault.sentence(of: error) }
            return nil
        } }.value
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
