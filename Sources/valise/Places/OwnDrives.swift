import LinuxFiles
import Shell

/// What is looked at: what somebody named, or all drives of this user's. A drive that cannot be asked, because its process has ended, is complained of, and
/// the others are looked at all the same.
struct OwnDrives<Place> {
    let places: [Place]
    /// 1 where one of them could not be asked.
    let code: Int32

    /// `one` looks at what was named. Of a drive that shows several containers each is asked by itself.
    init(
        _ named: String?, one: (String) throws(Stop) -> Place, asking place: (MountTable.Mount) throws(Stop) -> Place
    ) throws(Stop) {
        let mounts: [MountTable.Mount]
        if let named {
            guard case .apps(let drive)? = try? NamedPlace(named) else {
                (places, code) = ([try one(named)], 0)
                return
            }
            mounts = try MountTable.now().apps(on: drive)
        } else {
            mounts = try MountTable.now().ownContainers
        }
        var places: [Place] = [], code: Int32 = 0
        for mount in mounts {
            do throws(Stop) { places.append(try place(mount)) } catch {
                printError(error.sentence)
                code = error.code
            }
        }
        (self.places, self.code) = (places, code)
    }

    var isEmpty: Bool { places.isEmpty && code == 0 }
}
