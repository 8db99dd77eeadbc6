import Dispatch
import FuseBridge
import Glibc
import LinuxFiles

/// The helper of a drive whose process has given up its rights: it starts and ends the thumbnail worker, unmounts the drive, and
/// looks who watches it, which are other users' processes. It mounts the drive, too, where its process has become the container's
/// owner, and where devices on the drive are devices, it makes those that root's programs ask for. The worker's program, the mountpoint and the
/// options are settled before. To systemd and its journal it hands on what the drive has to say.
final class DriveHelper: Sendable {
    private let process: HelperProcess
    /// Asks for a thread that has no files open, and so no way to the helper.
    private let asking = OrderedThread()

    private enum Request: UInt8 {
        case startWorker = 1, endWorker, unmount, unmountLazily, watched, mount, mounted, end, place, makeDevice, journal, entry, managerOfEnd, thread, container, change
    }

    /// `mount`: what it is to mount, where the process that serves the drive may not. `user`: whom that one becomes. `status`: what systemd is told of it.
    init(mountpoint: String, worker: String?, mount: OwnersMount?, user: SystemUser?, status: String, makesDevices: Bool) throws(Errno) {
        let speaker = Channel.Speaker(process: getpid(), user: user?.number ?? geteuid(), group: user?.group ?? getegid())
        var tasks = Tasks(mountpoint: mountpoint, program: worker, mount: mount, status: status, makesDevices: makesDevices, speaker: speaker, user: user)
        process = try HelperProcess({ bytes, file in tasks.answer(bytes, file) }, ended: { tasks.ended() })
        // While the path leads there. Users' drives are unmounted by fusermount3, which looks whose a mount is.
        if geteuid() == 0 { _ = try? process.ask([Request.place.rawValue]) }
    }

    // MARK: Asking

    /// Mounts, and answers the kernel's device for the drive.
    func mount() throws(Errno) -> OpenFile {
        let answer = try process.ask([Request.mount.rawValue], takingFile: true)
        guard let device = answer.file else { throw Words.all(answer.bytes.dropFirst()).first.map { Errno(rawValue: Int32(truncatingIfNeeded: $0)) } ?? .inputOutput }
        return device
    }

    /// To be called once the kernel has been greeted: the switch that ends the drive's requests.
    func mounted() -> OpenFile? { try? process.ask([Request.mounted.rawValue], takingFile: true).file }

    /// To be called once the drive is mounted, and before the process gives up its rights: of what root mounted at that place, the helper unmounts the drive
    /// and nothing else.
    func settleMount() { _ = try? process.ask([Request.mounted.rawValue]) }

    /// What everybody is told of a thread.
    func page(of thread: UInt32) -> [UInt8]? {
        guard let page = try? process.ask([Request.thread.rawValue] + Words.bytes([UInt64(thread)])).bytes, !page.isEmpty else { return nil }
        return page
    }

    /// Makes a device node in a folder, for a program of root's that asks for exactly that.
    func makeDevice(in folder: OpenFile, _ name: Name, mode: UInt32, device: UInt64, for thread: UInt32) throws(Errno) {
        let words = Words.bytes([UInt64(thread), UInt64(mode), device])
        let answer = try process.ask([Request.makeDevice.rawValue] + words + name.bytes, passing: folder).bytes
        if answer.first != 0 { throw Words.all(answer.dropFirst()).first.map { Errno(rawValue: Int32(truncatingIfNeeded: $0)) } ?? .inputOutput }
    }

    /// To be called before the process gives up its rights: what the helper may change lies in the container, and of a read-only drive is nothing. What
    /// is said first stays.
    func settle(on container: OpenFile, readOnly: Bool) { _ = try? process.ask([Request.container.rawValue], passing: readOnly ? nil : container) }

    /// Changes attributes of what this process may not open to change it.
    func change(_ change: PlaceChange, of place: OpenFile) throws(Errno) {
        let answer = try process.ask([Request.change.rawValue] + change.bytes, passing: place).bytes
        if answer.first != 0 { throw Words.all(answer.dropFirst()).first.map { Errno(rawValue: Int32(truncatingIfNeeded: $0)) } ?? .inputOutput }
    }

    func unmount(lazily: Bool) -> UnmountOutcome {
        guard let answer = try? process.ask([(lazily ? Request.unmountLazily : .unmount).rawValue]) else { return .refused }
        return answer.bytes.first.flatMap(UnmountOutcome.init) ?? .refused
    }

    /// Hands the drive's messages on to systemd's journal, if there is one: the process that serves the drive connects to nobody.
    func logToJournal(_ fields: [SystemLog.Field]) {
        guard (try? process.ask([Request.journal.rawValue]).bytes) == [0] else { return }
        SystemLog.useJournal(fields) { [process] entry in process.tell([Request.entry.rawValue] + entry) }
    }

    /// Tells systemd that the drive is about to end, where it waits for word of it. Nothing else can be said so: a word of root's may name any process as
    /// the one that systemd is to end.
    func tellManagerOfEnd() { _ = process.tell([Request.managerOfEnd.rawValue]) }

    /// After all else.
    func end() {
        // One that ends without this was killed.
        process.askLast([Request.end.rawValue])
        process.end()
    }

    /// Waits for nobody.
    func unmountWithoutWaiting() { process.askLast([Request.unmountLazily.rawValue]) }

    /// Not from the thread that is asked for: what that one starts would have no files either.
    func start() { asking.start() }

    /// The inodes of a file system that programs watch; nil where they are too many to tell.
    func watched(on device: DeviceNumber) -> Set<UInt64>? {
        let answered = AwaitedAnswer<[UInt8]?>()
        asking.async { [process] in
            answered.give(try? process.ask([Request.watched.rawValue] + Words.bytes([UInt64(device.major), UInt64(device.minor)])).bytes)
        }
        guard let answer = answered.wait(), answer.first == 0 else { return nil }
        return Set(Words.all(answer.dropFirst()))
    }

    fileprivate func endWorker() -> ServantEnding? {
        guard let answer = try? process.ask([Request.endWorker.rawValue]).bytes, answer.count == 9, let value = Words.all(answer.dropFirst()).first else { return nil }
        let number = Int32(truncatingIfNeeded: value)
        return answer[0] == 0 ? .code(number) : .signal(number)
    }
}

extension DriveHelper: ServantStarter {
    private struct Worker: Servant {
        let number: Int32
        let helper: DriveHelper

        func end() -> ServantEnding? { helper.endWorker() }
    }

    /// The helper starts the one program that it was told of.
    func start(_ program: String, talkingOver channel: Channel) throws(Errno) -> any Servant {
        let answer = try process.ask([Request.startWorker.rawValue], passing: channel.file).bytes
        guard answer.count == 9, let value = Words.all(answer.dropFirst()).first else { throw .inputOutput }
        let number = Int32(truncatingIfNeeded: value)
        guard answer[0] == 0 else { throw Errno(rawValue: number) }
        return Worker(number: number, helper: self)
    }
}

// MARK: In the helper

extension DriveHelper {
    private struct Tasks {
        let mountpoint: String
        let program: String?
        var mount: OwnersMount?, isEnding = false
        let status: String
        let makesDevices: Bool
        /// The process that serves the drive: what it says is not the helper's.
        let speaker: Channel.Speaker
        /// Whom that process became, where it did not stay who it was.
        let user: SystemUser?
        /// What lies in it may be changed.
        var container: OpenFile?, isSettled = false
        /// Connected when it is first asked for.
        var journal: JournalSocket?
        /// Where root's drives are mounted, and the drive. What is said first stays.
        var place: MountPlace?, drive: DeviceNumber?
        var worker: (any Servant)?

        init(mountpoint: String, program: String?, mount: OwnersMount?, status: String, makesDevices: Bool, speaker: Channel.Speaker, user: SystemUser?) {
            self.mountpoint = mountpoint
            self.program = program
            self.mount = mount
            self.status = status
            self.makesDevices = makesDevices
            self.speaker = speaker
            self.user = user
        }

        mutating func answer(_ bytes: [UInt8], _ file: OpenFile?) -> (bytes: [UInt8], file: OpenFile?)? {
            switch bytes.first.flatMap(Request.init) {
            case .mount:
                do throws(Errno) { return ([0], try mount?.mount()) } catch { return (refused(error), nil) }
            case .mounted:
                if drive == nil { drive = try? place?.device() }
                return ([0], mount?.greeted())
            case .end:
                isEnding = true
                return ([0], nil)
            case .entry:
                journal?.send(Array(bytes.dropFirst()))
                return nil
            case .managerOfEnd:
                ServiceManager().tell("STOPPING=1\nSTATUS=Saving \(status)", from: speaker)
                return nil
            default: return (answer(bytes[...], file), nil)
            }
        }

        /// The drive's process was killed, if it did not say that it ends.
        mutating func ended() { if !isEnding { mount?.clear() } }

        private func unmount(lazily: Bool) -> [UInt8] {
            if let mount { return [mount.unmount(lazily: lazily).rawValue] }
            guard let place else { return [UnmountOutcome.unmount(mountpoint, lazily: lazily).rawValue] }
            return [(drive.map { place.unmount($0, lazily: lazily) } ?? place.unmount(lazily: lazily)).rawValue]
        }

        private mutating func answer(_ bytes: ArraySlice<UInt8>, _ file: OpenFile?) -> [UInt8] {
            switch bytes.first.flatMap(Request.init) {
            case .startWorker: return startWorker(file)
            case .endWorker:
                let ending = worker?.end()
                worker = nil
                return switch ending {
                case .code(let code): [0] + Words.bytes([UInt64(code)])
                case .signal(let signal): [1] + Words.bytes([UInt64(signal)])
                case nil: []
                }
            case .place:
                if place == nil { place = try? MountPlace(mountpoint) }
                return [0]
            case .unmount: return unmount(lazily: false)
            case .unmountLazily: return unmount(lazily: true)
            case .watched:
                let device = Words.all(bytes.dropFirst()).compactMap { UInt32(exactly: $0) }
                guard device.count == 2 else { return [] }
                let asked = DeviceNumber(major: device[0], minor: device[1])
                // Of the rest of the system its user is told no more than they can see.
                guard mount?.isMounted(on: asked) ?? true else { return [] }
                let found = Watchers.inodes(on: asked)
                return found.count * Words.size < HelperProcess.longestAnswer ? [0] + Words.bytes(Array(found)) : [1]
            case .makeDevice:
                do throws(Errno) { try makeDevice(bytes.dropFirst(), file) } catch { return refused(error) }
                return [0]
            case .container:
                if !isSettled { container = file }
                isSettled = true
                return [0]
            case .change:
                guard let container, let file, let change = PlaceChange(bytes.dropFirst()) else { return refused(.notPermitted) }
                do throws(Errno) { try change.carryOut(on: file, in: container, as: user) } catch { return refused(error) }
                return [0]
            case .journal:
                let journal = JournalSocket(for: speaker)
                self.journal = journal
                return [journal.isThere ? 0 : 1]
            case .thread:
                let thread = Words.all(bytes.dropFirst()).first.flatMap { UInt32(exactly: $0) }
                let page = thread.flatMap { ThreadFacts.page(of: $0) } ?? []
                return page.count < HelperProcess.longestAnswer ? page : []
            case .mount, .mounted, .end, .entry, .managerOfEnd, nil: return []
            }
        }

        /// What is asked for may come from somebody who has taken over the drive's process. So it is made only in the container, and for a program that
        /// waits for it.
        private func makeDevice(_ words: ArraySlice<UInt8>, _ folder: OpenFile?) throws(Errno) {
            let numbers = Words.all(words.prefix(3 * Words.size))
            guard makesDevices, let container, let folder, numbers.count == 3, let name = Name(words.dropFirst(3 * Words.size)),
                let thread = UInt32(exactly: numbers[0]), let mode = UInt32(exactly: numbers[1]), let asked = AskedDevice(of: thread)
            else { throw .notPermitted }
            // The helper has one thread: nothing else is made meanwhile.
            let own = umask(0)
            defer { umask(own) }
            try asked.make(name, in: folder, of: container, mode: mode, device: numbers[2])
        }

        private func refused(_ error: Errno) -> [UInt8] { [1] + Words.bytes([UInt64(error.rawValue)]) }

        private mutating func startWorker(_ file: OpenFile?) -> [UInt8] {
            guard let program, let file else { return refused(.noSuchEntry) }
            // There is one at a time.
            _ = worker?.end()
            worker = nil
            do throws(Errno) {
                let started = try OwnServants().start(program, talkingOver: Channel(file))
                worker = started
                return [0] + Words.bytes([UInt64(started.number)])
            } catch { return refused(error) }
        }
    }

    /// Numbers as bytes, the lowest first.
    private enum Words {
        static let size = 8

        static func bytes(_ numbers: [UInt64]) -> [UInt8] { numbers.flatMap { number in (0..<size).map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) } } }

        static func all(_ bytes: ArraySlice<UInt8>) -> [UInt64] {
            stride(from: bytes.startIndex, to: bytes.endIndex - bytes.count % size, by: size).map { start in
                bytes[start..<start + size].reversed().reduce(0) { $0 << 8 | UInt64($1) }
            }
        }
    }
}
