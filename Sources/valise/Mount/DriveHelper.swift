import Dispatch
import FuseBridge
import Glibc
import LinuxFiles

/// The helper of a drive whose process has given up its rights: it starts and ends the thumbnail worker, unmounts the drive, and
/// looks who watches it, which are other users' processes. It mounts the drive, too, where its process has become the container's
/// owner. The worker's program, the mountpoint and the options are settled before.
final class DriveHelper: Sendable {
    private let process: HelperProcess
    private let bell = DispatchSemaphore(value: 0)
    private let question = Locked<(device: DeviceNumber, answer: Answered)?>(nil)

    private enum Request: UInt8 {
        case startWorker = 1, endWorker, unmount, unmountLazily, watched, mount, mounted, end, place
    }

    /// `mount`: what it is to mount, where the process that serves the drive may not.
    init(mountpoint: String, worker: String?, mount: OwnersMount?) throws(Errno) {
        var tasks = Tasks(mountpoint: mountpoint, program: worker, mount: mount)
        process = try HelperProcess({ bytes, file in tasks.answer(bytes, file) }, ended: { tasks.ended() })
        // While the path leads there. Users' drives are unmounted by fusermount3, which looks whose a mount is.
        if geteuid() == 0 { _ = try? process.ask([Request.place.rawValue]) }
    }

    // MARK: Asking

    /// Mounts, and answers the kernel's device for the drive.
    func mount() throws(Errno) -> OpenFile {
        let answer = try process.ask([Request.mount.rawValue])
        guard let device = answer.file else { throw Words.all(answer.bytes.dropFirst()).first.map { Errno(rawValue: Int32(truncatingIfNeeded: $0)) } ?? .inputOutput }
        return device
    }

    /// To be called once the kernel has been greeted: the switch that ends the drive's requests.
    func mounted() -> OpenFile? { try? process.ask([Request.mounted.rawValue]).file }

    func unmount(lazily: Bool) -> UnmountOutcome {
        guard let answer = try? process.ask([(lazily ? Request.unmountLazily : .unmount).rawValue]) else { return .refused }
        return answer.bytes.first.flatMap(UnmountOutcome.init) ?? .refused
    }

    /// After all else.
    func end() {
        // One that ends without this was killed.
        process.askLast([Request.end.rawValue])
        process.end()
    }

    /// Waits for nobody.
    func unmountWithoutWaiting() { process.askLast([Request.unmountLazily.rawValue]) }

    /// Starts the thread that asks for one which has no files open, and so no way to the helper. Not from that one: it would have
    /// none either.
    func start() {
        BackgroundThread.start { [self] in
            while true {
                bell.wait()
                guard let (device, answer) = question.withLock({ $0.take() }) else { continue }
                answer.give(try? process.ask([Request.watched.rawValue] + Words.bytes([UInt64(device.major), UInt64(device.minor)])).bytes)
            }
        }
    }

    /// The inodes of a file system that programs watch; nil where they are too many to tell. For one thread.
    func watched(on device: DeviceNumber) -> Set<UInt64>? {
        let answered = Answered()
        question.withLock { $0 = (device, answered) }
        bell.signal()
        guard let answer = answered.take(), answer.first == 0 else { return nil }
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
        var mount: OwnersMount?
        /// Where root's drives are mounted.
        var place: MountPlace?
        var worker: (any Servant)?

        init(mountpoint: String, program: String?, mount: OwnersMount?) {
            self.mountpoint = mountpoint
            self.program = program
            self.mount = mount
        }

        mutating func answer(_ bytes: [UInt8], _ file: OpenFile?) -> (bytes: [UInt8], file: OpenFile?) {
            switch bytes.first.flatMap(Request.init) {
            case .mount:
                do throws(Errno) { return ([0], try mount?.mount()) } catch { return (refused(error), nil) }
            case .mounted: return ([0], mount?.greeted())
            case .end:
                mount = nil
                return ([0], nil)
            default: return (answer(bytes[...], file), nil)
            }
        }

        /// The drive's process was killed, if it did not say that it ends.
        mutating func ended() { mount?.clear() }

        private func unmount(lazily: Bool) -> [UInt8] {
            [(mount?.unmount(lazily: lazily) ?? place?.unmount(lazily: lazily) ?? UnmountOutcome.unmount(mountpoint, lazily: lazily)).rawValue]
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
                place = try? MountPlace(mountpoint)
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
            case .mount, .mounted, .end, nil: return []
            }
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
