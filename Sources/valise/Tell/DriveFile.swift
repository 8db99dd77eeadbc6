import LinuxFiles
import Shell

/// What a file on a drive tells of itself through `user.valise.*`. Read in a child and handed over as JSON.
struct DriveFile {
    let device: String
    let facts: [ItemInfo.Fact]

    private static let attributes = ["kind", "stored-name", "name", "url", "state", "conflict", "error", "history", "downloading"]

    /// Asks the file. On any other file system there is nothing to learn, and the device says so.
    init(_ path: String) throws(Errno) {
        // A place and no open file: opening would be a request of its own, and may wait.
        let file = try Descriptor.atPath(path, .path)
        device = deviceText(try file.status().identity.device)
        var facts: [ItemInfo.Fact] = [], isDenied = false
        for attribute in Self.attributes {
            do throws(Errno) {
                let value = try file.extendedAttribute(Array("user.valise.\(attribute)".utf8))
                facts.append(ItemInfo.Fact(attribute, String(decoding: value, as: UTF8.self)))
            } catch {
                // What it does not have, or no file there has; a dead drive is another thing, and one that waits for somebody who writes.
                guard !DriveHealth.isDeath(error), error != .busy else { throw error }
                if error == .accessDenied { isDenied = true }
            }
        }
        // Nothing is told of what belongs to the drive itself.
        let isFolder = try file.status().type == .folder
        let plain = isDenied && !isFolder ? ItemInfo.Fact("error", "you may not read it, and so are not told what it is") : ItemInfo.Fact("kind", isFolder ? "folder" : "plain")
        self.facts = facts.isEmpty ? [plain] : facts
    }

    init?(_ json: JSON) {
        guard let device = json["device"]?.string, let facts = json["facts"] else { return nil }
        self.device = device
        self.facts = facts.members.compactMap { member in member.value.string.map { ItemInfo.Fact(member.key, $0) } }
    }

    var json: JSON {
        .object([
            JSON.Member("device", .string(device)),
            JSON.Member("facts", .object(facts.map { JSON.Member($0.key, .string($0.value)) })),
        ])
    }

    func info(_ path: String) -> ItemInfo {
        ItemInfo(path: path, facts: facts)
    }
}
