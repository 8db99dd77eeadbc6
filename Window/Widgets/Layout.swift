import CWindow

/// A screen as it is described in GtkBuilder's language, and its parts by their names.
@MainActor
public final class Layout {
    private let builder: Part

    /// A description belongs to the program: one that cannot be built is a mistake in it, and is found when it is started the first time.
    public init(_ description: [UInt8]) {
        let description = String(decoding: description, as: UTF8.self)
        var fault: UnsafeMutablePointer<CChar>?
        let built = CWindow_build(description, description.utf8.count, &fault)
        guard let built else { fatalError("A screen's description: \(Part.taken(fault))") }
        builder = Part(owned: built)
    }

    public func part(_ name: String) -> Part {
        guard let part = CWindow_part(builder.object, name) else { fatalError("A screen's description has no “\(name)”.") }
        return Part(owned: part)
    }
}
