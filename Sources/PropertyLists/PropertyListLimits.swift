/// How much a property list may ask for. Every file is read within these, whoever wrote it.
public struct PropertyListLimits: Hashable, Sendable {
    /// Objects in a binary list, and values in a tree. Shared objects count each time a tree repeats them:
    /// a few hundred bytes of nested, shared arrays would otherwise unfold to gigabytes.
    public var objectCount = 1 << 16
    /// Members of one collection whose keys are looked through.
    public var memberCount = 1 << 10
    /// Collections inside collections.
    public var depth = 16
    /// Bytes of one string as the file has it.
    public var stringLength = 1 << 21
    /// Bytes taken into memory in all, references (8 each) and kept data included.
    public var memory = 1 << 25

    public init() {}

    public static let standard = PropertyListLimits()
}
