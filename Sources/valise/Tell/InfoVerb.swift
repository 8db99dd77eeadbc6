import Containers
import Documents
import Glibc
import LinuxFiles
import Shell

/// `valise info`: what each document is.
func infoVerb(_ arguments: Arguments) -> Int32 {
    var code: Int32 = 0
    var answers: [JSON] = []
    let isForProgram = arguments.has(.json)
    for path in arguments.operands {
        do throws(Stop) {
            let info = try itemInfo(path)
            if isForProgram { answers.append(info.json(path: writtenPath(path))) } else { printOut(info.text) }
        } catch {
            code = 1
            if isForProgram { answers.append(JSONAnswer.fault(error.sentence, path: writtenPath(path))) } else { printError(error.sentence) }
        }
    }
    if isForProgram { printOut(JSONAnswer.line("documents", answers)) }
    return code
}

/// With the reason, of a plain file with which nothing is wrong.
private func explained(_ info: ItemInfo, on drive: MountTable.Mount?) -> ItemInfo {
    guard info.facts.contains(ItemInfo.Fact("kind", "plain")), !info.facts.contains(where: { $0.key == "error" }), let file = PlainFile(info.path) else { return info }
    guard let drive else { return info.adding("why", file.reasonInContainer) }
    guard let kinds = try? StatusSource.page(of: drive)["creates"]?.elements.compactMap(\.string) else { return info }
    return info.adding("why", file.reason(creating: kinds))
}

/// With what can be done, of a draft that cannot be saved.
private func advised(_ info: ItemInfo) -> ItemInfo {
    guard info.facts.contains(ItemInfo.Fact("state", "draft")), info.facts.contains(where: { $0.key == "error" }) else { return info }
    return info.adding("next", "write it anew, or give up what was written: valise restore \(shellWord(info.path)) --saved")
}

/// Of a document of which something waits to be saved: a drive that is read-only does not show it.
private func withWaiting(_ info: ItemInfo, on drive: MountTable.Mount) -> ItemInfo {
    guard drive.isReadOnly, let page = try? StatusReport(StatusSource.page(of: drive)), let path = try? foundPath(info.path),
        page.drafts.named.contains(where: { $0.waits && "\(drive.mountpoint)/\($0.file)" == path })
    else { return info }
    let place = shellWord(drive.mountpoint)
    return info.adding("waiting", "changes of it, which this drive does not show")
        .adding("next", "to have them saved, mount it for writing: valise unmount \(place) && valise mount \(page.container.map(shellWord) ?? "CONTAINER") \(place)")
}

/// Of a document or a plain file in a container that Valise has used, to who may remove them.
private func withVersions(_ info: ItemInfo) -> ItemInfo {
    guard info.isDocument || info.facts.contains(ItemInfo.Fact("kind", "plain")), let document = try? NamedDocument(info.path),
        let room = try? document.container.versionsRoom(at: document.place.path + [document.place.stored]), room.items > 0
    else { return info }
    return info.with(StatusReport.Room(items: Int64(room.items), size: room.size))
}

private func itemInfo(_ path: String) throws(Stop) -> ItemInfo {
    switch Child.ask({ () throws(Errno) in Array(try DriveFile(path).json.line.utf8) }) {
    case .answer(let bytes):
        guard let file = JSON(bytes).flatMap({ DriveFile($0) }) else { throw Stop(1, "cannot read what \(quoted(path)) is") }
        if let drive = try drive(of: path, on: file.device) { return withVersions(withWaiting(advised(explained(file.info(path), on: drive)), on: drive)) }
        do throws(Failure) { return withVersions(explained(try ContainerItem.describe(path), on: nil)) }
        catch { throw Stop(1, error.sentence) }
    case .failed(let error):
        let dead = DriveHealth.isDeath(error) ? "; the drive it is on is dead: valise doctor" : ""
        throw Stop(1, unseen(path, error) + dead)
    case .silent:
        let mounts = try MountTable.now().drivesAndApps
        let written = writtenPath(path)
        let holding = mounts.last { isInside(written, $0.mountpoint) }
        throw Stop(1, holding.map { DriveSentence.silent($0) } ?? "\(quoted(path)) is on a file system that does not answer")
    }
}

/// The drive that an item is on, by the file system that it is on: a path may be a link. Of a drive that shows several containers, by its path there.
private func drive(of path: String, on device: String) throws(Stop) -> MountTable.Mount? {
    let table = try MountTable.now()
    guard let drive = table.mount(onDevice: device), drive.isDrive else { return nil }
    return drive.showsApps ? (try? foundPath(path)).flatMap { table.mount(under: $0) } ?? drive : drive
}
