import CLinux
import Glibc

/// What a process has open when it gives up its rights, and what lies beside all that it reaches then: the standard streams, its log, the kernel's device
/// for the drive, and its list of locks. Landlock has let none of it be opened, so its attributes stay as they are. It stays open as long as the process: a number that is
/// given again would be a file's whose attributes are to change.
enum FilesFromBefore {
    private static let known = SetOnce<[Int32]>()

    /// /dev/null, for standard streams that are to be nothing.
    static let nothing = try? OpenFile(Descriptor.atPath("/dev/null", .readWrite))

    private static let standard = [STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO]

    static var numbers: [Int32] { known.value ?? standard }

    /// Finds them. Throws where something is open that a drive has no use for, as what a caller left open.
    static func note(beside places: [OpenFile]) throws(Sandbox.Fault) -> [Int32] {
        var numbers = standard + [SystemLog.fileNumber, nothing?.descriptor.rawValue].compactMap(\.self)
        for (number, path) in try found(beside: places) where !numbers.contains(number) {
            guard [Array("/dev/fuse".utf8), Array(FileLocks.path.utf8)].contains(path) else { throw Sandbox.Fault(reason: "it has “\(Name.printable(path))” open, which a drive has no use for") }
            numbers.append(number)
        }
        known.set(numbers)
        return numbers
    }

    private static func found(beside places: [OpenFile]) throws(Sandbox.Fault) -> [(number: Int32, path: [UInt8])] {
        do throws(Errno) {
            let reached = try places.map { (place) throws(Errno) in try AbsolutePath.bytes(of: place.descriptor) }
            var files = try FolderReader(try Descriptor.atPath("/proc/self/fd", [.path, .folder])), found: [(number: Int32, path: [UInt8])] = []
            while let file = try files.next() {
                // A place has no attributes that could be changed. What has no path was made by a process: a pipe, a socket, memory.
                guard let number = Int32(String(decoding: file.name.bytes, as: UTF8.self)), CLinux_fcntl_get(number, F_GETFL) & CLinux_O_PATH == 0,
                    let path = try? AbsolutePath.bytes(ofNumber: number), path.first == UInt8(ascii: "/"), !path.starts(with: "/memfd:".utf8)
                else { continue }
                // This process's own facts, which nobody changes: the reader is among them.
                guard !path.starts(with: "/proc/\(getpid())/".utf8), !reached.contains(where: { AbsolutePath.isInside(path, $0) }) else { continue }
                found.append((number, path))
            }
            return found
        } catch { throw Sandbox.Fault(reason: "it cannot look at what it has open: \(error)") }
    }
}
