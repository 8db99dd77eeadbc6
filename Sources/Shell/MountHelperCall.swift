/// How mount(8) calls the program for a type, see "EXTERNAL HELPERS" in its manual:
/// `mount.TYPE SPEC DIR [-sfnv] [-N NAMESPACE] [-o OPTIONS] [-t TYPE]`.
public struct MountHelperCall: Equatable, Sendable {
    /// What is mounted, and is listed as the source, exactly as it was given: `mount -a` compares it with fstab.
    public let container: String
    public let mountpoint: String
    public let options: MountOptions
    /// Do everything except the mounting.
    public let isFake: Bool
    public let isVerbose: Bool
    /// The namespace of mounts to work in, as a file.
    public let namespace: String?

    /// The names under which `valise` is this program.
    public static let names = ["mount.valise", "mount.fuse.valise"]

    /// Whether the first word of a call is one of those.
    public static func isMeant(by program: String) -> Bool {
        names.contains { program == $0 || program.hasSuffix("/\($0)") }
    }

    /// Understands the words after the program's name.
    public init(_ words: [String]) throws(UsageFault) {
        var words = words[...]
        var operands: [String] = [], values: [String] = [], letters: Set<Character> = []
        var namespace: String?
        while let word = words.popFirst() {
            guard word.count > 1, word.hasPrefix("-") else {
                operands.append(word)
                continue
            }
            var rest = word.dropFirst()
            while let letter = rest.popFirst() {
                if "sfnv".contains(letter) {
                    letters.insert(letter)
                    continue
                }
                guard "oNt".contains(letter) else { throw Self.fault("“-\(printable(String(letter)))” is not an option of it") }
                guard let value = rest.isEmpty ? words.popFirst() : String(rest) else { throw Self.fault("“-\(letter)” needs a value") }
                rest = ""
                switch letter {
                case "o": values.append(value)
                case "N": namespace = value
                default: guard value == "valise" || value == "fuse.valise" else { throw Self.fault("“\(printable(value))” is not a type that it mounts") }
                }
            }
        }
        guard operands.count == 2 else { throw Self.fault(operands.count < 2 ? "it needs a container and a mountpoint" : "unexpected operand “\(printable(operands[2]))”") }
        var options = try MountOptions(values, skipsUnknown: letters.contains("s"), isCalledByMount: true)
        if options.source == nil { options.source = operands[0] }
        self.options = options
        self.namespace = namespace
        container = operands[0]
        mountpoint = operands[1]
        isFake = letters.contains("f")
        isVerbose = letters.contains("v")
    }

    private static func fault(_ sentence: String) -> UsageFault {
        UsageFault("called as mount(8) does, \(sentence): mount.valise CONTAINER MOUNTPOINT [-sfnv] [-N NAMESPACE] [-o OPTIONS] [-t TYPE]", exitCode: 1)
    }
}
