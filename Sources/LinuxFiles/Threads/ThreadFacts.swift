import Glibc

/// What the kernel says of a thread of another process: who it is for the file system.
public struct ThreadFacts: Equatable, Sendable {
    public let user: UInt32
    public let groups: [UInt32]

    /// nil where there is no such thread, or none that this process can see.
    public init?(of thread: UInt32) {
        guard let page = Self.page(of: thread) else { return nil }
        self.init(page: page)
    }

    /// All that everybody is told of a thread.
    public static func page(of thread: UInt32) -> [UInt8]? {
        guard thread != 0, let file = try? Descriptor.atPath("/proc/\(thread)/status", .read) else { return nil }
        return try? file.readAll(limit: 1 << 20)
    }

    /// The process that a thread is of: the name that its other threads know it by.
    public static func process(page: [UInt8]) -> Int32? {
        let line = page.split(separator: UInt8(ascii: "\n")).first { $0.starts(with: "Tgid:".utf8) }
        return line?.split(separator: UInt8(ascii: "\t")).last.flatMap { Int32(String(decoding: $0, as: UTF8.self)) }
    }

    /// Whether the process of this page has ended with all its threads, and only waits to be asked how.
    public static func hasEnded(page: [UInt8]) -> Bool {
        func value(_ label: String) -> ArraySlice<UInt8>? {
            page.split(separator: UInt8(ascii: "\n")).first { $0.starts(with: label.utf8) }.map { $0.dropFirst(label.utf8.count).drop { $0 == UInt8(ascii: "\t") } }
        }
        guard let state = value("State:")?.first else { return false }
        // Its first thread may end before the others.
        return state == UInt8(ascii: "X") || state == UInt8(ascii: "Z") && value("Threads:").map { Array($0) == Array("1".utf8) } != false
    }

    /// The lines "Uid:" (real, effective, saved, for the file system) and "Groups:".
    public init?(page: [UInt8]) {
        var user: UInt32?
        var groups: [UInt32]?
        for line in page.split(separator: UInt8(ascii: "\n")) {
            let words = line.split { $0 == UInt8(ascii: "\t") || $0 == UInt8(ascii: " ") }
            guard let label = words.first else { continue }
            func numbers() -> [UInt32] { words.dropFirst().compactMap { UInt32(String(decoding: $0, as: UTF8.self)) } }
            if label.elementsEqual("Uid:".utf8) {
                let users = numbers()
                if users.count == 4 { user = users[3] }
            } else if label.elementsEqual("Groups:".utf8) {
                groups = numbers()
            }
        }
        guard let user, let groups else { return nil }
        self.user = user
        self.groups = groups
    }
}
