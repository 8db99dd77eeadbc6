/// The kinds there are.
public enum DocumentKinds {
    public static let all: [any DocumentKind] = [BookmarkKind(), PhotoKind(), TextKind()]
}
