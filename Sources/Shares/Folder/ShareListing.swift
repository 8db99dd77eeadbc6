import Hashes
import LinuxFiles

/// What lies in a share at a moment, as far as its names and its heads say it.
struct ShareListing {
    struct Device {
        var files: [FactFileName: ShareReadings.Stamp] = [:]
        var head: ShareHead?
        /// It has one that is read in another look.
        var hasUnreadHead = false
        /// Names that are no files of facts, of this device's own folder only.
        var unfinished: [Name] = []
        var isEmpty: Bool { files.isEmpty && head == nil && !hasUnreadHead }
    }

    private(set) var devices: [ShareDevice: Device] = [:]

    /// A head that is to be read.
    private struct UnreadHead {
        let device: ShareDevice, folder: OpenFile, stamp: ShareReadings.Stamp
    }

    /// `own` has to be read, or nothing is said; of the others each is not there yet where it cannot be read.
    init(_ folder: ShareFolder, own: ShareDevice, _ readings: ShareReadings) throws(Errno) {
        var unread: [UnreadHead] = []
        for device in try folder.devices() {
            if device == own {
                guard let opened = try folder.folder(of: device) else { continue }
                devices[device] = try Self.look(opened, device, readings, &unread)
            } else {
                var found: [UnreadHead] = []
                devices[device] = try ShareFolder.present { () throws(Errno) in
                    try folder.folder(of: device).map { (opened) throws(Errno) in try Self.look(opened, device, readings, &found) } ?? Device()
                } ?? Device()
                unread += found
            }
        }
        readings.forget(besides: Set(devices.keys))
        // Small ones first: who writes large ones keeps nobody else from being heard.
        for head in unread.sorted(by: { ($0.device == own ? 0 : 1, $0.stamp.size, $0.device.number) < ($1.device == own ? 0 : 1, $1.stamp.size, $1.device.number) }) {
            guard head.device == own || !readings.isSpentOnHeads else {
                devices[head.device]?.hasUnreadHead = true
                continue
            }
            if head.device == own {
                devices[own]?.head = try readings.readHead(of: own, head.stamp, in: head.folder)
            } else {
                devices[head.device]?.head = try ShareFolder.present { () throws(Errno) in try readings.readHead(of: head.device, head.stamp, in: head.folder) } ?? nil
            }
        }
    }

    private static func look(_ folder: OpenFile, _ device: ShareDevice, _ readings: ShareReadings, _ unread: inout [UnreadHead]) throws(Errno) -> Device {
        var found = Device()
        for entry in try ShareFolder.names(in: folder) where entry.type == .regular {
            let name = FactFileName(entry.name)
            if name != nil || entry.name == ShareFolder.head {
                guard let status = try ShareFolder.present({ () throws(Errno) in try folder.descriptor.status(of: entry.name) }) else { continue }
                let stamp = ShareReadings.Stamp(status)
                if let name { found.files[name] = stamp } else if let known = readings.knownHead(of: device, stamp) { found.head = known } else {
                    unread.append(UnreadHead(device: device, folder: folder, stamp: stamp))
                }
            } else if ShareFolder.isUnfinished(entry.name) {
                found.unfinished.append(entry.name)
            }
        }
        return found
    }

    func others(than own: ShareDevice) -> [(device: ShareDevice, seen: Device)] {
        devices.filter { $0.key != own && !$0.value.isEmpty }.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    }
}
