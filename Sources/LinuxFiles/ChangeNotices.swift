import CLinux
import Glibc

/// A folder whose changes the kernel tells, from `watch` until `unwatch` or until the folder is gone.
public struct WatchID: Hashable, Sendable {
    public let rawValue: Int32
    public init(rawValue: Int32) { self.rawValue = rawValue }
}

/// One change in a watched folder.
public struct ChangeNotice: Sendable {
    public let watch: WatchID
    /// The entry that it is about; nil where it is about the folder itself.
    public let name: Name?
    public let news: News
    /// The same number where an entry has left a folder and where it has arrived; else 0.
    public let move: UInt32

    public struct News: OptionSet, Sendable {
        public let rawValue: UInt32
        public init(rawValue: UInt32) { self.rawValue = rawValue }

        public static let content = News(rawValue: UInt32(IN_MODIFY))
        public static let attributes = News(rawValue: UInt32(IN_ATTRIB))
        /// Somebody who could write to it has closed it.
        public static let closed = News(rawValue: UInt32(IN_CLOSE_WRITE))
        public static let created = News(rawValue: UInt32(IN_CREATE))
        public static let arrived = News(rawValue: UInt32(IN_MOVED_TO))
        public static let gone = News(rawValue: UInt32(IN_DELETE | IN_MOVED_FROM))
        public static let left = News(rawValue: UInt32(IN_MOVED_FROM))
        /// The entry is a folder.
        public static let ofFolder = News(rawValue: UInt32(IN_ISDIR))
        /// The folder is not watched any more.
        public static let ended = News(rawValue: UInt32(IN_IGNORED))
        /// There was more than the kernel keeps: nobody knows what. Its `watch` is none.
        public static let lost = News(rawValue: UInt32(IN_Q_OVERFLOW))
    }
}

/// What other programs change in folders, told by the kernel (inotify).
///
/// Any user may have it, and it is told of what is asked for only. The alternative for root, fanotify with a mark on the file
/// system, costs as much an event, and would bring those of everybody else's files on that file system too.
public final class ChangeNotices: Sendable {
    private let queue: Descriptor
    /// A count that ends a wait.
    private let bell: Descriptor

    public convenience init() throws(Errno) {
        self.init(queue: Descriptor(adopting: try retrying { inotify_init1(Int32(IN_CLOEXEC | IN_NONBLOCK)) }), bell: try Self.newBell())
    }

    /// Also for a user who has as many as the system allows (`fs.inotify.max_user_instances`): then nothing is ever told, each
    /// `watch` is refused, and a wait ends by `wake` or by its time.
    public static func orNone() throws(Errno) -> ChangeNotices {
        do throws(Errno) { return try ChangeNotices() } catch { return ChangeNotices(queue: try newBell(), bell: try newBell()) }
    }

    private init(queue: consuming Descriptor, bell: consuming Descriptor) {
        self.queue = queue
        self.bell = bell
    }

    private static func newBell() throws(Errno) -> Descriptor { Descriptor(adopting: try retrying { CLinux_eventfd() }) }

    /// Watches an open folder, a place too. Watching a folder again answers the same. Throws `.noSpace` when there are as many
    /// watches as the system allows.
    public func watch(_ folder: borrowing Descriptor) throws(Errno) -> WatchID {
        let raw = folder.rawValue
        return WatchID(rawValue: try retrying { unsafe CLinux_watch(queue.rawValue, raw, ".", Self.asked) })
    }

    /// Watches a folder in an open folder. Throws `.notDirectory` for anything else.
    public func watch(_ name: Name, in folder: borrowing Descriptor) throws(Errno) -> WatchID {
        let raw = folder.rawValue
        return WatchID(rawValue: try unsafe name.withCString { (text) throws(Errno) in
            try retrying { unsafe CLinux_watch(queue.rawValue, raw, text, Self.asked) }
        })
    }

    /// Watching many names in a folder costs less in here.
    public static func watchingMany<Value>(in folder: borrowing Descriptor, _ body: () -> Value) -> Value {
        CLinux_stand(folder.rawValue)
        defer { CLinux_stand_nowhere() }
        return body()
    }

    private static let asked = UInt32(
        IN_MODIFY | IN_ATTRIB | IN_CLOSE_WRITE | IN_CREATE | IN_DELETE | IN_MOVED_FROM | IN_MOVED_TO | IN_ONLYDIR | IN_DONT_FOLLOW)

    public func unwatch(_ watch: WatchID) { _ = inotify_rm_watch(queue.rawValue, watch.rawValue) }

    /// Waits until there is something to take, until `wake`, or until the time is over.
    public func wait(milliseconds: Int64?) {
        var asked = [queue.rawValue, bell.rawValue].map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
        // SAFETY: poll reads and writes the structs of the array. An interrupted wait is a short one.
        _ = unsafe poll(&asked, nfds_t(asked.count), milliseconds.map { Int32(clamping: $0) } ?? -1)
        _ = try? bell.readSome(count: 8)
    }

    /// Ends a wait, also the next one.
    public func wake() {
        var one: UInt64 = 1
        // SAFETY: writes the eight bytes of the number. A count that is full has rung already.
        _ = unsafe Glibc.write(bell.rawValue, &one, 8)
    }

    /// All that the kernel has to tell now, in order. What comes while it is taken is left for the next time: whoever changes
    /// things faster than they are taken would have this go on for ever.
    public func take() -> [ChangeNotice] {
        var notices: [ChangeNotice] = []
        var left = (try? queue.readableBytes()) ?? 0
        while left > 0, let bytes = try? queue.readSome(count: 64 * 1024), !bytes.isEmpty {
            Self.parse(bytes, into: &notices)
            left -= bytes.count
        }
        return notices
    }

    /// Records: i32 watch, u32 news, u32 move, u32 length, then so many bytes with a name that ends at a NUL.
    private static func parse(_ bytes: [UInt8], into notices: inout [ChangeNotice]) {
        func number(at place: Int) -> UInt32 { (0..<4).reversed().reduce(0) { $0 << 8 | UInt32(bytes[place + $1]) } }
        var start = 0
        while start + 16 <= bytes.count {
            let end = min(start + 16 + Int(number(at: start + 12)), bytes.count)
            let name = Name(bytes[(start + 16)..<end].prefix { $0 != 0 })
            notices.append(ChangeNotice(
                watch: WatchID(rawValue: Int32(bitPattern: number(at: start))), name: name,
                news: ChangeNotice.News(rawValue: number(at: start + 4)), move: number(at: start + 8)))
            start = end
        }
    }
}
