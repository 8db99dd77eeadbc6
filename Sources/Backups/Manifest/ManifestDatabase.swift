import Databases
import LinuxFiles

/// Manifest.db, since iOS 10: a table of files, read once and in its own order. Nothing is sorted, because SQLite would
/// want room for that.
enum ManifestDatabase {
    /// How many there may be.
    static let mostRows: Int64 = 4_000_000
    /// So many of SQLite's own steps for each page of the file: a table that runs in circles ends.
    private static let stepsPerPage: Int64 = 4000, stepsPerAsking: Int32 = 100_000

    /// Gives each row to `take`, which says whether to go on. `faults` are rows that say nothing that can be
    /// understood.
    static func read(_ source: any DatabaseSource, faults: inout Int, _ take: (ManifestEntry) throws(Failure) -> Void)
        throws(Failure)
    {
        var steps = max(10_000_000, source.byteCount / 1024 * stepsPerPage)
        do throws(DatabaseFault) {
            let database = try Database(reading: source)
            database.limit(length: 64 << 20, steps: stepsPerAsking) {
                steps -= Int64(stepsPerAsking)
                return steps > 0
            }
            let rows = try database.newStatement(
                "SELECT fileID, domain, relativePath, flags, CASE WHEN length(file) <= \(MBFile.longest) THEN file END FROM Files NOT INDEXED"
            )
            var count: Int64 = 0
            while try rows.step() {
                count += 1
                guard count <= mostRows else { throw DatabaseFault(.damaged, "it has more than \(mostRows) files") }
                guard let entry = entry(rows) else {
                    faults += 1
                    continue
                }
                do throws(Failure) { try take(entry) } catch { throw DatabaseFault(.unavailable, error.sentence) }
            }
        } catch {
            throw Failure(
                .inputOutput, "the backup's list of files (Manifest.db) cannot be read: \(error.sentence)", cause: error
            )
        }
    }

    /// nil where it says nothing.
    private static func entry(_ row: Statement) -> ManifestEntry? {
        guard row.count(1) <= ManifestEntry.longestDomain, row.count(2) <= ManifestEntry.longestPath,
            row.count(0) <= 1024
        else { return nil }
        let blob = row.blob(4), facts = blob.isEmpty ? nil : try? MBFile(blob)
        let kind: ManifestEntry.Kind?
        switch row.integer(3) {
        case 1: kind = .file
        case 2: kind = .folder
        case 4: kind = .link
        // What is none of them is what its mode says.
        default: kind = facts.flatMap { ManifestEntry.Kind(mode: $0.mode) }
        }
        guard let kind else { return nil }
        var entry = ManifestEntry(kind, id: FileID(row.text(0)), domain: row.text(1), path: row.text(2))
        if let facts { entry.facts = facts }
        return entry
    }
}
