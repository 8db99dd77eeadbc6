import Containers
import Documents
import LinuxFiles

/// What Apple's programs call the contents of a file, from its name: one table for queries, items and documents. Linux has none.
package enum ContentTypeTable {
    private struct Entry: Sendable {
        let identifier: String, extensions: [String], wider: [String]

        init(_ identifier: String, _ extensions: [String], _ wider: [String]) {
            (self.identifier, self.extensions, self.wider) = (identifier, extensions, wider)
        }
    }

    private static let builtIn = [
        Entry("public.plain-text", ["txt", "text"], ["public.text"]),
        Entry("public.html", ["html", "htm"], ["public.text"]),
        Entry("public.json", ["json"], ["public.text"]),
        Entry("public.xml", ["xml"], ["public.text"]),
        Entry("public.rtf", ["rtf"], ["public.text"]),
        Entry("net.daringfireball.markdown", ["md", "markdown"], ["public.plain-text"]),
        Entry("public.utf8-plain-text", [], ["public.plain-text"]),
        Entry("public.comma-separated-values-text", ["csv"], ["public.text"]),
        Entry("public.text", [], ["public.data", "public.content"]),
        Entry("public.png", ["png"], ["public.image"]),
        Entry("public.jpeg", ["jpg", "jpeg"], ["public.image"]),
        Entry("public.heic", ["heic"], ["public.image"]),
        Entry("public.tiff", ["tiff", "tif"], ["public.image"]),
        Entry("com.compuserve.gif", ["gif"], ["public.image"]),
        Entry("org.webmproject.webp", ["webp"], ["public.image"]),
        Entry("public.svg-image", ["svg"], ["public.image"]),
        Entry("public.image", [], ["public.data", "public.content"]),
        Entry("com.adobe.pdf", ["pdf"], ["public.data", "public.composite-content"]),
        Entry("public.composite-content", [], ["public.content"]),
        Entry("public.zip-archive", ["zip"], ["public.data"]),
        Entry("com.apple.property-list", ["plist"], ["public.data"]),
        Entry("public.url", ["url"], ["public.data"]),
        Entry("public.data", [], ["public.item"]),
        Entry(packageType, [], ["public.directory"]),
        Entry("public.folder", [], ["public.directory"]),
        Entry("public.directory", [], ["public.item"]),
    ]
    private static let typesByExtension = Dictionary(builtIn.flatMap { entry in entry.extensions.map { ($0, entry.identifier) } }) { first, _ in first }

    /// What a program has added, the newest first: it goes before what is built in.
    private static let added = Locked<[Entry]>([])
    private static let made = "dyn."

    package static func add(_ identifier: String, extensions: [String], wider: [String]) {
        added.withLock { $0.insert(Entry(identifier, extensions.map { $0.lowercased() }, wider), at: 0) }
        if tree(of: identifier).contains(packageType) { PackageExtensions.add(extensions.map { $0.lowercased() }) }
    }

    private static let packageType = "com.apple.package"
    /// What Apple's programs call the packages that each drive knows. Those of Pages, Numbers and Keynote are called as their flat files.
    private static let shippedTypes = Set(ShippedPackages.all.compactMap(\.typeIdentifier))

    /// Of a type of which the tables say nothing.
    private static func wider(_ type: String) -> [String] {
        guard shippedTypes.contains(type) else { return ["public.data"] }
        return type.hasPrefix("com.apple.iwork.") ? ["public.data", "public.composite-content"] : [packageType]
    }

    /// The kinds of documents that a program finds, with the packages among the types that it has added.
    package static var kinds: KindRegistry { kinds(askedFor: []) }

    /// And with the folders that somebody asks for by their extension, where no file of that extension is known: packages of an app that has declared none.
    package static func kinds(askedFor extensions: Set<String>) -> KindRegistry {
        let own = added.withLock { $0 }.filter { tree(of: $0.identifier).contains(packageType) }
        let unknown = extensions.filter { identifier(ofItem: Array("x.\($0)".utf8)).hasPrefix(made) }
        return PersonsKinds.own.registry.with(packages: Set(own.flatMap(\.extensions)).union(unknown))
    }

    /// Whether a file of this name is a text; nil where its name does not say what it is.
    static func isText(_ name: Name) -> Bool? {
        let identifier = identifier(ofItem: name.bytes)
        return identifier.hasPrefix(made) || identifier == "public.data" ? nil : tree(of: identifier).contains("public.text")
    }

    /// Of a file or package that is called so, in a container or on a drive. One that nobody knows is made of the extension.
    package static func identifier(ofItem name: [UInt8], _ kinds: KindRegistry = PersonsKinds.own.registry) -> String {
        let word = KindRegistry.fileExtension(of: name) ?? ""
        if !word.isEmpty, let own = added.withLock({ $0.first { $0.extensions.contains(word) } }) { return own.identifier }
        if let kind = kinds.all.first(where: { $0.kind.contentType.itemExtension == word && !word.isEmpty }) { return identifier(of: kind) }
        if let folder = kinds.folders.first(where: { $0.itemExtension == word }) { return folder.typeIdentifier ?? made + word }
        // An app's own names: what is behind the point in a bookmark's is a fraction of a second.
        if let kind = kinds.all.first(where: { isMeant($0, name) }) { return identifier(of: kind) }
        return word.isEmpty ? "public.data" : typesByExtension[word] ?? made + word
    }

    private static func isMeant(_ kind: KindID, _ name: [UInt8]) -> Bool {
        (kind.kind.mayBe(storedName: name, isFolder: false) || kind.kind.mayBe(storedName: name, isFolder: true)) && kind.kind.isMeant(storedName: name)
    }

    /// Of all documents of a kind.
    static func identifier(of kind: KindID) -> String {
        let (identifier, word) = kind.kind.contentType
        return added.withLock { $0.first { $0.extensions.contains(word) } }?.identifier ?? identifier
    }

    /// nil for a type that has none.
    package static func fileExtension(of identifier: String) -> String? {
        if identifier.hasPrefix(made) { return String(identifier.dropFirst(made.count)) }
        let all = added.withLock { $0 } + builtIn
        return all.first { $0.identifier == identifier && !$0.extensions.isEmpty }?.extensions.first
    }

    /// The type first, then what is wider, each once. Of one that nobody knows only that it is data.
    package static func tree(of type: String) -> [String] {
        let all = added.withLock { $0 } + builtIn
        var tree = [type], next = 0
        while next < tree.count {
            let isEnd = ["public.item", "public.content"].contains(tree[next])
            let parents = all.first { $0.identifier == tree[next] }?.wider ?? (isEnd ? [] : wider(tree[next]))
            for parent in parents where !tree.contains(parent) { tree.append(parent) }
            next += 1
        }
        return tree
    }
}
