/// What a type is a kind of, as far as Apple's types of documents go.
enum ContentTypeTree {
    private static let wider: [String: [String]] = [
        "public.plain-text": ["public.text"], "public.html": ["public.text"], "public.json": ["public.text"], "public.xml": ["public.text"],
        "public.rtf": ["public.text"], "net.daringfireball.markdown": ["public.plain-text"], "public.utf8-plain-text": ["public.plain-text"],
        "public.text": ["public.data", "public.content"],
        "public.png": ["public.image"], "public.jpeg": ["public.image"], "public.heic": ["public.image"], "public.tiff": ["public.image"],
        "com.compuserve.gif": ["public.image"], "org.webmproject.webp": ["public.image"], "public.image": ["public.data", "public.content"],
        "com.adobe.pdf": ["public.data", "public.composite-content"], "public.composite-content": ["public.content"],
        "com.apple.property-list": ["public.data"], "public.data": ["public.item"],
        "com.apple.package": ["public.directory"], "public.folder": ["public.directory"], "public.directory": ["public.item"],
    ]

    /// It first, then what is wider, each once. Of one that nobody knows only that it is data.
    static func of(_ type: String) -> [String] {
        var tree = [type], next = 0
        while next < tree.count {
            let isEnd = ["public.item", "public.content"].contains(tree[next])
            for parent in wider[tree[next]] ?? (isEnd ? [] : ["public.data"]) where !tree.contains(parent) { tree.append(parent) }
            next += 1
        }
        return tree
    }
}
