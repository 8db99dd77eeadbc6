import LinuxFiles

/// Which claims there are, as whoever serves next can see it when the one who granted them is gone: each has a byte of a file locked, from
/// before it is asked for until it has ended. The kernel unlocks it where a program ends, however that ends.
public final class Claimants: Sendable {
    public typealias Token = UInt64
    static let fileName = Name(constant: "claimants")
    private static let end: Int64 = 1 << 62
    /// More than that nobody serves.
    private static let most = 4096

    private let file: OpenFile

    /// nil where that cannot be said in this container, or nobody ever had a claim there and the file is not to be made.
    public init?(of container: Container, making: Bool) {
        guard let state = try? container.state.opened(), let file = try? container.state.file(Self.fileName, making ? [.readWrite, .create] : .readWrite, in: state) else { return nil }
        self.file = file
    }

    /// A claim begins: nil where the store has no such locks.
    public func begin() -> Token? {
        let byte = Int64.random(in: 0..<Self.end)
        return (try? file.descriptor.lockByte(byte)) == nil ? nil : Token(byte)
    }

    public func end(_ token: Token) { file.descriptor.unlockByte(Int64(clamping: token)) }

    /// Those that others have; also others of this process.
    public func others() -> Set<Token> {
        var found: Set<Token> = [], open = [0..<Self.end]
        while let range = open.popLast(), found.count < Self.most {
            guard !range.isEmpty, let byte = try? file.descriptor.lockedByte(in: range) else { continue }
            found.insert(Token(byte))
            open += [range.lowerBound..<max(byte, range.lowerBound), min(byte + 1, range.upperBound)..<range.upperBound]
        }
        return found
    }
}
