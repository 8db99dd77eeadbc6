import Foundation
import Synchronization
import Testing

/// A container mounted for a test, through `valise mount` as a user does it.
///
/// Served in the foreground, so that the test has its exit code and its log. `withDrive` mounts, and at the end
/// unmounts and checks that nothing stays behind.
public final class MountedDrive: Sendable {
    public let container: TemporaryContainer
    /// The process that serves it.
    public let process: pid_t
    private let program: Program
    private let descriptorsAtFirst: Set<String>
    private let isExpectedToDie = Mutex(false)

    public var mountpoint: String { container.mountpoint }
    public func path(_ name: String) -> String { mountpoint + "/" + name }
    /// What it said on standard error until now.
    public var log: String { program.errors }

    /// `options` as for `-o`.
    public init(_ container: TemporaryContainer, options: String? = nil, environment: [String: String] = [:]) throws {
        self.container = container
        let words = [Places.valise, "mount", "-f"] + (options.map { ["-o", $0] } ?? []) + [container.path, container.mountpoint]
        let program = try Program(words, environment: environment)
        self.program = program
        process = program.process
        let isUp = eventually { program.hasEnded || Self.isMounted(container.mountpoint) }
        guard isUp, !program.hasEnded else {
            program.end()
            throw Failed("the drive was not mounted; it said: \(program.output)\(program.errors)")
        }
        // Answers as soon as it can.
        try run("stat", container.mountpoint + "/.valise/status").good()
        descriptorsAtFirst = Set(Self.regularFiles(of: process, in: container.path))
    }

    /// Whether something is mounted there, asked of the kernel and not of the drive.
    public static func isMounted(_ mountpoint: String) -> Bool { table().range(of: Data(" \(mountpoint) ".utf8)) != nil }

    /// To its end: Foundation takes the first piece of such a file for all of it.
    private static func table() -> Data { FileHandle(forReadingAtPath: "/proc/self/mountinfo")?.readDataToEndOfFile() ?? Data() }

    /// The type of what is mounted there.
    public static func mountType(at mountpoint: String) -> String? {
        for line in String(decoding: table(), as: UTF8.self).split(separator: "\n").reversed() {
            let words = line.split(separator: " ")
            guard words.count > 6, words[4] == mountpoint, let dash = words.firstIndex(of: "-"), dash + 1 < words.count else { continue }
            return String(words[dash + 1])
        }
        return nil
    }

    /// Ends the process as a crash would, and leaves the dead mount. No more is checked of this drive.
    public func kill() throws {
        isExpectedToDie.withLock { $0 = true }
        Foundation.kill(process, SIGKILL)
        _ = try program.wait()
    }

    /// For a test that ends the drive in its own way: the exit code, once it has ended.
    public func waitForEnd() throws -> Int32 {
        isExpectedToDie.withLock { $0 = true }
        return try program.wait().code
    }

    // MARK: The end

    /// Unmounts, and checks that the drive ends well and leaves nothing behind.
    func finish(sourceLocation: SourceLocation) throws {
        guard !isExpectedToDie.withLock({ $0 }) else { return checkLog(sourceLocation) }
        checkDescriptors(sourceLocation)
        let unmounted = try valise("unmount", mountpoint)
        // Drafts that wait are named, and a namespace that a test beside this one has made at that moment, with this drive in it.
        let isQuiet = unmounted.errors.isEmpty || unmounted.errors.hasPrefix("valise: not saved: ") || unmounted.errors.contains("is mounted in another mount namespace, too")
        #expect(unmounted.code == 0 && isQuiet, "unmounting: \(unmounted.errors)", sourceLocation: sourceLocation)
        #expect(!Self.isMounted(mountpoint), "the mount is still there", sourceLocation: sourceLocation)
        let ended = try program.wait()
        isExpectedToDie.withLock { $0 = true }
        #expect(ended.code == 0, "the drive's process ended with \(ended.code): \(ended.errors)", sourceLocation: sourceLocation)
        checkLog(sourceLocation)
    }

    /// Whatever happened before, nothing stays mounted and nothing runs.
    func clear() {
        if Self.isMounted(mountpoint) { umount2(mountpoint, Int32(MNT_DETACH)) }
        if !isExpectedToDie.withLock({ $0 }) { program.end() }
    }

    private static let suspicious = ["crash", "fatal", "trap", "not answered", "input/output error", "leak"]

    private func checkLog(_ sourceLocation: SourceLocation) {
        let log = log
        for word in Self.suspicious {
            #expect(!log.lowercased().contains(word), "the drive's log says “\(word)”: \(log)", sourceLocation: sourceLocation)
        }
    }

    /// An idle drive holds no document open. The kernel lets go of them a little later than the programs.
    private func checkDescriptors(_ sourceLocation: SourceLocation) {
        // A draft that waits to be mended stays open.
        guard let status = try? status(), status.drafts.isEmpty else { return }
        var left: Set<String> = []
        eventually(within: 20) {
            // The catalog is opened when there is time for it, and stays open.
            left = Set(Self.regularFiles(of: process, in: container.path)).subtracting(descriptorsAtFirst).filter { !$0.contains("/.valise/catalog.sqlite") }
            return left.isEmpty
        }
        #expect(left.isEmpty, "the drive still has files of its container open: \(left.sorted())", sourceLocation: sourceLocation)
    }

    /// The files, no folders, that a process has open there.
    static func regularFiles(of process: pid_t, in folder: String) -> [String] {
        let base = "/proc/\(process)/fd"
        let descriptors = (try? FileManager.default.contentsOfDirectory(atPath: base)) ?? []
        return descriptors.compactMap { descriptor in
            var status = stat()
            guard let target = try? FileManager.default.destinationOfSymbolicLink(atPath: "\(base)/\(descriptor)"),
                target.hasPrefix(folder + "/"), stat("\(base)/\(descriptor)", &status) == 0, status.st_mode & S_IFMT == S_IFREG
            else { return nil }
            return target
        }
    }
}

/// Mounts a container, does something with the drive, and unmounts it; then nothing of the drive may be left.
@discardableResult
public func withDrive<Value>(
    _ container: TemporaryContainer, options: String? = nil, environment: [String: String] = [:],
    sourceLocation: SourceLocation = #_sourceLocation,
    _ body: (MountedDrive) throws -> Value
) throws -> Value {
    let drive = try MountedDrive(container, options: options, environment: environment)
    defer { drive.clear() }
    let value: Value
    do { value = try body(drive) } catch {
        throw Failed("\(error)" + (drive.log.isEmpty ? "" : "; the drive said: \(drive.log)"))
    }
    try drive.finish(sourceLocation: sourceLocation)
    return value
}

/// The same for who awaits something meanwhile.
@discardableResult
public func withAwaitedDrive<Value: Sendable>(
    _ container: TemporaryContainer, options: String? = nil, isolation: isolated (any Actor)? = #isolation, sourceLocation: SourceLocation = #_sourceLocation,
    _ body: (MountedDrive) async throws -> Value
) async throws -> Value {
    let drive = try MountedDrive(container, options: options)
    defer { drive.clear() }
    let value: Value
    do { value = try await body(drive) } catch { throw Failed("\(error)" + (drive.log.isEmpty ? "" : "; the drive said: \(drive.log)")) }
    try drive.finish(sourceLocation: sourceLocation)
    return value
}
