import LinuxFiles

/// Which versions stay. Every one of the last hour, then one an hour, one a day, one a week, as long as there is room.
public enum VersionPolicy: Hashable, Sendable {
    /// Nothing is kept, and nobody looks whether others change a document at once. What was kept before stays.
    case off
    /// Everything stays.
    case all
    /// Older ones are thinned, and take at most so many hundredths of the container's size.
    case thinned(percent: Int)

    public static let standard = VersionPolicy.thinned(percent: standardPercent)
    static let standardPercent = 10

    var keeps: Bool { self != .off }

    static let hour: Int64 = 3600, day: Int64 = 86_400, week: Int64 = 604_800
    /// A clock that jumps makes everything old at once, or new: so many of each document stay whatever their times say.
    static let alwaysKept = 10
    /// Small containers have room for more than their share.
    static let leastRoom: Int64 = 64 << 20
    /// So have those on a store with much room: a tenth of what is free there.
    static let freeParts: Int64 = 10

    /// Which of a document's versions go, and which stay as long as there is room.
    ///
    /// Ages are counted from the newest of them and not from the clock: what was not touched for a year keeps
    /// the last hour of its work.
    static func superfluous(_ versions: [DocumentVersion]) -> [DocumentVersion] {
        let sorted = versions.filter(\.isDiscardable).sorted { $0.id > $1.id }
        guard let newest = sorted.first?.modified.seconds else { return [] }
        var seen: Set<Span> = []
        var superfluous: [DocumentVersion] = []
        for (index, version) in sorted.enumerated() {
            guard let span = Span(version.modified.seconds, newest: newest) else { continue }
            // The newest of each span stays.
            if seen.insert(span).inserted || index < alwaysKept { continue }
            superfluous.append(version)
        }
        return superfluous
    }

    /// The span of time of which one version stays; nil where each does.
    private struct Span: Hashable {
        let length: Int64
        let number: Int64

        init?(_ seconds: Int64, newest: Int64) {
            let age = newest - seconds
            guard age >= hour else { return nil }
            length = age < day ? hour : age < 30 * day ? day : week
            number = seconds >= 0 ? seconds / length : (seconds - length + 1) / length
        }
    }
}
