import Containers
import Foundation
import LinuxFiles
import MountTesting
import Synchronization
import Testing

@testable import Coordination

/// An app with a document open, in this process.
final class App: FilePresenter {
    let events = Record<PresenterEvent>()
    let purposes = Record<ClaimPurpose>()
    private let coordinator: FileCoordinator
    private let presented = Mutex<FilePresentation?>(nil)
    private let unsaved = Mutex<String?>(nil)
    private let answers: Bool

    init(_ coordinator: FileCoordinator, _ item: String, answers: Bool = true) throws {
        self.coordinator = coordinator
        self.answers = answers
        let presentation = try coordinator.present(item, by: self)
        presented.withLock { $0 = presentation }
    }

    var presentation: FilePresentation? { presented.withLock { $0 } }

    func edit(_ text: String) { unsaved.withLock { $0 = text } }

    func save() throws {
        guard let text = unsaved.withLock({ $0 }), let presentation, let path = presentation.path else { return }
        try FileCoordinator(as: presentation).coordinate(writing: path.description, timeout: .seconds(60)) { item in
            try Data(text.utf8).write(to: URL(fileURLWithPath: item.place))
        }
        unsaved.withLock { $0 = nil }
    }

    func presentedItemIsWanted(_ question: PresenterQuestion, done: @escaping @Sendable (Errno?) -> Void) {
        purposes.add(question.purpose)
        guard answers else { return }
        if question.wantsSaving { try? save() }
        done(nil)
    }

    func presentedItem(_ event: PresenterEvent) { events.add(event) }

    var told: [PresenterEvent] { events.events.filter { if case .over = $0 { false } else { true } } }
    var ended: Int { events.events.count - told.count }
}

func path(_ text: String) throws -> ItemPath { try #require(ItemPath(text: text)) }

private func text(_ path: String) throws -> String { try String(contentsOfFile: path, encoding: .utf8) }

@Suite(.waiting, .timeLimit(.minutes(40))) struct PresenterTests {
    private func questions(_ coordinator: FileCoordinator) -> Int? { coordinator.desk.withLock { $0.server?.questions } }

    @Test func whoReadsGetsWhatWasNotSaved() throws {
        let container = try ClaimContainer()
        try Data("old".utf8).write(to: URL(fileURLWithPath: container.path + "/a"))
        let coordinator = try FileCoordinator(container.path), other = try FileCoordinator(container.path)
        let app = try App(coordinator, "a")
        app.edit("new")
        #expect(try other.coordinate(reading: "a", for: .readingUnsaved) { try text($0.place) } == "old")
        #expect(try other.coordinate(reading: "a") { try text($0.place) } == "new")
        app.edit("newer")
        #expect(try other.coordinate(writing: "a") { try text($0.place) } == "newer")
        #expect(app.purposes.events == [.readingUnsaved, .reading, .writing])
        #expect(eventually { app.ended == 3 })
        // By whoever wrote, and not by itself.
        #expect(eventually { (try? app.told == [.changed(path("a"))]) == true })
    }

    /// Nobody is asked for what nobody has open, nor by oneself.
    @Test func nobodyIsAskedInVain() throws {
        let container = try ClaimContainer()
        let coordinator = try FileCoordinator(container.path), other = try FileCoordinator(container.path)
        let app = try App(coordinator, "f/a")
        for number in 0..<100 {
            try other.coordinate(writing: "f/b \(number)") { _ in }
            try other.coordinate(reading: "f") { _ in }
        }
        try FileCoordinator(as: try #require(app.presentation)).coordinate(writing: "f/a") { _ in }
        #expect(questions(coordinator) == 0)
        // All that is in a folder, though.
        try other.coordinate(reading: "f", for: .readingAll) { _ in }
        #expect(questions(coordinator) == 1)
        app.presentation?.withdraw()
        #expect(eventually { coordinator.desk.withLock { $0.server?.presentedItems } == 0 })
        try other.coordinate(writing: "f/a") { _ in }
        #expect(questions(coordinator) == 1 && app.told.isEmpty)
    }

    @Test func whatHappensIsTold() throws {
        let container = try ClaimContainer()
        for folder in ["f", "g"] { try FileManager.default.createDirectory(atPath: container.path + "/" + folder, withIntermediateDirectories: false) }
        try Data("text".utf8).write(to: URL(fileURLWithPath: container.path + "/f/a"))
        let coordinator = try FileCoordinator(container.path), other = try FileCoordinator(container.path)
        let app = try App(coordinator, "f/a"), folder = try App(coordinator, "f")
        try other.coordinate(writing: "f/a", for: .moving, writing: "g/b", for: .replacing) { old, new in
            try FileManager.default.moveItem(atPath: old.place, toPath: new.place)
            old.didMove(to: "g/b")
        }
        // It has moved, and is not another one besides.
        #expect(eventually { (try? app.told == [.moved(path("f/a"), to: path("g/b"))]) == true }, "\(app.told)")
        #expect(app.presentation?.path?.description == "g/b")
        try other.coordinate(writing: "g/b", for: .deleting) { item in try FileManager.default.removeItem(atPath: item.place) }
        #expect(eventually { (try? app.told == [.moved(path("f/a"), to: path("g/b")), .deleted(path("g/b"))]) == true }, "\(app.told)")
        #expect(folder.told.first == .moved(try path("f/a"), to: try path("g/b")) && folder.presentation?.path?.description == "f")
        #expect(app.purposes.events == [.moving, .deleting])
    }

    /// Two wait for it at once, and a third has it: what it saves comes before the two, and after the third.
    @Test func savesComeBeforeThoseWhoWait() throws {
        let container = try ClaimContainer()
        try Data("old".utf8).write(to: URL(fileURLWithPath: container.path + "/a"))
        let coordinator = try FileCoordinator(container.path), other = try FileCoordinator(container.path)
        let app = try App(coordinator, "a")
        let isIn = Signal(), mayEnd = Signal()
        let reading = OnThread {
            try? other.coordinate(reading: "a") { item in
                isIn.give()
                _ = mayEnd.wait()
                return try text(item.place)
            }
        }
        #expect(isIn.wait())
        app.edit("new")
        let two = (0..<2).map { _ in OnThread { try? other.coordinate(reading: "a") { try text($0.place) } } }
        #expect(eventually { app.purposes.events.count >= 2 })
        mayEnd.give()
        #expect(reading.value == "old")
        for reading in two { #expect(reading.value == "new") }
        #expect(coordinator.desk.withLock { $0.server?.unanswered } == 0)
    }

    @Test func whoDoesNotAnswerIsPassedOver() throws {
        let container = try ClaimContainer(), opened = try Container.open(container.path, access: .readWrite, creating: [], kinds: .shipped)
        let lock = try ContainerLock.take(in: opened, purpose: "serving")
        let server = try CoordinationServer(opened, lock: lock, presenter: nil, PresenterQuestions.Patience(answer: 30))
        let coordinator = try FileCoordinator(container.path)
        let app = try App(coordinator, "a", answers: false)
        #expect(try coordinator.coordinate(writing: "a", timeout: .seconds(60)) { _ in true })
        #expect(server.unanswered == 1)
        #expect(eventually { app.purposes.events.count == 1 })
        #expect(server.lastPassedOver?.contains("did not let go of “a”") == true)
        // The process that serves is not kept, either; and it does not ask itself.
        server.askPresenters(of: [try path("a")], for: .reading) { nil }?.end()
        // Who did not answer once is not asked each time, so nobody else waits.
        #expect(server.unanswered == 1 && server.questions == 1)
        server.askPresenters(of: [try path("a")], for: .reading) { getpid() }?.end()
        server.askPresenters(of: [try path("b")], for: .reading) { nil }?.end()
        #expect(server.questions == 1)
        server.stop(waiting: 0)
        server.askPresenters(of: [try path("a")], for: .reading) { nil }?.end()
    }

    /// A drive makes no claim: those whom it asked hear that it is done all the same, also where it forgets that or ends.
    @Test func whoIsAskedWithoutAClaimHearsThatItIsOver() throws {
        let container = try ClaimContainer(), opened = try Container.open(container.path, access: .readWrite, creating: [], kinds: .shipped)
        let server = try CoordinationServer(opened, lock: try ContainerLock.take(in: opened, purpose: "serving"))
        let app = try App(try FileCoordinator(container.path), "a")
        let use = try #require(server.askPresenters(of: [try path("a")], for: .writing) { nil })
        #expect(app.purposes.events == [.writing] && app.ended == 0)
        use.end()
        #expect(eventually { app.ended == 1 })
        use.end()
        _ = server.askPresenters(of: [try path("a"), try path("b")], for: .moving) { nil }
        #expect(eventually { app.ended == 2 })
        let last = try #require(server.askPresenters(of: [try path("a")], for: .writing) { nil })
        server.stop(waiting: 0)
        #expect(eventually { app.ended == 3 })
        last.end()
    }

    /// Whoever serves and hangs up each time is not asked for ever, nor all the time.
    @Test func connectingIsGivenUp() {
        var waits = ReconnectionWaits(), all: [UInt32] = [], now: Int64 = 10_000
        while let next = waits.next(at: now), all.count < 10_000 {
            all.append(next)
            now += Int64(next) + 1
        }
        #expect(all.count == waits.most && all.first == 2 && all.last == 250 && all == all.sorted())
        #expect(all.count { $0 < 250 } < 60)
        // One that served for a while was no such one.
        #expect(waits.next(at: now) == nil && waits.next(at: now + 5000) == 2)
    }

    @Test func whoHangsUpIsNotAskedForEver() throws {
        let container = try ClaimContainer(), coordinator = try FileCoordinator(container.path, ReconnectionWaits(most: 60, quick: 59))
        // There is a state folder, and nobody serves.
        do {
            let first = try FileCoordinator(container.path)
            try first.coordinate(reading: "x") { _ in }
        }
        let state = try Descriptor.atPath(container.path + "/.valise", [.path, .folder])
        try? state.unlink(ContainerLock.socketName)
        let listening = try LocalSocket.listening(in: state, as: ContainerLock.socketName), connections = Record<Int>(), over = Record<Bool>()
        withExtendedLifetime(listening) {
            let server = OnThread {
                while over.events.isEmpty {
                    guard (try? listening.accept()) ?? nil != nil else {
                        usleep(200)
                        continue
                    }
                    connections.add(1)
                }
                return true
            }
            #expect(throws: Failure.self) { try coordinator.coordinate(writing: "a") { _ in } }
            over.add(true)
            #expect(server.value == true)
        }
        #expect(connections.events.count == 61)
    }

    // MARK: Other processes

    private func awaitLine(_ line: String, of program: Program) { #expect(eventually { program.output.split(separator: "\n").contains { $0 == line } }, "\(line): \(program.output)") }

    @Test func anotherProcessIsAsked() throws {
        let container = try ClaimContainer()
        let coordinator = try FileCoordinator(container.path)
        try coordinator.coordinate(reading: "x") { _ in }
        let editor = try container.start("present", "a", "written")
        awaitLine("presented", of: editor)
        #expect(try coordinator.coordinate(reading: "a") { try text($0.place) } == "written")
        awaitLine("over", of: editor)
        editor.end()
        #expect(try coordinator.coordinate(writing: "a", timeout: .seconds(60)) { _ in true })
    }

    /// One that is stopped holds up nobody, and is asked again when it goes on.
    @Test func whoIsStoppedIsPassedOver() throws {
        let container = try ClaimContainer()
        let coordinator = try FileCoordinator(container.path)
        try coordinator.coordinate(writing: "a") { item in try Data("old".utf8).write(to: URL(fileURLWithPath: item.place)) }
        let editor = try container.start("present", "a", "written")
        awaitLine("presented", of: editor)
        kill(editor.process, SIGSTOP)
        for _ in 0..<3 { #expect(try coordinator.coordinate(reading: "a", timeout: .seconds(60)) { try text($0.place) } == "old") }
        let server = try #require(coordinator.desk.withLock { $0.server })
        // Waited for once, and not again.
        #expect(server.unanswered == 1 && server.questions == 1)
        #expect(server.lastPassedOver?.contains("does not answer") == true)
        kill(editor.process, SIGCONT)
        // It saves what it was asked for, late. Its word that it is there may come after a claim.
        #expect(eventually { (try? coordinator.coordinate(reading: "a", timeout: .seconds(60)) { try text($0.place) }) == "written" })
        editor.end()
    }

    /// Whoever dies while it is asked is not waited for.
    @Test func whoDiesIsNotWaitedFor() throws {
        let container = try ClaimContainer()
        let coordinator = try FileCoordinator(container.path)
        try coordinator.coordinate(reading: "x") { _ in }
        for _ in 0..<5 {
            let editor = try container.start("present", "a", "written")
            awaitLine("presented", of: editor)
            let reader = OnThread { (try? coordinator.coordinate(reading: "a", timeout: .seconds(60)) { _ in true }) ?? false }
            editor.end()
            #expect(reader.value == true)
        }
    }

    /// Whoever served dies: what is presented is presented to the next one.
    @Test func presentersOutliveWhoServes() throws {
        let container = try ClaimContainer()
        let server = try container.start("present", "b", "b")
        awaitLine("presented", of: server)
        let coordinator = try FileCoordinator(container.path)
        let app = try App(coordinator, "a")
        #expect(coordinator.desk.withLock { $0.server == nil })
        server.end()
        // It may have missed something.
        #expect(eventually { (try? app.told.contains(.changed(path("a")))) == true })
        app.edit("new")
        let other = try FileCoordinator(container.path)
        #expect(try other.coordinate(reading: "a") { try text($0.place) } == "new")
    }
}

/// Those who do not speak Swift, or not the newest version.
@Suite(.waiting, .timeLimit(.minutes(40))) struct ProtocolTests {
    /// The client that the page shows.
    private func client() throws -> String {
        let page = try text(Places.inPackage("docs/COORDINATION.md"))
        let start = try #require(page.range(of: "```python\n")), end = try #require(page.range(of: "\n```", range: start.upperBound..<page.endIndex))
        let program = page[start.upperBound..<end.lowerBound]
        #expect(program.split(separator: "\n", omittingEmptySubsequences: false).count <= 60)
        return String(program)
    }

    @Test func thePagesClientWorks() throws {
        let container = try ClaimContainer(), coordinator = try FileCoordinator(container.path)
        try coordinator.coordinate(writing: "a") { item in try Data("old".utf8).write(to: URL(fileURLWithPath: item.place)) }
        let client = try client()
        func start(_ words: String...) throws -> Program { try Program(["/usr/bin/python3", "-c", client, container.path] + words) }
        let editor = try start("present", "a", "typed")
        #expect(eventually { editor.output == "presented 0\n" }, "\(editor.output) \(editor.errors)")
        // A reader in Python, then one in Swift, and a change that it hears of.
        #expect(try start("read", "a").wait().good().output == "typed\n")
        #expect(try coordinator.coordinate(reading: "a") { try text($0.place) } == "typed")
        try coordinator.coordinate(writing: "a") { item in try Data("new".utf8).write(to: URL(fileURLWithPath: item.place)) }
        #expect(eventually { editor.output == "presented 0\ntold 0 a\n" }, "\(editor.output) \(editor.errors)")
        let app = try App(coordinator, "a")
        app.edit("newer")
        #expect(try start("read", "a").wait().good().output == "newer\n")
        editor.end()
    }

    /// There is room for so many connections: those that say nothing keep no program out.
    @Test func aConnectionWithoutAWordIsClosed() throws {
        let container = try ClaimContainer(), opened = try Container.open(container.path, access: .readWrite, creating: [], kinds: .shipped)
        let lock = try ContainerLock.take(in: opened, purpose: "serving")
        let server = try CoordinationServer(opened, lock: lock, presenter: nil, PresenterQuestions.Patience(greeting: 300))
        defer { server.stop(waiting: 0) }
        let state = try Descriptor.atPath(container.path + "/.valise", [.path, .folder])
        var silent: [LocalSocket] = []
        for _ in 0..<256 {
            #expect(eventually {
                guard let socket = try? LocalSocket.connected(in: state, to: ContainerLock.socketName) else { return false }
                silent.append(socket)
                return true
            })
        }
        let coordinator = try FileCoordinator(container.path)
        #expect(try coordinator.coordinate(writing: "a", timeout: .seconds(60)) { _ in true })
        // One that has greeted may say nothing more for as long as it likes.
        #expect(eventually { server.programs == 1 })
        withExtendedLifetime(silent) {}
    }

    /// Who waits asks after a silence, and is told whose claims those are.
    @Test func whoHasWhatIsWaitedForIsSaid() throws {
        let container = try ClaimContainer(), coordinator = try FileCoordinator(container.path)
        try coordinator.coordinate(writing: "a") { _ in
            let state = try Descriptor.atPath(container.path + "/.valise", [.path, .folder])
            let socket = try LocalSocket.connected(in: state, to: ContainerLock.socketName)
            let item = ClaimedItem(try path("a"), .reading), other = ClaimedItem(try path("b"), .reading)
            let words: [CoordinationRequest] = [
                .hello(version: CoordinationProtocol.version), .claim(1, [item], throughDrive: false), .claim(2, [other], throughDrive: false), .holders(1), .holders(2), .holders(3),
            ]
            _ = try socket.send(words.flatMap(\.bytes)[...])
            var input = MessageBuffer(), buffer = [UInt8](repeating: 0, count: 4096), answers: [CoordinationAnswer] = []
            #expect(eventually {
                if let count = (try? socket.receive(into: &buffer)) ?? nil { input.add(buffer[..<count]) }
                while case .message(let message) = input.next(), let answer = CoordinationAnswer(message) { answers.append(answer) }
                return answers.count >= 3
            })
            #expect(answers == [.hello(version: CoordinationProtocol.version), .granted(2, []), .held(1, by: [getpid()])])
        }
        #expect(CoordinationRequest(CoordinationRequest.holders(7).bytes[4...]) == .holders(7) && CoordinationRequest.holders(7).version == 7)
        #expect(CoordinationAnswer([16, 1, 0, 0, 0, 9]) == nil && CoordinationAnswer([16, 1, 0, 0, 0, 1, 2, 0]) == nil)
    }

    /// What it says of itself is kept to.
    @Test func theFirstVersionGoesOn() throws {
        let container = try ClaimContainer(), coordinator = try FileCoordinator(container.path)
        let app = try App(coordinator, "a")
        app.edit("new")
        let state = try Descriptor.atPath(container.path + "/.valise", [.path, .folder])
        func answers(to words: [UInt8], _ count: Int) throws -> [CoordinationAnswer] {
            let socket = try LocalSocket.connected(in: state, to: ContainerLock.socketName)
            #expect(try socket.send(words[...]) == words.count)
            var input = MessageBuffer(), buffer = [UInt8](repeating: 0, count: 4096), answers: [CoordinationAnswer] = []
            while answers.count < count {
                var watches = [LocalSocket.Watch(socket)]
                guard try LocalSocket.wait(&watches, milliseconds: 60_000), let count = try? socket.receive(into: &buffer), count > 0 else { break }
                input.add(buffer[..<count])
                while case .message(let message) = input.next() { answers.append(try #require(CoordinationAnswer(message))) }
            }
            return answers
        }
        let hello = CoordinationRequest.hello(version: 1).bytes, item = ClaimedItem(try path("a"), .reading)
        #expect(try answers(to: hello + CoordinationRequest.claim(7, [item], throughDrive: false).bytes, 2) == [.hello(version: 1), .granted(7, [])])
        #expect(try text(container.path + "/a") == "new")
        // It cannot say what its version does not have.
        for later in [
            CoordinationRequest.present(1, name: 1, try path("a")), .claim(1, [item], throughDrive: false, presenter: 1), .answer(question: 1, nil), .here,
        ] { #expect(try answers(to: hello + later.bytes, 2).count <= 1) }
        // The next one is answered as the newest that there is.
        #expect(try answers(to: CoordinationRequest.hello(version: 9).bytes, 1) == [.hello(version: CoordinationProtocol.version)])
        // What has left is gone for who knows no more.
        let notes = try path("Notes.stedoc"), left = CoordinationAnswer.left(1, notes, to: "/elsewhere/Notes.stedoc")
        #expect(left.told(in: 5) == .event(1, .deleted, notes, to: nil) && left.told(in: 6) == left)
        #expect(CoordinationAnswer(left.bytes[4...]) == left)
        #expect(CoordinationAnswer(CoordinationAnswer.left(1, notes, to: "elsewhere").bytes[4...]) == nil)
        let request = CoordinationRequest.left(1, from: notes, to: "/elsewhere/Notes.stedoc")
        #expect(CoordinationRequest(request.bytes[4...]) == request && request.version == 6)
        // What is looked for is asked of a drive.
        let search = CoordinationRequest.search(SearchRequest(predicate: Array("x".utf8), folder: [], scopes: 1, sort: [], limit: .max)).bytes
        for version in [UInt16(2), 3] { #expect(try answers(to: CoordinationRequest.hello(version: version).bytes + search, 2).count <= 1) }
        // Nonsense of the second version.
        let two = CoordinationRequest.hello(version: 2).bytes, present = CoordinationRequest.present(1, name: 1, try path("b")).bytes
        for words in [present + present, CoordinationRequest.withdraw(1).bytes, [2, 0, 0, 0, 9, 9], [5, 0, 0, 0, 6, 1, 0, 0, 0]] {
            #expect(try answers(to: two + words, 9).count <= 2)
        }
        // Answers to what nobody asked.
        #expect(try answers(to: two + CoordinationRequest.answer(question: 77, nil).bytes + present, 2) == [.hello(version: 2), .presented(1, nil)])
    }
}

/// The same as values: with a clock of its own.
@Suite struct PresenterQuestionsTests {
    private func desk(_ clients: Int = 1) throws -> PresenterQuestions {
        var desk = PresenterQuestions()
        for client in 1...clients {
            _ = desk.add(1, of: client, PresenterTable.Presenter(name: UInt64(client), process: Int32(client), path: try path("f/a")), ofClient: 1)
        }
        _ = desk.takeWords()
        return desk
    }

    private func ask(_ desk: inout PresenterQuestions, at now: Int64) throws -> Bool {
        desk.ask([ClaimedItem(try path("f/a"), .reading)], for: PresenterQuestions.Asking {}, except: nil, process: nil, at: now)
    }

    @Test func silenceIsShortAndAnswersMayTakeTime() throws {
        var desk = try desk(2)
        #expect(try ask(&desk, at: 0))
        #expect(desk.takeWords().count == 4)
        desk.heard(1, at: 10)
        desk.pass(849)
        #expect(desk.takeSettled().isEmpty && desk.takeNotices().isEmpty)
        desk.heard(1, at: 849)
        desk.pass(850)
        // The one that said nothing.
        #expect(desk.takeNotices().count == 1 && desk.takeSettled().isEmpty)
        while let next = desk.next, next < 5000 {
            desk.pass(next)
            desk.heard(1, at: next)
        }
        #expect(desk.takeNotices().isEmpty)
        desk.pass(5000)
        #expect(desk.takeNotices().first?.contains("in 5 seconds") == true && desk.takeSettled().count == 1 && desk.next == nil)
        // The silent one is not asked before it says something, and the one that did not answer not for a minute, or before it does.
        #expect(try !ask(&desk, at: 6000))
        desk.heard(2, at: 7000)
        #expect(try ask(&desk, at: 7000))
        #expect(desk.asked == 3)
        desk.answered(3, by: 2, nil)
        #expect(desk.takeSettled().count == 1)
        desk.answered(1, by: 1, nil)
        #expect(try ask(&desk, at: 8000))
        #expect(desk.asked == 5)
    }

    @Test func onlyWhoWasAskedAnswers() throws {
        var desk = try desk()
        #expect(try ask(&desk, at: 0))
        for (question, client) in [(UInt32(1), 2), (2, 1), (0, 1)] { desk.answered(question, by: client, nil) }
        #expect(desk.takeSettled().isEmpty)
        desk.answered(1, by: 1, .noSpace)
        #expect(desk.takeSettled().count == 1 && desk.takeNotices().first?.contains("could not save “f/a”") == true)
        desk.answered(1, by: 1, nil)
        #expect(desk.takeSettled().isEmpty)
        // One that goes is not waited for.
        #expect(try ask(&desk, at: 0))
        desk.dismiss(1, [1])
        #expect(desk.takeSettled().count == 1 && desk.table.count == 0 && desk.next == nil)
    }
}
