import Containers
import Foundation
import LinuxFiles
import MountTesting
import Synchronization
import Testing

@testable import Coordination

/// A drive that goes through a presented folder for as long as a test wants.
private final class WalkingDrive: ItemPresenter {
    let walks = Record<ItemPath>()
    private let gate = DispatchSemaphore(value: 0)

    func endWalk() { gate.signal() }

    let mountpoint = ""
    let documentsNow = Container.DocumentsNow.here
    func isConcerned(by items: [ClaimedItem]) -> Bool { false }
    func prepare(for items: [ClaimedItem]) {}
    func isFollowing(_ item: ItemPath) -> Bool { false }
    func follow(_ item: ItemPath) -> [ItemPath] {
        walks.add(item)
        gate.wait()
        return []
    }
    func written(_ items: [ClaimedItem]) {}
    func carryOut(_ decision: ClaimDecision, on item: ItemPath) throws(SaveFault) {}
    func save(_ staged: StagedItem, at item: ItemPath) throws(SaveFault) -> StagedOutcome { .saved }
    func adopt(_ adoption: Adoption) throws(SaveFault) -> Adopted { throw .failed(.notSupported) }
    func follow(_ old: ItemPath, to new: ItemPath) {}
    func answer(_ search: SearchRequest, _ answer: sending SearchAnswer) {}
}

/// Others that take their time, or never come to an end: nobody waits for what they do not need, and nobody longer than they said.
@Suite(.waiting, .timeLimit(.minutes(40))) struct StalledPeerTests {
    /// Who opens a file asks those who present it, and is answered while the drive goes through a folder that somebody presents.
    @Test func aFolderThatIsGoneThroughKeepsNobodyFromOpening() throws {
        let container = try ClaimContainer(), opened = try Container.open(container.path, access: .readWrite, creating: [], kinds: .shipped)
        let lock = try ContainerLock.take(in: opened, purpose: "serving"), drive = WalkingDrive()
        let server = try CoordinationServer(opened, lock: lock, presenter: drive, PresenterQuestions.Patience())
        defer { server.stop(waiting: 0) }
        let folder = try path("folder"), inside = try path("folder/a")
        let presenting = OnThread { [place = container.path] in try? App(FileCoordinator(place), "folder") }
        #expect(eventually { drive.walks.events == [folder] && server.hasPresenters })
        let opening = OnThread {
            server.askPresenters(of: [inside], for: .reading, process: { nil })?.end()
            return true
        }
        #expect(eventually { opening.hasEnded })
        drive.endWalk()
        #expect(presenting.value != nil && opening.value == true)
        // What came in it is gone through as well, and nobody waits for that.
        server.followNew(inside)
        #expect(eventually { drive.walks.events.count == 2 })
        #expect(OnThread { server.askPresenters(of: [inside], for: .reading, process: { nil })?.end(); return true }.value == true)
        drive.endWalk()
    }

    /// Who serves may say for ever who has what is waited for: that is no answer, and who waits gives up when they said.
    @Test func whoIsToldWhoHasItWaitsNoLongerThanTheySaid() throws {
        let container = try ClaimContainer(), coordinator = try FileCoordinator(container.path)
        try FileCoordinator(container.path).coordinate(reading: "x") { _ in }
        let state = try Descriptor.atPath(container.path + "/.valise", [.path, .folder])
        try? state.unlink(ContainerLock.socketName)
        let listening = try LocalSocket.listening(in: state, as: ContainerLock.socketName)
        let over = Record<Bool>(), patience: Int64 = 300
        withExtendedLifetime(listening) {
            let server = OnThread {
                var socket: LocalSocket?
                guard eventually({ socket = (try? listening.accept()) ?? nil; return socket != nil }), let socket else { return false }
                _ = try? socket.send(CoordinationAnswer.hello(version: CoordinationProtocol.version).bytes[...])
                // Long after the client has given up, it grants what was asked for.
                let end = Monotonic.milliseconds + 10 * patience
                while Monotonic.milliseconds < end, over.events.isEmpty {
                    do throws(Errno) { _ = try socket.send(CoordinationAnswer.held(1, by: [getpid()]).bytes[...]) } catch {
                        guard error == .tryAgain else { break }
                    }
                }
                while over.events.isEmpty {
                    do throws(Errno) {
                        _ = try socket.send(CoordinationAnswer.granted(1, []).bytes[...])
                        break
                    } catch { guard error == .tryAgain else { break } }
                }
                return true
            }
            #expect(throws: Failure.self) { try coordinator.coordinate(writing: "a", timeout: .milliseconds(patience)) { _ in } }
            over.add(true)
            #expect(server.value == true)
        }
    }

    /// A program may call itself anything: a line of the log stays one.
    @Test func theNameOfAProgramIsPrintable() throws {
        let naming = "import ctypes, sys, time; ctypes.CDLL(None).prctl(15, b'a\\nb\\x1b[1m'); print('named', flush=True); time.sleep(600)"
        let program = try Program(["/usr/bin/python3", "-c", naming])
        #expect(eventually { program.output.contains("named") })
        kill(program.process, SIGSTOP)
        defer {
            kill(program.process, SIGKILL)
            kill(program.process, SIGCONT)
            program.end()
        }
        let holders = ClaimHolders(of: [ClaimedItem(try path("Notes.stedoc"), .writing)])
        #expect(eventually { holders.sentence(of: program.process) != nil })
        let sentence = holders.sentence(of: program.process) ?? ""
        #expect(sentence.contains("process \(program.process) (a\\nb\\u{1b}[1m), which has it, is stopped"), "\(sentence)")
        #expect(!sentence.contains("\n") && holders.sentence(of: getpid()) == nil)
    }
}
