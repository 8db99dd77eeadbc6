import Foundation
import MountTesting

/// A system of a test's own: a private namespace of mounts, in which `valise` is what mount(8) finds for the type, and
/// every user may open /dev/fuse. The real /sbin, /etc, /dev and table of mounts stay as they are.
struct PrivateSystem {
    let container: TemporaryContainer
    /// Where mount(8) looks for its helpers.
    private let helpers: String
    /// The permissions of /dev/fuse.
    private let device: String

    /// Without a helper it is a copy of `valise`, which every user reaches, wherever the original was built.
    init(_ description: String = "text Notes one", helper: String? = nil, device: String = "666") throws {
        self.device = device
        container = try TemporaryContainer(description)
        helpers = container.beside("sbin")
        try shell("""
            mkdir "$1" && cd "$1" || exit
            [[ -n $2 ]] || cp "$3" valise || exit
            for name in mount.valise mount.fuse.valise; do ln -s "${2:-valise}" $name; done
            """, helpers, helper ?? "", Places.valise).good()
    }

    /// Runs lines of bash in it, as root. `$C` is the container, `$M` the folder to mount on, `$T` a folder for everything else.
    /// A drive that they leave mounted is taken away, or its process would keep the namespace for good.
    func run(_ lines: String, environment: [String: String] = [:]) throws -> Ended {
        let all = """
            set -u
            C=$1 M=$2 T=$3
            # Drives that are mounted outside are none of this system's, and it keeps none of them from ending.
            findmnt --noheadings --raw --types fuse.valise --output TARGET | while read -r target; do umount --lazy "$(printf %b "$target")"; done
            trap 'findmnt --noheadings --raw --types fuse.valise --output TARGET | while read -r target; do umount --lazy "$(printf %b "$target")"; done' EXIT
            mount --bind "$4" "$(readlink -f /sbin)"
            mounted() { findmnt --noheadings --list --output SOURCE,FSTYPE --mountpoint "${1-$M}" | grep -c fuse.valise; }
            \(lines)
            """
        let words = [Places.support("with_fuse_device"), device, "bash", "-c", all, "bash", container.path, container.mountpoint, container.beside("")]
        return try Program(words + [helpers], environment: environment).wait()
    }
}
