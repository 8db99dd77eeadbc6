import LinuxFiles

/// What is asked of the worker, as one message. A thumbnail's request hands over the file.
public enum ThumbnailRequest: Equatable, Sendable {
    /// The image is this range of the file.
    case thumbnail(offset: Int64, length: Int64)
    case facts

    public static let longest = 64

    public var bytes: [UInt8] {
        switch self {
        case .thumbnail(let offset, let length): [1] + Self.bytes(offset) + Self.bytes(length)
        case .facts: [2]
        }
    }

    public init?(_ bytes: [UInt8]) {
        switch (bytes.first, bytes.count) {
        case (1, 17):
            let offset = Self.number(bytes[1..<9]), length = Self.number(bytes[9..<17])
            guard offset >= 0, length >= 0, !offset.addingReportingOverflow(length).overflow else { return nil }
            self = .thumbnail(offset: offset, length: length)
        case (2, 1): self = .facts
        default: return nil
        }
    }

    private static func bytes(_ number: Int64) -> [UInt8] { (0..<8).map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) } }
    private static func number(_ bytes: ArraySlice<UInt8>) -> Int64 { bytes.reversed().reduce(0) { $0 << 8 | Int64($1) } }
}

/// What the worker answers, as one message.
public enum ThumbnailAnswer: Equatable, Sendable {
    case done([UInt8])
    /// Why there is no thumbnail, for people.
    case refused(String)

    /// The least that a thumbnail's PNG never reaches: 150 × 150 pixels of four bytes, and some room.
    public static let longest = 128 * 1024

    public var bytes: [UInt8] {
        switch self {
        case .done(let bytes): [1] + bytes
        case .refused(let reason): [2] + Array(reason.utf8)
        }
    }

    public init?(_ bytes: [UInt8]) {
        switch bytes.first {
        case 1: self = .done(Array(bytes.dropFirst()))
        case 2: self = .refused(String(decoding: bytes.dropFirst(), as: UTF8.self))
        default: return nil
        }
    }
}

/// What a worker says of itself.
public struct ThumbnailFacts: Equatable, Sendable {
    /// The formats that it decodes, as gdk-pixbuf calls them: "png", "heif/avif".
    public let formats: [String]
    /// The kernel has Landlock.
    public let sealsFiles: Bool

    public init(formats: [String], sealsFiles: Bool) {
        self.formats = formats
        self.sealsFiles = sealsFiles
    }

    public var bytes: [UInt8] { Array("\(sealsFiles ? 1 : 0)\(formats.joined(separator: " "))".utf8) }

    public init?(_ bytes: [UInt8]) {
        guard let first = bytes.first else { return nil }
        sealsFiles = first == UInt8(ascii: "1")
        formats = String(decoding: bytes.dropFirst(), as: UTF8.self).split(separator: " ").map(String.init)
    }
}

/// Why there is no thumbnail.
public enum ThumbnailFault: Error, Equatable, Sendable {
    /// There is no worker: the program is not installed, or cannot be started.
    case missing
    /// The worker understood the request and not the image.
    case refused(String)
    /// The worker died of the image, or took too long and was ended.
    case died, silent
    /// The worker could not give up its rights, and ended. It is not asked again.
    case unsealed
    case closed
    case failed(Errno)
}
