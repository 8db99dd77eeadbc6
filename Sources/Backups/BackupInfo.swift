import LinuxFiles
import PropertyLists

/// What the three lists beside the manifest say of a backup: Info.plist, Manifest.plist and Status.plist. Each may be
/// missing, and nothing is believed of a version number: how a backup is read is told by what is there.
package struct BackupInfo: Sendable {
    /// “Anna's iPhone”.
    package let deviceName: String?
    /// “iPhone14,5”.
    package let productType: String?
    /// “17.4”.
    package let productVersion: String?
    /// The device's number.
    package let identifier: String?
    /// Seconds since 1970.
    package let date: Int64?
    /// It was not made to its end, as far as Status.plist says.
    package let isUnfinished: Bool
    /// What Manifest.plist says; it may be wrong.
    package let isSaidToBeEncrypted: Bool
    let keybag: [UInt8]?
    let manifestKey: WrappedKey?
    /// What apps are called, by their identifiers.
    package let appNames: [String: String]

    /// An iPad's files are “On My iPad”.
    package var isTablet: Bool { productType?.hasPrefix("iPad") ?? false }

    private static let longest = 64 << 20, mostApps = 4096, longestName = 200
    private static let between1970And2001: Double = 978_307_200

    /// Icons are in there, of each app.
    private static let limits: PropertyListLimits = {
        var limits = PropertyListLimits()
        limits.markupLength = longest
        limits.memory = 2 * longest
        return limits
    }()

    /// Of a backup that says nothing of itself.
    static let none = BackupInfo(info: nil, manifest: nil, status: nil)

    init(in folder: OpenFile) throws(Failure) {
        self.init(
            info: try Self.list("Info.plist", in: folder), manifest: try Self.list("Manifest.plist", in: folder),
            status: try Self.list("Status.plist", in: folder))
    }

    private init(info: PropertyList?, manifest: PropertyList?, status: PropertyList?) {
        let lockdown = manifest?["Lockdown"]
        deviceName = info?["Device Name"]?.text ?? info?["Display Name"]?.text ?? lockdown?["DeviceName"]?.text
        productType = info?["Product Type"]?.text ?? lockdown?["ProductType"]?.text
        productVersion = info?["Product Version"]?.text ?? lockdown?["ProductVersion"]?.text
        identifier =
            info?["Unique Identifier"]?.text ?? info?["Target Identifier"]?.text ?? lockdown?["UniqueDeviceID"]?.text
        date =
            Self.seconds(info?["Last Backup Date"]) ?? Self.seconds(status?["Date"]) ?? Self.seconds(manifest?["Date"])
        isUnfinished = status?["SnapshotState"]?.text.map { $0 != "finished" } ?? false
        isSaidToBeEncrypted = manifest?["IsEncrypted"] == .boolean(true)
        keybag = manifest?["BackupKeyBag"].flatMap(Self.data)
        manifestKey = manifest?["ManifestKey"].flatMap(Self.data).flatMap { WrappedKey($0[...]) }
        appNames = Self.appNames(info?["Applications"])
    }

    /// nil where there is none. One that is damaged ends it: without Manifest.plist nobody knows whether there is a
    /// password.
    private static func list(_ name: StaticString, in folder: OpenFile) throws(Failure) -> PropertyList? {
        let name = Name(constant: name), bytes: [UInt8]
        do throws(Errno) {
            bytes = try folder.descriptor.open(name, [.read, .nonBlocking]).readAll(limit: longest)
        } catch {
            guard error != .noSuchEntry else { return nil }
            throw Failure.cannot("read", name, error)
        }
        do throws(PropertyListFault) { return try PropertyList(reading: Bytes(bytes), limits: limits) } catch {
            throw Failure(
                .inputOutput, "“\(name)” of the backup cannot be understood: \(sentence(error))", cause: error)
        }
    }

    private static func sentence(_ fault: PropertyListFault) -> String {
        switch fault {
        case .foreign(let text), .damaged(let text), .excessive(let text): text
        case .unreadable: "it cannot be read"
        }
    }

    private static func data(_ value: PropertyList) -> [UInt8]? {
        guard case .data(let bytes) = value else { return nil }
        return bytes
    }

    private static func seconds(_ value: PropertyList?) -> Int64? {
        guard case .date(let moment)? = value else { return nil }
        return Int64(exactly: (moment + between1970And2001).rounded(.down))
    }

    /// Each app has the list that the App Store sends along, and the name is in there.
    private static func appNames(_ apps: PropertyList?) -> [String: String] {
        guard case .dictionary(let members)? = apps else { return [:] }
        var names: [String: String] = [:]
        for app in members.prefix(mostApps) {
            guard let bytes = app.value["iTunesMetadata"].flatMap(data),
                let list = try? PropertyList(reading: Bytes(bytes))
            else { continue }
            let name = ["bundleDisplayName", "itemName", "title"].lazy.compactMap { list[$0]?.text }.first {
                !$0.isEmpty
            }
            if let name, name.utf8.count <= longestName { names[app.key] = name }
        }
        return names
    }
}
