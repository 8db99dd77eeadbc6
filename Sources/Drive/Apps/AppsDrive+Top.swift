import Containers
import Glibc
import LinuxFiles

// What stat says of the top and of the apps' folders, and the status page.

extension AppsDrive {
    static let statusName = Name(constant: "status")

    func entry(_ node: NodeID, _ attributes: Attributes) -> Entry { Entry(node: node, generation: 0, attributes: attributes) }

    /// Nobody makes anything beside the apps' folders, so that nobody is told that they may.
    func topAttributes() throws(Errno) -> Attributes {
        var status = try folder.descriptor.status()
        status.mode &= ~0o222
        return shown(status, as: .root)
    }

    func attributes(of slot: AppSlot) throws(Errno) -> Attributes {
        var attributes: Attributes
        if let drive = slot.opened {
            attributes = slot.number.outer(try drive.attributes(of: .root, handle: nil))
        } else {
            let container = try folder.descriptor.open(slot.folder, [.path, .folder])
            attributes = shown(try Container.documentsStatus(of: container, named: slot.folder), as: slot.number.outer(.root))
        }
        // Whether its folder is there still is asked of that.
        attributes.keeps = .briefly
        return attributes
    }

    private func shown(_ status: FileStatus, as node: NodeID) -> Attributes {
        Attributes(
            node: node, mode: status.mode & ~((options.umask ?? 0) & 0o777), links: status.links, owner: options.owner ?? status.owner,
            group: options.group ?? status.group, device: 0, size: status.size, blocks: status.blocks, accessed: status.accessed,
            modified: status.modified, changed: status.changed, keeps: .briefly)
    }

    /// `.valise` of the whole drive, and the page in it.
    func fixedAttributes(of node: NodeID) -> Attributes {
        let isFolder = node != .status
        return Attributes(
            node: node, mode: isFolder ? 0o040555 : 0o100444, links: isFolder ? 2 : 1, owner: options.owner ?? getuid(),
            group: options.group ?? getgid(), device: 0, size: 0, blocks: 0, accessed: mount.since, modified: mount.since, changed: mount.since,
            keeps: isFolder ? .briefly : .not)
    }

    private func addPage(_ page: [UInt8]) -> HandleID { withHandles { $0.add(page: page) } }

    func openStatus() -> Opened {
        var opened = Opened(handle: addPage(statusText()))
        (opened.keepsCache, opened.bypassesCache) = (false, true)
        return opened
    }

    /// What a drive of one container says of itself and its mount, and which containers there are.
    private func statusText() -> [UInt8] {
        let slots = slots, apps = (try? apps()) ?? []
        var page = JSONText()
        page.object { page in
            page.field("valise", Drive.version)
            page.field("container", path)
            page.field("mountpoint", mount.path)
            page.field("process", Int64(getpid()))
            page.field("since", mount.since.seconds)
            page.field("readOnly", options.readOnly)
            page.field("memory", StatusPage.residentBytes())
            if let log = mount.log { page.field("log", log) }
            page.field("sandbox", mount.sandbox)
            if let means = mount.kernelMeans { page.field("kernel", means) }
            page.field("counted", false)
            page.array("apps") { page in
                for app in apps {
                    let slot = slots.first { $0.folder == app.folder }
                    page.object { page in
                        page.field("name", "\(app.name)")
                        page.field("container", "\(path)/\(app.folder)")
                        page.field("app", app.identifier.text)
                        page.field("open", slot?.opened != nil)
                        if let failure = slot?.failure { page.field("reason", failure.sentence) }
                    }
                }
            }
        }
        return page.bytes
    }
}
