#!/usr/bin/env bash
# Builds Valise, mounts drives and runs the tests, from a clone of its repository.
# Installs what is missing, and asks apt-get nothing where nothing is.
set -euo pipefail

here=$(cd -- "$(dirname -- "$(readlink -f -- "${BASH_SOURCE[0]}")")" && pwd)

# command, pkg-config module, library or loader of gdk-pixbuf:package that brings it
readonly build_needs=(fusermount3:fuse3 pkg-config:pkg-config fuse3.pc:libfuse3-dev libsqlite3.so.0:libsqlite3-0 gdk-pixbuf-2.0.pc:libgdk-pixbuf-2.0-dev libstdc++.a:g++)
readonly window_needs=(pkg-config:pkg-config gtk4.pc:libgtk-4-dev libadwaita-1.pc:libadwaita-1-dev gtksourceview-5.pc:libgtksourceview-5-dev)
# What Swift runs on and an unpacked archive of it does not bring.
readonly swift_needs=(libncurses.so.6:libncurses6 libcurl.so.4:libcurl4 libxml2.so.2:libxml2 libedit.so.2:libedit2 libsqlite3.so.0:libsqlite3-0)
readonly test_needs=("${build_needs[@]}" getfattr:attr getfacl:acl plistutil:libplist-utils python3:python3 strace:strace mkfs.ext4:e2fsprogs
    git:git nano:nano ed:ed rsync:rsync gio:libglib2.0-bin exiftool:libimage-exiftool-perl
    libpixbufloader-webp.so:webp-pixbuf-loader libpixbufloader-heif.so:heif-gdk-pixbuf mkfs.btrfs:btrfs-progs vim:vim
    man:man-db zsh:zsh fish:fish systemd-analyze:systemd desktop-file-validate:desktop-file-utils
    syncthing:syncthing mkfs.exfat:exfatprogs mount.exfat-fuse:exfat-fuse bindfs:bindfs pgrep:procps
    zip:zip unzip:unzip bsdtar:libarchive-tools 7z:p7zip-full)
readonly oldest_swift=6.2
readonly built=${BUILT:-$here/.build/release}

say() { printf '%s\n' "$*"; }
fail() { printf 'mount-helper.sh: %s\n' "$*" >&2; exit 1; }

usage() {
    cat <<'END'
usage: ./mount-helper.sh COMMAND

  mount                     make a sample container and mount it on ~/Valise
  mount CONTAINER MOUNTPOINT [-o OPTIONS]
                            mount a container of your own
  reset                     put the sample container aside, and mount a new one on ~/Valise
  unmount [MOUNTPOINT]      take the drive away; without operand the one on ~/Valise
  build                     build valise
  build-window              build valise-window, the window for drives, with GTK 4 and libadwaita
  install                   build valise and put it under /usr/local, for mount(8) and fstab too; with the window where that is built
  uninstall                 take that away again, all of it
  test [--quick] [ARGUMENTS]
                            build and run the tests, with --quick without those that take
                            long and are seldom needed; ARGUMENTS go to “swift test”
  help                      this page

Commands install what they need and do not find, with apt-get (Debian, Ubuntu).
“install” takes another PREFIX than /usr/local, and a DESTDIR to put before it, from the environment.
END
}

# The user's folder, also for a service that was started without HOME.
home() {
    local folder=${HOME:-}
    [[ -n $folder ]] || folder=$(getent passwd "$(id -u)" | cut -d: -f6)
    [[ -n $folder && -d $folder ]] || fail "you have no home folder; name a container and a mountpoint: ./mount-helper.sh mount CONTAINER MOUNTPOINT"
    printf '%s\n' "$folder"
}

is_there() {
    case $1 in
        *.pc) command -v pkg-config >/dev/null && pkg-config --exists "${1%.pc}" ;;
        *.so.*) PATH=$PATH:/usr/sbin:/sbin ldconfig -p | grep -F "$1 " >/dev/null ;;
        *.a) compgen -G "/usr/lib/gcc/*/*/$1" >/dev/null ;;
        *.so) [[ -e $(pkg-config --variable=gdk_pixbuf_moduledir gdk-pixbuf-2.0 2>/dev/null)/$1 ]] ;;
        *) PATH=$PATH:/usr/sbin:/sbin command -v "$1" >/dev/null ;;
    esac
}

# Installs the packages of those needs that are not met.
need() {
    local need missing=()
    for need in "$@"; do
        is_there "${need%%:*}" || missing+=("${need#*:}")
    done
    ((${#missing[@]})) || return 0
    command -v apt-get >/dev/null || fail "missing: ${missing[*]}. There is no apt-get here to install them with; use your system's own way"
    local as_root=()
    if (($(id -u) != 0)); then
        command -v sudo >/dev/null || fail "missing: ${missing[*]}. As root: apt-get install ${missing[*]}"
        as_root=(sudo)
    fi
    say "Installing ${missing[*]}: Valise is built on them, or with them, or tested with them${as_root[*]:+ (sudo may ask for your password)}."
    "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get update -q </dev/null || say "The lists of packages could not be brought up to date; trying with those that are there."
    "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends "${missing[@]}" </dev/null || fail "installing ${missing[*]} failed; the reasons are above"
}

# Finds Swift where its installers put it. `broken` is what one said that did not start.
look_for_swift() {
    local folder said version
    broken=
    for folder in "" /opt/swift/usr/bin "${SWIFTLY_BIN_DIR:-}" "${HOME:-/nonexistent}/.local/share/swiftly/bin" /usr/libexec/swift/bin; do
        [[ -z $folder || -x $folder/swift ]] || continue
        [[ -n $folder ]] || command -v swift >/dev/null || continue
        said=$(PATH=${folder:+$folder:}$PATH swift --version 2>&1 </dev/null) || { broken=$said; continue; }
        version=$(sed -n 's/.*Swift version \([0-9.]*\).*/\1/p' <<<"$said" | head -n 1)
        [[ -n $version ]] || continue
        if [[ $(printf '%s\n%s\n' "$oldest_swift" "$version" | sort -V | head -n 1) == "$oldest_swift" ]]; then
            [[ -z $folder ]] || export PATH=$folder:$PATH
            return 0
        fi
    done
    return 1
}

find_swift() {
    local broken=
    if look_for_swift; then return; fi
    if [[ -n $broken ]]; then
        need "${swift_needs[@]}"
        if look_for_swift; then return; fi
        [[ -z $broken ]] || fail "Swift is here and does not start: $broken"
    fi
    fail "Swift $oldest_swift or newer is missing. Get it from https://www.swift.org/install/linux/ and run this again"
}

build() {
    # BUILT names a folder with programs that are built already.
    [[ -z ${BUILT:-} ]] || return 0
    need "${build_needs[@]}"
    find_swift
    # A folder with libraries to be preferred: a static one is linked in.
    local product linker=() with_cpp=$here/.build/linked
    [[ -z ${LINKED_FROM:-} ]] || linker=(-Xlinker "-L$LINKED_FROM")
    # So is that of C++, whose symbols take a third of the time in which a command starts; not where plug-ins bring it with them.
    mkdir -p -- "$with_cpp"
    ln -sfn -- "$(g++ -print-file-name=libstdc++.a)" "$with_cpp/libstdc++.a"
    local of_valise=(-Xlinker "-L$with_cpp")
    for product in valise valise-thumbnailer valise-pages; do
        [[ $product == valise ]] || of_valise=()
        if [[ -x $built/$product ]]; then say "Building $product …"; else say "Building $product, which takes some minutes the first time …"; fi
        swift build --package-path "$here" -c release --static-swift-stdlib "${linker[@]}" "${of_valise[@]}" --product "$product" </dev/null || fail "building $product failed; the reasons are above"
    done
}

build_window() {
    need "${window_needs[@]}"
    find_swift
    say "Building valise-window …"
    swift build --package-path "$here/Window" -c release --static-swift-stdlib --product valise-window </dev/null || fail "building valise-window failed; the reasons are above"
}

# The valise that was built.
valise() {
    [[ -x $built/valise ]] || fail "valise is not built; try: ./mount-helper.sh build"
    "$built/valise" "$@"
}

# Only what may not be written by oneself is done as root: nobody else's folder gets files that root has built.
place() {
    local as_root=()
    if (($(id -u) != 0)) && [[ -z ${DESTDIR:-} ]]; then
        command -v sudo >/dev/null || fail "only root may do that here; as root: $here/Packaging/place $1"
        say "Asking for your password, because what is installed is for everybody."
        as_root=(sudo env "PREFIX=${PREFIX:-/usr/local}" "BUILT=$built" ${BUILT_WINDOW:+"BUILT_WINDOW=$BUILT_WINDOW"})
    fi
    "${as_root[@]}" "$here/Packaging/place" "$1"
}

install_all() {
    build
    place put
    say "Valise is installed: try “man valise”, or “valise doctor”."
}

mount_sample() {
    local folder container mountpoint
    folder=$(home)
    container=${XDG_DATA_HOME:-$folder/.local/share}/valise/Container
    mountpoint=$folder/Valise
    if [[ ! -d $container ]]; then
        mkdir -p -- "$(dirname -- "$container")"
        valise init -q --samples "$container"
    fi
    if findmnt --noheadings --types fuse.valise --mountpoint "$mountpoint" >/dev/null 2>&1 && valise status "$mountpoint" >/dev/null 2>&1; then
        say "The drive is on $mountpoint already."
    else
        # A folder under a dead drive is there and cannot be made; mount cleans that up.
        mkdir -p -- "$mountpoint" 2>/dev/null || true
        valise mount "$container" "$mountpoint"
        say "The documents of $container are on $mountpoint."
    fi
    cat <<END

Try:
  ls -l "$mountpoint"
  $built/valise status
  ./mount-helper.sh unmount
END
}

# Nothing of what is in it is removed: it lies beside the new one.
reset_sample() {
    local folder container number=1
    folder=$(home)
    container=${XDG_DATA_HOME:-$folder/.local/share}/valise/Container
    build
    if findmnt --noheadings --types fuse.valise --mountpoint "$folder/Valise" >/dev/null 2>&1; then valise unmount "$folder/Valise"; fi
    if [[ -d $container ]]; then
        while [[ -e "$container $number" ]]; do number=$((number + 1)); done
        mv -T -- "$container" "$container $number"
        say "The sample container is now $container $number."
    fi
    mount_sample
}

mount_drive() {
    build
    if (($#)); then valise mount "$@"; else mount_sample; fi
}

unmount_drive() {
    (($#)) || set -- "$(home)/Valise"
    valise unmount "$@"
}

run_tests() {
    local quick=
    if [[ ${1:-} == --quick ]]; then
        shift
        quick=yes
        export VALISE_QUICK_TESTS=1
    fi
    need "${test_needs[@]}"
    find_swift
    # Some tests are other users, and have to get at what the tests make.
    if ((EUID == 0)) && ! setpriv --reuid 65534 --regid 65534 --clear-groups test -x "${TMPDIR:-/tmp}"; then
        say "Other users cannot enter $TMPDIR: the tests' folders go to /tmp."
        export TMPDIR=/tmp
    fi
    say "Building the tests …"
    swift build --package-path "$here" --build-tests </dev/null || fail "building the tests failed; the reasons are above"
    # Tests start it some thousand times, and managers of versions put a script before it.
    PATH=$(dirname -- "$(python3 -c 'import sys; print(sys.executable)')"):$PATH
    if [[ -n $quick ]]; then
        say "Running the tests but for those that take long: crash points, failing calls, recoveries, worlds, fuzzing, random trials, large"
        say "and silent stores, attacks, watchers, hand-overs, fstab, images, and the apps. Each is named as “skipped”. A change of what they try needs all: ./mount-helper.sh test"
    else
        say "Running the tests; of what can be tried in very many ways, today's share …"
    fi
    # The runner's closing line is the last one.
    exec swift test --package-path "$here" --skip-build --disable-xctest "$@" </dev/null
}

main() {
    # Called by mount(8), through a link in /sbin: it builds nothing and installs nothing. 32 is a mount that failed.
    case ${0##*/} in
        mount.valise | mount.fuse.valise)
            [[ -x $built/valise ]] || { printf 'mount-helper.sh: valise is not built; try: %q build\n' "$here/mount-helper.sh" >&2; exit 32; }
            exec -a "$0" "$built/valise" "$@"
            ;;
    esac
    local command=${1:-help}
    (($#)) && shift
    case $command in
        mount) mount_drive "$@" ;;
        reset) reset_sample ;;
        unmount | umount) unmount_drive "$@" ;;
        build) build ;;
        build-window) build_window ;;
        install) install_all ;;
        uninstall) place remove ;;
        test) run_tests "$@" ;;
        help | -h | --help) usage ;;
        *)
            printf 'mount-helper.sh: there is no command “%s”\n\n' "$command" >&2
            usage >&2
            exit 2
            ;;
    esac
}

main "$@"
