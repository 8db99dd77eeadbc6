import DocumentKit
import Foundation

// DocumentSpeed WHAT …: how long something takes, in seconds, printed. For Benchmarks/documentkit.py, which says what.

let words = Array(CommandLine.arguments.dropFirst())
func word(_ index: Int) -> String {
    guard words.indices.contains(index) else { exit(2) }
    return words[index]
}

KeyedArchiver.setClassName("Bookmark", for: Bookmark.self)
KeyedUnarchiver.setClass(Bookmark.self, forClassName: "Bookmark")
for name in ["PhotoData", "PhotoMetadata", "PhotoKeeper.PhotoData", "PhotoKeeper.PhotoMetadata"] { KeyedUnarchiver.setClass(PhotoPart.self, forClassName: name) }

let clock = ContinuousClock()
func seconds(_ body: () throws -> Void) rethrows -> Double { try clock.measure(body) / .seconds(1) }

/// Opens, looks at and closes all documents of a folder, so many at a time.
@MainActor final class Opening {
    private let urls: [URL], document: (URL) -> any Looked
    private var next = 0, seen = 0

    init(_ folder: String, _ document: @escaping (URL) -> any Looked) throws {
        urls = try FileManager.default.contentsOfDirectory(atPath: folder).filter { !$0.hasPrefix(".") }.sorted().map { URL(fileURLWithPath: folder + "/" + $0, isDirectory: false) }
        self.document = document
    }

    private func chain() async {
        while next < urls.count {
            let document = document(urls[next])
            next += 1
            guard await document.open(), document.size > 0, await document.close() else { continue }
            seen += 1
        }
    }

    func run(inFlight: Int) async {
        let begin = clock.now
        await withTaskGroup(of: Void.self) { group in for _ in 0..<inFlight { group.addTask { await self.chain() } } }
        print((clock.now - begin) / .seconds(1), seen)
    }
}

/// An archiver and an unarchiver against Foundation's, round by round in turn.
func archive<Value: NSObject & NSCoding>(_ values: [Value], rounds: Int) throws {
    for _ in 0..<rounds {
        var ours: [Data] = [], theirs: [Data] = []
        let writing = try seconds { ours = try values.map { try KeyedArchiver.archivedData(withRootObject: $0, requiringSecureCoding: false) } }
        let writingTheirs = try seconds { theirs = try values.map { try NSKeyedArchiver.archivedData(withRootObject: $0, requiringSecureCoding: false) } }
        func read<Coder: NSCoder>(_ data: [Data], _ coder: (Data) throws -> Coder) rethrows -> Double {
            try seconds { for data in data { guard try coder(data).decodeObject(forKey: "root") is Value else { exit(1) } } }
        }
        let reading = try read(ours) { data in
            let coder = try KeyedUnarchiver(forReadingFrom: data)
            coder.requiresSecureCoding = false
            return coder
        }
        let readingTheirs = try read(theirs) { data in
            let coder = try NSKeyedUnarchiver(forReadingFrom: data)
            coder.requiresSecureCoding = false
            return coder
        }
        print(writing, writingTheirs, reading, readingTheirs)
    }
}

/// With LOOP=… the main thread serves the main queue in that way, and not as an async main function does.
@MainActor func served(_ opening: Opening) async {
    let count = Int(word(2)) ?? 1
    guard let loop = ProcessInfo.processInfo.environment["LOOP"] else { return await opening.run(inFlight: count) }
    Task {
        await opening.run(inFlight: count)
        exit(0)
    }
    serve(by: loop)
}

func serve(by loop: String) {
    switch loop {
    case "dispatch": dispatchMain()
    case "runloop": RunLoop.main.run()
    default:
        // As a source of GLib's loop does. What is not read there is told again and again.
        var count: UInt64 = 0
        while true {
            var asked = pollfd(fd: mainQueueHandle(), events: Int16(POLLIN), revents: 0)
            guard poll(&asked, 1, -1) > 0, read(asked.fd, &count, 8) == 8 else { continue }
            mainQueueCallback(nil)
        }
    }
}

@_silgen_name("_dispatch_get_main_queue_handle_4CF") func mainQueueHandle() -> Int32
@_silgen_name("_dispatch_main_queue_callback_4CF") func mainQueueCallback(_ nothing: UnsafeMutableRawPointer?)

switch word(0) {
case "bookmarks": try await served(Opening(word(1)) { BookmarkDocument(fileURL: $0) })
case "photos": try await served(Opening(word(1)) { PhotoDocument(fileURL: $0) })
case "archived-photo": try archive([PhotoPart(image: Data((0..<5_000_000).map { UInt8(truncatingIfNeeded: $0 &* 2_654_435_761 >> 7) }))], rounds: Int(word(1)) ?? 1)
case "archived-bookmarks":
    try archive((0..<10_000).map { Bookmark(name: "Bookmark \($0)", url: "https://www.example.com/\($0)") }, rounds: Int(word(1)) ?? 1)
case "fill":
    let store = NSUbiquitousKeyValueStore.default
    for number in 0..<1_024 { store.set("the value of key \(number)", forKey: "key \(number)") }
    print(store.synchronize())
case "settings":
    // The app's own container is in its environment.
    let spent = seconds { if NSUbiquitousKeyValueStore.default.string(forKey: "key 1023") == nil { exit(1) } }
    print(spent, NSUbiquitousKeyValueStore.default.dictionaryRepresentation.count)
case "set":
    NSUbiquitousKeyValueStore.default.set(words[2], forKey: words[1])
    print(NSUbiquitousKeyValueStore.default.synchronize())
case "present":
    // Until its input ends.
    let note = NoteDocument(fileURL: URL(fileURLWithPath: word(1), isDirectory: false))
    guard await note.open() else { exit(1) }
    if word(2) == "edited" {
        note.isAlwaysEdited = true
        note.edit()
    }
    print("open")
    fflush(nil)
    await withCheckedContinuation { waiting in DispatchQueue.global().async { _ = readLine(); waiting.resume() } }
    exit(0)
case "read":
    let url = URL(fileURLWithPath: word(1), isDirectory: false), coordinator = NSFileCoordinator(filePresenter: nil)
    let spent = (0..<(Int(word(2)) ?? 1)).map { _ in
        seconds {
            var count = 0
            coordinator.coordinate(readingItemAt: url, error: nil) { count = (try? Data(contentsOf: $0))?.count ?? 0 }
            if count == 0 { exit(1) }
        }
    }
    print(spent.sorted()[spent.count / 2], spent.max() ?? 0)
default: exit(2)
}
