/// How much a property list may ask for. Every file is read within these, whoever wrote it.
public struct PropertyListLimits: Hashable, Sendable {
    /// Objects in a binary list, and values in a tree. Shared objects count each time a tree repeats them:
    /// a few hundred bytes of nested, shared arrays would otherwise unfold to gigabytes.
    public var objectCount = 1 << 16
    /// Members of one collection whose keys are looked through.
    public var memberCount = 1 << 10
    /// Small stretches of the file that are read to look something up.
    public var windowCount = Int.max
    /// Collections inside collections.
    public var depth = 16
    /// Bytes of one string as the file has it.
    public var stringLength = 1 << 21
    /// Bytes of a list in the XML form, which is read whole.
    public var markupLength = 1 << 23
    /// Bytes taken into memory in all, references (8 each) and kept data included.
    public var memory = 1 << 25

    public init() {}

    public static let standard = PropertyListLimits()

    /// For a few fields out of a file: any honest one gives them after a few stretches, whatever its length.
    public var lookingUp: PropertyListLimits {
        var limits = self
        limits.windowCount = min(windowCount, 56)
        return limits
    }

    /// For all that is in a file.
    public var readingAll: PropertyListLimits {
        var limits = self
        limits.windowCount = .max
        return limits
    }
}
