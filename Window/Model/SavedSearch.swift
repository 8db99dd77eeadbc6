import Foundation

/// Searches that a drive keeps: files in `.valise/searches`, which any program can read and write.
public struct SavedSearch: Identifiable, Equatable, Sendable {
    public let name: String, words: String
    public var id: String { name }

    public init(name: String, words: String) { (self.name, self.words) = (name, words) }

    /// Beside the main thread: a drive may take its time.
    public static func all(on drive: Drive) async -> [SavedSearch] { await OwnThread.run { there(on: drive) } }

    private static func there(on drive: Drive) -> [SavedSearch] {
        let folder = drive.control("searches/"), names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return names.sorted { $0.localizedStandardCompare($1) == .orderedAscending }.compactMap { name in
            guard !name.hasPrefix("."), let data = FileManager.default.contents(atPath: folder + name) else { return nil }
            return SavedSearch(name: name, words: String(decoding: data, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines))
        }
    }

    public func save(on drive: Drive) throws {
        // A slash would be a path, and what begins with a dot is in no list.
        let name = name.trimmingCharacters(in: .whitespacesAndNewlines).replacingOccurrences(of: "/", with: "\u{2215}").replacingOccurrences(of: "\0", with: "\u{2400}")
        guard !name.isEmpty, !name.hasPrefix(".") else { throw ValiseFault("A saved search has a name, which does not begin with a dot.") }
        do { try Data((words + "\n").utf8).write(to: URL(fileURLWithPath: drive.control("searches/") + name)) } catch { throw ValiseFault("The search cannot be saved: \(error.localizedDescription)") }
    }

    public func remove(on drive: Drive) throws {
        do { try FileManager.default.removeItem(atPath: drive.control("searches/") + name) } catch { throw ValiseFault("The search cannot be removed: \(error.localizedDescription)") }
    }
}
