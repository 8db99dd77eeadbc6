/// The kinds of documents that there are, in the order in which they are tried.
public enum DocumentKinds {
    public static let all: [any DocumentKind] = [PhotoKind(), TextKind(), BookmarkKind()]
}
