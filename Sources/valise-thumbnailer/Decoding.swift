import CPixbuf
import Documents
import Glibc
import LinuxFiles
import Thumbnails

/// Images become thumbnails: gdk-pixbuf, with bounds.
enum Decoding {
    private static let side: Int32 = 150
    private static let mostPixels: Int64 = 100_000_000
    private static let mostBytes: Int64 = 512 << 20
    private static let step = 64 * 1024
    /// Of the processor's time, for one image; the kernel ends the process then.
    private static let seconds = 10

    /// Loads the loaders that photos need, while files can be reached, and tells which there are.
    static func prepare() -> [String] {
        CPixbuf_prepare()
        var found: [String] = []
        for name in ImageType.allCases.flatMap(loaders) where unsafe CPixbuf_load(name) != 0 && !found.contains(name) { found.append(name) }
        return found
    }

    /// Who decodes a format, as gdk-pixbuf calls it: one of these. No others: each loader is code that strangers' bytes meet.
    private static func loaders(of type: ImageType) -> [String] {
        switch type {
        case .png: ["png"]
        case .jpeg: ["jpeg"]
        case .gif: ["gif"]
        case .webp: ["webp"]
        case .heic, .heif: ["heif/avif", "heif"]
        case .avif: ["heif/avif", "avif"]
        case .tiff: ["tiff"]
        case .bmp: ["bmp"]
        }
    }

    static func thumbnail(of file: OpenFile, offset: Int64, length: Int64, with loaded: [String]) -> ThumbnailAnswer {
        guard length <= mostBytes else { return .refused("it is too large: \(length >> 20) MiB") }
        setClock(seconds)
        defer { setClock(0) }
        let head = (try? file.descriptor.read(at: offset, count: Int(min(length, Int64(ImageType.prefixLength))))) ?? []
        guard let type = ImageType(prefix: head) else { return .refused("it is no image of a known format") }
        guard let loader = Self.loaders(of: type).first(where: loaded.contains) else {
            return .refused("gdk-pixbuf has no loader for \(type) here")
        }
        // SAFETY: the decoder is this function's own, and ended after its last use.
        let decoder = unsafe CPixbuf_begin(loader, side, mostPixels)
        defer { unsafe CPixbuf_end(decoder) }
        var done: Int64 = 0
        while done < length {
            let piece: [UInt8]
            do throws(Errno) { piece = try file.descriptor.read(at: offset + done, count: Int(min(Int64(step), length - done))) } catch {
                return .refused("it cannot be read: \(error)")
            }
            done += Int64(piece.count)
            // SAFETY: the pointer and the count are the array's.
            guard !piece.isEmpty, unsafe CPixbuf_feed(decoder, piece, piece.count) != 0 else { break }
        }
        var count = 0
        // SAFETY: the PNG lives until the decoder is ended; it is copied before.
        guard let png = unsafe CPixbuf_finish(decoder, &count) else { return .refused(unsafe String(cString: CPixbuf_reason(decoder))) }
        return .done(unsafe Array(UnsafeBufferPointer(start: png, count: count)))
    }

    /// Ends this process (SIGPROF) when it has worked for so long from now on; 0 for no end.
    private static func setClock(_ seconds: Int) {
        var timer = itimerval(it_interval: timeval(), it_value: timeval(tv_sec: seconds, tv_usec: 0))
        // SAFETY: setitimer reads the struct that it is given.
        _ = unsafe setitimer(__itimer_which_t(ITIMER_PROF.rawValue), &timer, nil)
    }
}
