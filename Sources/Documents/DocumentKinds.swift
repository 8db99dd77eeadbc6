public enum DocumentKinds { public static let all: [any DocumentKind] = [] }
