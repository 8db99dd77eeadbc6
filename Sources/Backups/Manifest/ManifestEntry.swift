/// What a manifest says of one file, folder or link, in whichever form.
package struct ManifestEntry: Hashable, Sendable {
    package enum Kind: UInt8, Sendable { case file, folder, link }

    package var kind: Kind
    /// nil where the manifest names none that can be one: its content is nowhere then.
    package var id: FileID?
    package var domain: [UInt8]
    /// From the domain's folder on; empty for that folder itself.
    package var path: [UInt8]
    package var facts = MBFile()

    package init(_ kind: Kind, id: FileID?, domain: [UInt8], path: [UInt8]) {
        (self.kind, self.id, self.domain, self.path) = (kind, id, domain, path)
    }

    /// A name that is longer is in no honest manifest.
    static let longestPath = 4096, longestDomain = 255
}

extension ManifestEntry.Kind {
    /// By the type in a mode.
    init?(mode: UInt32) {
        switch mode & 0xF000 {
        case 0x8000: self = .file
        case 0x4000: self = .folder
        case 0xA000: self = .link
        default: return nil
        }
    }
}
