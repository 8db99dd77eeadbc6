/// A kind of packages that are shown as the folders that they are, and are one item all the same: programs work inside, and in it nothing is a
/// document by itself.
public struct FolderKind: Hashable, Sendable {
    public let name: String
    /// In small letters.
    public let itemExtension: String
    /// A folder of such a name is one of these only where one of these parts is in it; none are needed where this is empty.
    public let required: [DocumentPart]
    /// What Apple's programs call it, if somebody has said.
    public let typeIdentifier: String?
    /// What its person wrote down, who may have meant another way to show it; nil for a kind that cannot be written so.
    public let section: String?

    public init(name: String, itemExtension: String, required: [DocumentPart] = [], typeIdentifier: String? = nil) {
        let needed = required.isEmpty ? "" : "required = \(required.map(\.written).joined(separator: ", "))\n"
        let type = typeIdentifier.map { "type = \($0)\n" } ?? ""
        self.init(
            name: name, itemExtension: itemExtension, required: required, typeIdentifier: typeIdentifier,
            section: "[\(name)]\nextension = \(itemExtension)\n\(needed)shown = folder\n\(type)")
    }

    init(name: String, itemExtension: String, required: [DocumentPart], typeIdentifier: String?, section: String?) {
        (self.name, self.itemExtension, self.required, self.typeIdentifier) = (name, itemExtension, required, typeIdentifier)
        self.section = section
    }
}
