import Glibc
import Documents
import LinuxFiles

/// The kinds of documents that all containers have for the person who runs a program: those that are shipped, and those of two files,
/// `/etc/valise/kinds` for everybody and `~/.config/valise/kinds` for this person (`KindsFile.swift`).
public struct PersonsKinds: Sendable {
    public let registry: KindRegistry
    /// What is wrong in the files, in sentences that say where.
    public let mistakes: [String]

    private static let known = Latest<PersonsKinds?>(nil)

    /// Read once, when they are first asked for.
    public static var own: PersonsKinds { known.value ?? read() }

    /// Reads them anew. To be called by a process that has become another user, and before it shuts itself in.
    @discardableResult public static func read() -> PersonsKinds {
        let kinds = PersonsKinds { name in
            // SAFETY: the text is copied at once.
            unsafe getenv(name).map { unsafe String(cString: $0) }
        }
        known.set(kinds)
        return kinds
    }

    static let everybodys = "/etc/valise/kinds"
    private static let longestFile = 64 * 1024

    init(everybodys: String = everybodys, _ variable: (String) -> String?) {
        var registry = KindRegistry.shipped, mistakes: [String] = []
        for path in [everybodys, NamedContainers.file("kinds", home: variable("HOME") ?? "/", variable)] {
            do throws(Errno) {
                let file = try Descriptor.atPath(path, [.read, .nonBlocking])
                guard try file.status().type == .regular else { throw .invalid }
                let found = registry.with(KindsFile(try file.readAll(limit: Self.longestFile)))
                registry = found.registry
                mistakes += found.mistakes.map { Self.sentence($0, in: path) }
            } catch {
                // Of a home that is not this user's, nobody knows whether there are any.
                guard ![.noSuchEntry, .notDirectory].contains(error), (try? Descriptor.status(atPath: Array(path.utf8))) != nil else { continue }
                mistakes.append("“\(path)” cannot be read, so its kinds of documents are not known: \(error)")
            }
        }
        (self.registry, self.mistakes) = (registry, mistakes)
    }

    static func sentence(_ mistake: KindsFile.Mistake, in path: String) -> String { "“\(path)”, line \(mistake.line): \(mistake.sentence)" }
}
