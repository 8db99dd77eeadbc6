import Containers
import Foundation
import LinuxFiles
import MountTesting
import Testing

@testable import Coordination

/// Message 16: what another computer says of an item that is claimed, without a drive and by whichever process serves.
@Suite(.waiting, .timeLimit(.minutes(40))) struct AdoptionMessageTests {
    private let there = Provenance(Timestamp(seconds: 0x0102_0304, nanoseconds: 5), mark: "m", computer: "lab")

    /// As docs/COORDINATION.md says: a length, the byte 16, the claim's number, which of its items, what, a name,
    /// permissions, two expectations, and where and when the content was saved.
    @Test func itHasItsBytes() {
        let request = CoordinationRequest.adopt(
            0x0102_0304, item: 1,
            ClaimAdoption(.conflict(Name(constant: "ab")), expecting: .anything, other: .nothing, from: there))
        let rest: [UInt8] = [
            16, 4, 3, 2, 1, 1, 2, 2, 0, 0x61, 0x62, 0, 0, 0, 0, 1, 0, 0x2A, 1, 0, 0x2D, 4, 3, 2, 1, 0, 0, 0, 0, 5, 0, 0,
            0, 1, 0, 0x6D, 3, 0, 0x6C, 0x61, 0x62
        ]
        #expect(request.bytes == [UInt8(rest.count), 0, 0, 0] + rest && request.version == 8)
        #expect(CoordinationRequest(rest[...]) == request)
    }

    @Test func eachIsReadAsItIsWritten() {
        let state = ItemState(
            form: .file, number: 7, made: nil,
            stamp: ItemStamp(size: 1, modified: Timestamp(seconds: 2), changed: Timestamp(seconds: 3)))
        for what in [
            .current(Name(constant: "a")), .version(Name(constant: "a")), .permissions(0o7777), .gone, .moved,
            .exchanged
        ] as [ClaimAdoption.What] {
            for expected in [.anything, .nothing, .folder, .state(state)] as [Adoption.Expectation] {
                let request = CoordinationRequest.adopt(
                    1, item: 0, ClaimAdoption(what, expecting: expected, other: expected, from: there))
                #expect(CoordinationRequest(request.bytes.dropFirst(4)) == request)
            }
        }
        let version = VersionID(there.moment, mark: "m")
        for adopted in [
            Adopted(state: state, other: nil, replaced: state, version: version),
            Adopted(state: nil, other: state, replaced: nil, version: nil)
        ] {
            #expect(Adopted(text: adopted.text) == adopted && adopted.text.utf8.count < 1024)
        }
        for text in ["", "- - -", "- - - - -", "x - - -", "- - - x", "*  - -"] { #expect(Adopted(text: text) == nil) }
    }

    /// No honest client says these.
    @Test func whatIsNoneEndsTheConnection() {
        func message(
            _ what: UInt8, _ name: String, _ mode: UInt32, _ one: String, _ other: String, nanoseconds: UInt32 = 0,
            mark: [UInt8] = [], computer: [UInt8] = []
        ) -> [UInt8] {
            func text(_ bytes: [UInt8]) -> [UInt8] {
                withUnsafeBytes(of: UInt16(bytes.count).littleEndian, Array.init) + bytes
            }
            let numbers = [UInt8](repeating: 0, count: 8) + withUnsafeBytes(of: nanoseconds.littleEndian, Array.init)
            return [16, 1, 0, 0, 0, 0, what] + text(Array(name.utf8))
                + withUnsafeBytes(of: mode.littleEndian, Array.init) + text(Array(one.utf8))
                + text(Array(other.utf8)) + numbers + text(mark) + text(computer)
        }
        #expect(CoordinationRequest(message(4, "", 0, "*", "*")[...]) != nil)
        for bytes in [
            message(0, "", 0, "*", "*"), message(0, "a/b", 0, "*", "*"), message(0, "..", 0, "*", "*"),
            message(4, "a", 0, "*", "*"), message(3, "", 0o10000, "*", "*"),
            message(4, "", 1, "*", "*"), message(7, "", 0, "*", "*"), message(255, "", 0, "*", "*"),
            message(4, "", 0, "", "*"), message(4, "", 0, "*", "f.1"),
            message(4, "", 0, "*", "*", nanoseconds: 1_000_000_000), message(4, "", 0, "*", "*", mark: [0xFF]),
            message(4, "", 0, "*", "*", computer: [0xFF]),
            message(4, "", 0, "*", "*", mark: [UInt8](repeating: 0x61, count: 65)),
            message(4, "", 0, "*", "*", computer: [UInt8](repeating: 0x61, count: 1025)),
            message(4, "", 0, "*", "*") + [0], message(4, "", 0, "*", "*").dropLast(),
        ] { #expect(CoordinationRequest(bytes[...]) == nil, "\(bytes)") }
    }

    // MARK: Done

    private func text(_ container: ClaimContainer, _ path: String) -> String? {
        try? String(contentsOfFile: container.path + "/" + path, encoding: .utf8)
    }

    private func put(_ container: ClaimContainer, _ path: String, _ text: String) throws {
        let file = URL(fileURLWithPath: container.path + "/" + path)
        try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(text.utf8).write(to: file)
    }

    private func refusal(_ body: () throws -> Void) -> Errno? {
        do { try body() } catch let failure as Failure { return failure.errno } catch {}
        return nil
    }

    /// By the process that asks, where nobody else serves, and by another one.
    @Test(arguments: [true, false]) func whatIsSaidIsDone(isOwn: Bool) throws {
        let container = try ClaimContainer(), serving = try FileCoordinator(container.path)
        try put(container, "Note.stedoc", "mine")
        try put(container, "Sub/b.md", "b")
        _ = try serving.coordinate(reading: "Note.stedoc") { _ in true }
        let device = isOwn ? serving : try FileCoordinator(container.path)
        let app = try App(serving, "Note.stedoc")
        let adopted = try device.coordinate(writing: "Note.stedoc", for: .merging) { item in
            let state = try #require(try item.state()), staged = try item.staged()
            try Data("theirs".utf8).write(to: URL(fileURLWithPath: staged.path))
            let wanted = ClaimAdoption(.current(staged.name), expecting: .state(state), from: there),
                adopted = try item.adopt(wanted)
            #expect(try adopted.state == item.state() && adopted.version != nil && adopted.replaced == nil)
            #expect(refusal { _ = try item.adopt(wanted) } == .tryAgain, "something else is there by now")
            return adopted
        }
        #expect(
            text(container, "Note.stedoc") == "theirs"
                && eventually { (try? app.told.contains(.changed(path("Note.stedoc")))) == true })
        try device.coordinate(writing: "Note.stedoc", for: .merging) { item in
            let staged = try item.staged()
            try Data("other".utf8).write(to: URL(fileURLWithPath: staged.path))
            let conflict = ClaimAdoption(
                .conflict(staged.name), expecting: .state(try #require(adopted.state)),
                from: Provenance(Timestamp(seconds: 5), computer: "elsewhere"))
            #expect(try item.adopt(conflict).version != nil)
            #expect(try item.otherVersions().filter(\.isUnresolved).map(\.computer) == ["elsewhere"])
            _ = try item.adopt(ClaimAdoption(.permissions(0o600), expecting: .anything, from: there))
        }
        #expect(eventually { (try? app.told.contains(.gainedConflict(path("Note.stedoc")))) == true })
        // Both items of a claim.
        try device.coordinate(writing: "Note.stedoc", for: .moving, writing: "Sub/b.md", for: .moving) { one, other in
            let states = try (#require(try one.state()), #require(try other.state()))
            let adopted = try one.adopt(
                ClaimAdoption(.exchanged, expecting: .state(states.0), other: .state(states.1), from: there))
            #expect(try adopted.state == other.state() && adopted.other == one.state())
        }
        #expect(text(container, "Note.stedoc") == "b" && text(container, "Sub/b.md") == "theirs")
        try device.coordinate(writing: "Sub/b.md", for: .moving, writing: "c.md", for: .moving) { one, _ in
            let adopted = try one.adopt(ClaimAdoption(.moved, expecting: .anything, from: there))
            #expect(try adopted.state != nil && one.state() == nil)
        }
        #expect(text(container, "c.md") == "theirs" && text(container, "Sub/b.md") == nil)
        try device.coordinate(writing: "c.md", for: .moving) { item in
            _ = try item.adopt(ClaimAdoption(.gone, expecting: .anything, from: there))
        }
        try device.coordinate(writing: "Sub", for: .moving) { item in
            _ = try item.adopt(ClaimAdoption(.gone, expecting: .folder, from: there))
        }
        #expect(text(container, "c.md") == nil && !FileManager.default.fileExists(atPath: container.path + "/Sub"))
        #expect(try FileManager.default.contentsOfDirectory(atPath: container.path + "/.valise/handed") == [])
    }

    /// Who waits for an item that moved gets it where it is, and who presents it is told.
    @Test func whoPresentsWhatMovesIsTold() throws {
        let container = try ClaimContainer(), coordinator = try FileCoordinator(container.path),
            device = try FileCoordinator(container.path)
        try put(container, "Note.stedoc", "mine")
        let app = try App(coordinator, "Note.stedoc")
        try device.coordinate(writing: "Note.stedoc", for: .moving, writing: "List.stedoc", for: .moving) { one, _ in
            _ = try one.adopt(ClaimAdoption(.moved, expecting: .anything, from: there))
        }
        #expect(eventually { app.presentation?.path?.description == "List.stedoc" }, "\(app.told)")
        #expect(try !app.told.contains(.deleted(path("Note.stedoc"))))
    }

    /// Claims of an older client are served as before, and it cannot say this.
    @Test func anOlderClientCannotSayIt() throws {
        let container = try ClaimContainer(), coordinator = try FileCoordinator(container.path)
        try put(container, "a", "a")
        _ = try coordinator.coordinate(reading: "a") { _ in true }
        func answers(_ version: UInt16, _ words: [UInt8], _ count: Int) throws -> [CoordinationAnswer] {
            let state = try Descriptor.atPath(container.path + "/.valise", .path),
                socket = try LocalSocket.connected(in: state, to: ContainerLock.socketName)
            _ = try socket.send((CoordinationRequest.hello(version: version).bytes + words)[...])
            var input = MessageBuffer(), buffer = [UInt8](repeating: 0, count: 4096), answers: [CoordinationAnswer] = []
            while answers.count < count {
                var watches = [LocalSocket.Watch(socket)]
                guard try LocalSocket.wait(&watches, milliseconds: 60_000),
                    let received = try? socket.receive(into: &buffer), received > 0
                else { break }
                input.add(buffer[..<received])
                while case .message(let message) = input.next() {
                    if let answer = CoordinationAnswer(message) { answers.append(answer) }
                }
            }
            return answers
        }
        let claim = CoordinationRequest.claim(1, [ClaimedItem(try path("a"), .moving)], throughDrive: false).bytes
        let gone = CoordinationRequest.adopt(1, item: 0, ClaimAdoption(.gone, expecting: .anything, from: there)).bytes
        for version in UInt16(1)...7 {
            let answers = try answers(version, claim + gone, 9)
            #expect(
                answers.count <= 2 && !answers.contains { if case .decided = $0 { true } else { false } }, "\(answers)")
        }
        #expect(text(container, "a") == "a")
        // One item is not two, and what is only read is not written.
        let moved = CoordinationRequest.adopt(1, item: 0, ClaimAdoption(.moved, expecting: .anything, from: there))
            .bytes
        #expect(try answers(8, claim + moved, 9).count <= 2)
        let reading = CoordinationRequest.claim(1, [ClaimedItem(try path("a"), .reading)], throughDrive: false).bytes
        #expect(try answers(8, reading + gone, 9).count <= 2 && text(container, "a") == "a")
        let done = try answers(8, claim + gone, 3)
        #expect(done.last == .decided(1, nil, "- - - -") && text(container, "a") == nil)
    }

    /// Whoever serves may be an older Valise: that is said, and nothing is done.
    @Test func anOlderServerIsNamed() throws {
        let container = try ClaimContainer(), lines = """
            import os, socket, struct, sys
            server = socket.socket(socket.AF_UNIX)
            server.bind(sys.argv[1] + "/.valise/coordination")
            server.listen()
            while True:
                peer, _ = server.accept()
                data = b""
                while len(data) < 20: data += peer.recv(4096)
                peer.sendall(struct.pack("<IBIH", 7, 1, 0x43564C41, 7))
                peer.sendall(struct.pack("<IBIB", 6, 2, struct.unpack("<I", data[16:20])[0], 0))
                peer.recv(4096)
            """
        try put(container, "a", "a")
        let lock = try ContainerLock.take(
            in: Container.open(container.path, access: .readWrite, creating: [], kinds: .shipped), purpose: "older")
        defer { withExtendedLifetime(lock) {} }
        let server = try Program(["/usr/bin/python3", "-c", lines, container.path])
        defer { server.end() }
        #expect(eventually { FileManager.default.fileExists(atPath: container.path + "/.valise/coordination") })
        let device = try FileCoordinator(container.path)
        let failure = #expect(throws: Failure.self) {
            try device.coordinate(writing: "a", for: .moving, timeout: .seconds(60)) { item in
                _ = try item.adopt(ClaimAdoption(.gone, expecting: .anything, from: there))
            }
        }
        #expect(
            failure?.errno == .notSupported && failure?.sentence.contains("older Valise") == true,
            "\(failure?.sentence ?? "")")
        #expect(text(container, "a") == "a")
    }
}
