/// Whether what is deleted on a drive is kept, and for how long. It shares the room that versions have.
public enum DeletedPolicy: Hashable, Sendable {
    /// Nothing is kept from now on. What was kept before stays.
    case off
    case days(Int)

    public static let standard = DeletedPolicy.days(30)

    var keeps: Bool { self != .off }
}
