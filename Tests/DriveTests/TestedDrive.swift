import Foundation
import LinuxFiles
import MountTesting

@testable import Containers
@testable import Drive

/// A drive that writes to a new container and is mounted nowhere, with the container's path.
func withUnmountedDrive(_ options: DriveOptions = DriveOptions(), versions: VersionPolicy = .off, _ body: (Drive, String) throws -> Void) throws {
    let folder = try TemporaryFolder()
    try NewContainer.make(at: folder.path, kinds: nil, samples: false)
    let container = try Container.open(folder.path, access: .readWrite, kinds: .shipped)
    try body(Drive(container: container, options: options, workshop: try Workshop.open(in: container, purpose: "tested", versions: versions)), folder.path)
}

extension Drive {
    func write(_ content: [UInt8], to opened: Opened) throws(Errno) {
        _ = try write(opened.handle, at: 0, count: content.count) { (descriptor, offset) in pwrite(descriptor, content, content.count, off_t(offset)) }
    }
}
