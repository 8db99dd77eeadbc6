import Hashes
import LinuxFiles

/// What lies in a share at a moment, as far as its names and its heads say it.
struct ShareListing {
    struct Device {
        var files: [FactFileName: Int64] = [:]
        var head: ShareHead?
        /// Names that are no files of facts, of this device's own folder only.
        var unfinished: [Name] = []
        var isEmpty: Bool { files.isEmpty && head == nil }
    }

    private(set) var devices: [ShareDevice: Device] = [:]

    /// `own` has to be read, or nothing is said; of the others each is not there yet where it cannot be read.
    init(_ folder: ShareFolder, own: ShareDevice) throws(Errno) {
        for device in try folder.devices() {
            if device == own {
                guard let opened = try folder.folder(of: device) else { continue }
                devices[device] = try Self.look(opened)
            } else {
                devices[device] = try ShareFolder.present { () throws(Errno) in try folder.folder(of: device).map(Self.looked) ?? Device() } ?? Device()
            }
        }
    }

    private static func looked(_ folder: OpenFile) throws(Errno) -> Device { try look(folder) }

    private static func look(_ folder: OpenFile) throws(Errno) -> Device {
        var device = Device()
        for entry in try ShareFolder.names(in: folder) where entry.type == .regular {
            if let name = FactFileName(entry.name) {
                guard let status = try ShareFolder.present({ () throws(Errno) in try folder.descriptor.status(of: entry.name) }) else { continue }
                device.files[name] = status.size
            } else if entry.name == ShareFolder.head {
                device.head = try ShareFolder.read(entry.name, in: folder, limit: ShareHead.largest).flatMap { ShareHead($0) }
            } else if ShareFolder.isUnfinished(entry.name) {
                device.unfinished.append(entry.name)
            }
        }
        return device
    }

    func others(than own: ShareDevice) -> [(device: ShareDevice, seen: Device)] {
        devices.filter { $0.key != own && !$0.value.isEmpty }.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    }
}
