import Glibc
import LinuxFiles

/// Which claims there are, as whoever serves next can see it when the one who granted them is gone: each has a byte of a file locked, from
/// before it is asked for until it has ended. The kernel unlocks it where a program ends, however that ends. Each program that presents items has one,
/// too, above those of claims.
public final class Claimants: Sendable {
    public typealias Token = UInt64
    package static let fileName = Name(constant: "claimants")
    private static let end: Int64 = 1 << 62
    /// Programs that present items have numbers of so many bits, which all of their presenters' names begin with.
    private static let programBits = 40
    /// Nobody serves more claims than that.
    private static let most = 4096

    private static let sayThereAreNone: Set<Errno> = [.invalid, .notSupported, .notImplemented, Errno(rawValue: ENOLCK)]

    private let file: OpenFile

    /// For who is about to have claims; nil where that cannot be said in this container.
    public init?(of container: Container) {
        guard let state = try? container.state.opened(), let file = try? container.state.file(Self.fileName, [.readWrite, .create], in: state) else { return nil }
        self.file = file
    }

    /// nil where nobody ever had a claim there, or it is none of Valise's own.
    public static func existing(of container: Container) throws(Errno) -> Claimants? {
        do throws(StateFault) {
            guard let state = try container.state.opened() else { return nil }
            return Claimants(try container.state.file(fileName, .readWrite, in: state))
        } catch {
            guard case .failed(let errno) = error, errno != .noSuchEntry else { return nil }
            throw errno
        }
    }

    private init(_ file: OpenFile) { self.file = file }

    /// A claim begins: nil where the store has no such locks. A call that fails once is made once more: without this nobody would wait for
    /// the claim when the lock is handed over.
    public func begin() -> Token? {
        for _ in 0..<Self.tries {
            let byte = Int64.random(in: 0..<Self.end)
            if (try? file.descriptor.lockByte(byte)) != nil { return Token(byte) }
        }
        return nil
    }

    private static let tries = 3

    /// A program presents items from now on. False where the store has no such locks.
    public func begin(presentersOf program: UInt64) -> Bool {
        let byte = Int64(clamping: Self.token(ofPresenters: program))
        return (0..<Self.tries).contains { _ in (try? file.descriptor.lockByte(byte)) != nil }
    }

    public func end(presentersOf program: UInt64) { end(Self.token(ofPresenters: program)) }

    public static func token(ofPresenters program: UInt64) -> Token { Token(end) + program & (UInt64.max >> (64 - programBits)) }
    public static func isOfPresenters(_ token: Token) -> Bool { token >= Token(end) }
    /// The number of the program that a presenter of this name is of.
    public static func program(ofPresenter name: UInt64) -> UInt64 { name >> (64 - programBits) }

    /// A name for a presenter of a program, unlike all others.
    public static func presenterName(_ number: UInt32, of program: UInt64) -> UInt64 {
        program << (64 - programBits) | UInt64(number) & (UInt64.max >> programBits)
    }

    public static func newProgram() -> UInt64 { UInt64.random(in: 1..<(1 << programBits)) }

    public func end(_ token: Token) { file.descriptor.unlockByte(Int64(clamping: token)) }

    /// Those that others have; also others of this process. Where the kernel does not say it nobody may take them for gone; where
    /// the store has no such locks nobody has one.
    public func others() throws(Errno) -> Set<Token> { try locked(in: 0..<Self.end) }

    /// The same for programs that present items.
    public func presenters() throws(Errno) -> Set<Token> { try locked(in: Self.end..<(Self.end + 1 << Self.programBits)) }

    private func locked(in range: Range<Int64>) throws(Errno) -> Set<Token> {
        var found: Set<Token> = [], open = [range]
        while let range = open.popLast(), found.count < Self.most {
            guard !range.isEmpty else { continue }
            let locked: Int64?
            do throws(Errno) { locked = try file.descriptor.lockedByte(in: range) } catch {
                if Self.sayThereAreNone.contains(error) { return [] }
                throw error
            }
            guard let byte = locked else { continue }
            found.insert(Token(byte))
            open += [range.lowerBound..<max(byte, range.lowerBound), min(byte + 1, range.upperBound)..<range.upperBound]
        }
        return found
    }
}
