import Glibc
import LinuxFiles
import Shell

/// `valise info`: what each document is.
func infoVerb(_ arguments: Arguments) -> Int32 {
    var code: Int32 = 0
    var told: [JSON] = []
    let isForProgram = arguments.has(.json)
    for path in arguments.operands {
        do throws(Stop) {
            let info = try itemInfo(path)
            if isForProgram { told.append(info.json(path: writtenPath(path))) } else { say(info.text) }
        } catch {
            code = 1
            if isForProgram { told.append(JSONAnswer.fault(error.sentence, path: writtenPath(path))) } else { complain(error.sentence) }
        }
    }
    if isForProgram { say(JSONAnswer.line("documents", told)) }
    return code
}

private func itemInfo(_ path: String) throws(Stop) -> ItemInfo {
    switch Child.ask({ () throws(Errno) in Array(try DriveFile(path).json.line.utf8) }) {
    case .answer(let bytes):
        guard let file = JSON(bytes).flatMap({ DriveFile($0) }) else { throw Stop(1, "cannot read what \(quoted(path)) is") }
        if let drive = try MountTable.now().mount(onDevice: file.device), drive.isDrive { return file.info(path) }
        do throws(Failure) { return try ContainerItem.describe(path) }
        catch { throw Stop(1, error.sentence) }
    case .failed(let error):
        let dead = DriveHealth.isDeath(error) ? "; the drive it is on is dead: valise doctor" : ""
        throw Stop(1, "cannot look at \(quoted(path)): \(error)\(dead)")
    case .silent:
        let mounts = try MountTable.now().drives
        let written = writtenPath(path)
        let holding = mounts.last { isInside(written, $0.mountpoint) }
        throw Stop(1, holding.map { DriveSentence.silent($0) } ?? "\(quoted(path)) is on a file system that does not answer")
    }
}
