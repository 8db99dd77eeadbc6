import LinuxFiles

/// What is said of a search, on a connection that is its own by then. Each message is a u32 with the length of what follows, and a byte
/// that says which it is.
public enum SearchWord: UInt8 {
    /// An item's fields.
    case found = 10
    /// A u64: so many items were looked at, and there are more.
    case progress = 11
    /// A u32 with an errno, 0 where all was said; and a sentence: why it failed, or what was not looked into.
    case end = 12
    /// Of a search that goes on: what is there was said, and what comes now are changes of that.
    case gathered = 13
    /// An item's fields: it is another one than it was.
    case changed = 14
    /// An item's fields, as they were.
    case removed = 15
}

extension SearchWord {
    /// A message with it.
    func message(_ fields: [UInt8]) -> [UInt8] {
        let count = UInt32(clamping: fields.count + 1)
        return stride(from: 0, to: 32, by: 8).map { UInt8(truncatingIfNeeded: count >> $0) } + [rawValue] + fields
    }
}

/// The end that says it: in a thread of its own, which may wait for the other side.
public final class SearchAnswer {
    private let socket: LocalSocket
    private var bytes: [UInt8]
    /// The first result goes out at once.
    private var room = 1
    /// Whether anybody still hears it.
    public private(set) var isWanted = true

    private static let longest = 64 * 1024, patience: Int64 = 30_000

    init(_ socket: LocalSocket, after greeting: [UInt8]) {
        self.socket = socket
        bytes = greeting
    }

    public func add(_ word: SearchWord, _ fields: [UInt8]) {
        bytes += word.message(fields)
        guard word != .found || bytes.count >= room else { return }
        room = min(room * 8, Self.longest)
        send()
    }

    public func end(_ errno: Errno?, _ sentence: String = "") {
        let number = UInt32(bitPattern: errno?.rawValue ?? 0)
        add(.end, stride(from: 0, to: 32, by: 8).map { UInt8(truncatingIfNeeded: number >> $0) } + Array(sentence.utf8))
        socket.shutDown()
    }

    /// For one that goes on without a thread of its own.
    func handOver() -> (socket: LocalSocket, unsent: [UInt8]) { (socket, bytes) }

    private func send() {
        var rest = bytes[...]
        while isWanted, !rest.isEmpty {
            do throws(Errno) {
                rest = rest.dropFirst(try socket.send(rest))
                guard !rest.isEmpty else { break }
                var watches = [LocalSocket.Watch(socket, wantsToSend: true)]
                guard try LocalSocket.wait(&watches, milliseconds: Self.patience), watches[0].canSend else {
                    isWanted = false
                    break
                }
            } catch { isWanted = false }
        }
        bytes = []
    }
}

/// The end that hears it.
public enum AskedDrive {
    /// Asks who writes in a container what is there; of a search that goes on, until `heard` says that it is over or the connection ends. False where
    /// nobody does, or they cannot say: then nothing was heard. `heard` answers whether to go on. Who serves the drive and says nothing for `patience`
    /// milliseconds is waited for no longer; of a search that goes on, once it has been greeted, there may be nothing to say for long.
    public static func ask(
        _ request: SearchRequest, _ socket: LocalSocket, patience: Int64 = 60_000, heard: (SearchWord, ArraySlice<UInt8>) -> Bool
    ) throws(Failure) -> Bool {
        guard request.isSayable else { return false }
        let greeting = CoordinationRequest.hello(version: CoordinationProtocol.version).bytes, question = CoordinationRequest.search(request)
        // An older one does not know that a search can go on, so it is asked when it has said its version.
        guard isSent(request.isLive ? greeting : greeting + question.bytes, socket) else { return false }
        defer { socket.shutDown() }
        var input: [UInt8] = [], start = 0, buffer = [UInt8](repeating: 0, count: 64 * 1024), isGreeted = false, hasHeard = false
        while true {
            while let message = next(input, &start) {
                guard isGreeted else {
                    guard case .hello(let version)? = CoordinationAnswer(message), version >= question.version else { return false }
                    if request.isLive, !isSent(question.bytes, socket) { return false }
                    isGreeted = true
                    continue
                }
                guard let word = message.first.flatMap(SearchWord.init) else { return false }
                let fields = message.dropFirst()
                if word == .end {
                    let errno = fields.prefix(4).reversed().reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
                    if errno == 0 {
                        _ = heard(.end, fields.dropFirst(4))
                        return true
                    }
                    if hasHeard { throw Failure(Errno(rawValue: Int32(bitPattern: errno)), String(decoding: fields.dropFirst(4), as: UTF8.self)) }
                    return false
                }
                if word != .progress { hasHeard = true }
                guard heard(word, fields) else { return true }
            }
            input.removeFirst(start)
            start = 0
            guard isGreeted && request.isLive || hasWord(socket, patience) else {
                if hasHeard { throw Failure(.timedOut, "the drive does not answer any more") }
                return false
            }
            let count = (try? socket.receiveWaiting(into: &buffer)) ?? 0
            guard count > 0 else {
                if hasHeard { throw Failure(Errno(rawValue: 104), "the drive has ended meanwhile") }
                return false
            }
            input += buffer[..<count]
        }
    }

    private static func hasWord(_ socket: LocalSocket, _ patience: Int64) -> Bool {
        var watches = [LocalSocket.Watch(socket)]
        return (try? LocalSocket.wait(&watches, milliseconds: patience)) == true
    }

    private static func isSent(_ words: [UInt8], _ socket: LocalSocket) -> Bool { (try? socket.send(words[...])) == words.count }

    private static func next(_ input: [UInt8], _ start: inout Int) -> ArraySlice<UInt8>? {
        guard input.count - start >= 4 else { return nil }
        let length = (0..<4).reversed().reduce(0) { $0 << 8 | Int(input[start + $1]) }
        guard input.count - start - 4 >= length else { return nil }
        defer { start += 4 + length }
        return input[(start + 4)..<(start + 4 + length)]
    }
}

/// What another program looks for in a drive, as it says that: docs/COORDINATION.md.
public struct SearchRequest: Equatable, Sendable {
    public let predicate: [UInt8]
    /// Only what lies in this folder: its names from the top of the documents on, with "/" between them.
    public let folder: [UInt8]
    /// 1: the documents; 2: what lies beside them.
    public let scopes: UInt8
    /// Attributes with commas between them, each with "-" before it where the greatest is first.
    public let sort: [UInt8]
    /// No more results than that.
    public let limit: UInt64
    /// It goes on: after what is there comes each change of that.
    public let isLive: Bool

    public init(predicate: [UInt8], folder: [UInt8], scopes: UInt8, sort: [UInt8], limit: UInt64, isLive: Bool = false) {
        (self.predicate, self.folder, self.scopes, self.sort, self.limit) = (predicate, folder, scopes, sort, limit)
        self.isLive = isLive
    }

    /// Whether it fits into a message.
    var isSayable: Bool { predicate.count + folder.count + sort.count + 64 < CoordinationProtocol.longest }
}
