import Glibc
import LinuxFiles
import Transactions

/// `.valise/undo/<time>`: what one repair moved away or replaced, and the manifest by which it is taken back.
///
/// A line is on the store before the step that it tells of, and each step is one rename. So after a crash at any
/// instant the manifest says at most too much, which taking back sees for itself.
package final class UndoFolder: Sendable {
    /// What a repair did, in the words of the manifest. Places are names from the container's folder on.
    package enum Line: Hashable {
        /// The place's item lies here under the number.
        case aside(Int, [Name])
        /// What was at the place lies here under the number; the repair's own file there has this inode.
        case replaced(Int, [Name], inode: UInt64)
        /// The repair made a file there, with this inode, where none was.
        case added([Name], inode: UInt64)
    }

    package static let undoName = Name(constant: "undo"), manifestName = Name(constant: "manifest")
    /// What a manifest is called when all of it was taken back.
    package static let doneName = Name(constant: "manifest.undone")
    private static let head = "valise undo 1"
    package static let limit = 64 << 20

    package let name: Name
    package let folder: OpenFile
    private let manifest: OpenFile

    /// A new one, named for the time.
    package init(in container: Container) throws(Errno) {
        let all: OpenFile
        do throws(StateFault) { all = try container.state.madeFolder(Self.undoName, in: try container.state.made()) } catch { throw error.errno }
        name = try Self.makeFolder(in: all.descriptor)
        folder = OpenFile(try all.descriptor.open(name, [.path, .folder]))
        manifest = OpenFile(try folder.descriptor.open(Self.manifestName, [.readWrite, .create, .exclusive], mode: 0o600))
        try manifest.descriptor.write(Array((Self.head + "\n").utf8), at: 0)
        try manifest.descriptor.synchronize()
        try folder.descriptor.reopened([.read, .folder]).synchronize()
    }

    /// A folder that is called for the time.
    static func makeFolder(in all: borrowing Descriptor) throws(Errno) -> Name {
        let time = Self.timeText(Timestamp.now.seconds)
        for number in 1..<1000 {
            guard let name = Name(number == 1 ? time : "\(time)-\(number)") else { break }
            do throws(Errno) {
                try all.makeFolder(name, mode: 0o700)
                return name
            } catch { if error != .exists { throw error } }
        }
        throw .exists
    }

    /// "2026-03-01T090500Z", so that names sort as times do.
    private static func timeText(_ seconds: Int64) -> String {
        var time = time_t(seconds), parts = unsafe tm()
        // SAFETY: gmtime_r reads the one and fills the other, of which only the numbers are used.
        _ = unsafe gmtime_r(&time, &parts)
        let (year, month, day) = unsafe (parts.tm_year + 1900, parts.tm_mon + 1, parts.tm_mday)
        let (hour, minute, second) = unsafe (parts.tm_hour, parts.tm_min, parts.tm_sec)
        func digits(_ number: Int32, _ count: Int) -> String {
            let text = String(number)
            return String(repeating: "0", count: max(0, count - text.count)) + text
        }
        return "\(digits(year, 4))-\(digits(month, 2))-\(digits(day, 2))T\(digits(hour, 2))\(digits(minute, 2))\(digits(second, 2))Z"
    }

    package static func numbered(_ number: Int) -> Name { Name("\(number)") ?? undoName }

    package func write(_ line: Line) throws(Errno) {
        try manifest.descriptor.write(Array((line.text + "\n").utf8), at: try manifest.descriptor.status().size)
        try manifest.descriptor.synchronize(dataOnly: true)
    }

    /// What a manifest says, nil where it is none of this version. A last line without its end was never acted upon.
    package static func lines(of bytes: [UInt8]) -> [Line]? {
        let lines = Journal.lines(of: bytes)
        guard lines.first.map({ $0 == head }) ?? false else { return nil }
        var understood: [Line] = []
        for line in lines.dropFirst() {
            guard let line = Line(line) else { return nil }
            understood.append(line)
        }
        return understood
    }
}

extension UndoFolder.Line {
    var text: String {
        switch self {
        case .aside(let number, let place): "aside \(number) \(Self.text(place))"
        case .replaced(let number, let place, let inode): "replaced \(number) \(Self.text(place)) \(inode)"
        case .added(let place, let inode): "added \(Self.text(place)) \(inode)"
        }
    }

    init?(_ line: Substring) {
        let words = line.split(separator: " ")
        switch (words.first, words.count) {
        case ("aside", 3):
            guard let number = Int(words[1]), let place = Self.place(words[2]) else { return nil }
            self = .aside(number, place)
        case ("replaced", 4):
            guard let number = Int(words[1]), let place = Self.place(words[2]), let inode = UInt64(words[3]) else { return nil }
            self = .replaced(number, place, inode: inode)
        case ("added", 3):
            guard let place = Self.place(words[1]), let inode = UInt64(words[2]) else { return nil }
            self = .added(place, inode: inode)
        default: return nil
        }
    }

    private static func text(_ place: [Name]) -> String { place.map(Place.escaped).joined(separator: "/") }

    private static func place(_ text: Substring) -> [Name]? {
        let names = text.split(separator: "/", omittingEmptySubsequences: false).map { Place.unescaped($0.utf8) }
        let whole = names.compactMap { $0 }
        return whole.count == names.count && !whole.isEmpty ? whole : nil
    }
}
