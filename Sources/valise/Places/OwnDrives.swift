import LinuxFiles
import Shell

/// What is looked at where nobody named a drive: all of this user's. One that cannot be asked, because its process has ended, is complained of,
/// and keeps nobody from the others.
struct OwnDrives<Place> {
    let places: [Place]
    /// 1 where one of them could not be asked.
    let code: Int32

    init(asking place: (MountTable.Mount) throws(Stop) -> Place) throws(Stop) {
        self.init(of: try MountTable.now().ownContainers, asking: place)
    }

    /// All that a drive shows of several containers.
    init(apps mount: MountTable.Mount, asking place: (MountTable.Mount) throws(Stop) -> Place) throws(Stop) {
        self.init(of: try MountTable.now().apps(on: mount), asking: place)
    }

    private init(of mounts: [MountTable.Mount], asking place: (MountTable.Mount) throws(Stop) -> Place) {
        var places: [Place] = [], code: Int32 = 0
        for mount in mounts {
            do throws(Stop) { places.append(try place(mount)) } catch {
                printError(error.sentence)
                code = error.code
            }
        }
        (self.places, self.code) = (places, code)
    }

    init(named place: Place) { (places, code) = ([place], 0) }

    var isEmpty: Bool { places.isEmpty && code == 0 }
}
