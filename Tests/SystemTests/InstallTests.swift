import Foundation
import MountTesting
import Testing

/// `./mount-helper.sh install` and `uninstall`, from the programs that were built with the tests.
@Suite(.long, .waiting) struct InstallTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        mkdir(folder.path + "/root", 0o755)
    }

    /// Without the window, unless there is one in the folder.
    private func place(_ deed: String) throws -> Ended {
        try run(Places.inPackage("Packaging/place"), deed, environment: ["DESTDIR": folder.path + "/root", "PREFIX": "/opt/v", "BUILT": Places.built, "BUILT_WINDOW": folder.path])
    }

    private func everything() throws -> [String] { try run("find", ".", "-mindepth", "1", in: folder.path + "/root").good().lines.sorted() }

    @Test func uninstallingLeavesNothing() throws {
        try place("put").good()
        let installed = try everything()
        for file in ["bin/valise", "libexec/valise/valise-thumbnailer", "share/man/man1/valise.1", "share/man/man8/mount.valise.8",
            "share/man/man7/valise-semantics.7", "share/bash-completion/completions/valise", "lib/systemd/user/valise@.service",
            "share/applications/valise-link.desktop", "share/doc/valise/LICENSE"] {
            #expect(installed.contains("./opt/v/\(file)"), "\(file)")
        }
        #expect(installed.contains("./sbin/mount.valise") && installed.contains("./sbin/mount.fuse.valise"))
        try place("remove").good()
        #expect(try everything() == [])
        #expect(try place("remove").code == 1)
    }

    /// The window goes along where it is built, with its entries in menus, and goes away with the rest.
    @Test func theWindowGoesAlong() throws {
        try shell("printf '#!/bin/sh\n' >valise-window; chmod +x valise-window", in: folder.path).good()
        try place("put").good()
        let installed = try everything(), share = folder.path + "/root/opt/v/share/"
        for file in ["bin/valise-window", "share/man/man1/valise-window.1", "share/applications/org.valise.Window.desktop", "share/file-manager/actions/valise-versions.desktop",
            "share/nemo/actions/valise-versions.nemo_action", "share/kio/servicemenus/valise-versions.desktop", "share/doc/valise-window/examples/thunar-uca.xml"] {
            #expect(installed.contains("./opt/v/\(file)"), "\(file)")
        }
        try run("desktop-file-validate", share + "applications/org.valise.Window.desktop").good()
        #expect(try run("grep", "-c", "Valise 1", share + "man/man1/valise-window.1").good().output == "1\n")
        // What a file manager gives the script, it gives to the command.
        try shell("mkdir bin; printf '#!/bin/sh\nprintf \"%%s|\" \"$@\"\n' >bin/valise; chmod +x bin/valise", in: folder.path).good()
        let asked = try run(share + "doc/valise-window/examples/nautilus-script", environment: ["PATH": folder.path + "/bin:/usr/bin:/bin", "NAUTILUS_SCRIPT_SELECTED_FILE_PATHS": "/a b/c.txt\n/d\n"])
        #expect(asked.output == "show|/a b/c.txt|", "\(asked)")
        try place("remove").good()
        #expect(try everything() == [])
    }

    /// KDE takes an entry in its menu that is root's, and a user's own only where it may be run.
    @Test func aUsersOwnMenuMayBeRun() throws {
        try shell("printf '#!/bin/sh\\n' >valise-window; chmod +x valise-window; mkdir tools home; printf '#!/bin/sh\\necho 1000\\n' >tools/id; chmod +x tools/id", in: folder.path).good()
        func mode(root: String, path: String) throws -> String {
            try run(Places.inPackage("Packaging/place"), "put-window", environment: ["DESTDIR": root, "PREFIX": folder.path + "/home", "BUILT_WINDOW": folder.path, "PATH": path]).good()
            return try run("stat", "-c", "%a", root + folder.path + "/home/share/kio/servicemenus/valise-versions.desktop").good().output
        }
        let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin", asUser = "\(folder.path)/tools:\(path)"
        #expect(try mode(root: "", path: asUser) == "755\n")
        // A package's files are root's, whoever makes it.
        #expect(try mode(root: folder.path + "/root", path: asUser) == "644\n")
    }

    /// With what programs of the desktop make out of it; others' files, and what is made out of those, stay.
    @Test(arguments: ["", "before", "after", "between"]) func aHomeIsWhatItWas(_ others: String) throws {
        let home = folder.path + "/home"
        func place(_ deed: String) throws {
            try run(Places.inPackage("Packaging/place"), deed, environment: ["DESTDIR": "", "PREFIX": home + "/.local", "SBIN": home + "/sbin", "BUILT": Places.built, "BUILT_WINDOW": folder.path]).good()
        }
        func putOthers() throws {
            try shell("""
                mkdir -p .local/share/applications .local/share/mime/packages .local/share/mime/application
                printf '[Desktop Entry]\nType=Application\nName=Other\nExec=true\nMimeType=application/x-other;\n' >.local/share/applications/other.desktop
                sed 's,x-mswinurl,x-other,; s,url,other,g' "$1" >.local/share/mime/packages/other.xml
                update-desktop-database -q .local/share/applications && update-mime-database .local/share/mime
                """, Places.inPackage("Packaging/desktop/valise.xml"), in: home).good()
        }
        func everything() throws -> [String] { try run("find", ".", "-mindepth", "1", in: home).good().lines.sorted() }
        func made() throws -> [String] { try shell("cat .local/share/mime/globs2 .local/share/applications/mimeinfo.cache", in: home).good().lines }
        mkdir(home, 0o755)
        // A folder that is there already, and nothing in it.
        try shell("mkdir -p .local/share/mime", in: home).good()
        if others == "before" { try putOthers() }
        let before = try everything(), madeBefore = others == "before" ? try made() : []
        try place("put")
        let installed = try everything()
        #expect(installed.contains("./.local/share/mime/mime.cache") && installed.contains("./.local/share/applications/mimeinfo.cache"))
        #expect(try made().contains { $0.contains("valise-link.desktop") })
        if others == "between" { try putOthers() }
        try place("put")
        if others == "after" { try putOthers() }
        try place("remove")
        if others == "before" { #expect(try everything() == before && made() == madeBefore) } else if others.isEmpty { #expect(try everything() == before) } else {
            #expect(try made().contains { $0.contains("other") } && !made().contains { $0.contains("valise") })
            let own = try everything().filter { $0.contains("valise") }
            #expect(own == [], "\(own)")
        }
    }

    /// The systems in which packages are tried are run as root: those of somebody else's making are not.
    @Test(.enabled(if: geteuid() == 0, "only root tries packages")) func whatOthersHavePutThereIsNotRun() throws {
        try shell("mkdir tools; for tool in debootstrap lintian; do printf '#!/bin/sh\n' >tools/$tool; done; chmod +x tools/*; touch package.deb; mkdir -p theirs/bookworm open/bookworm; chown 65534 theirs; chmod 777 open; ln -s theirs link", in: folder.path).good()
        for planted in ["theirs", "open", "link"] {
            let path = "\(folder.path)/tools:\(ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin")"
            let ended = try run(Places.inPackage("Packaging/try-package"), folder.path + "/package.deb", "bookworm", environment: ["TRY": "\(folder.path)/\(planted)", "PATH": path])
            #expect(ended.code == 1 && ended.errors.contains("is not for root alone to change"), "\(planted): \(ended.errors)")
        }
    }

    @Test func whatOthersHavePutThereStays() throws {
        try shell("mkdir -p opt/v/bin opt/v/share/man; touch opt/v/bin/other", in: folder.path + "/root").good()
        let before = try everything()
        try place("put").good()
        // An upgrade: what the older one had besides goes with it.
        try shell("touch opt/v/bin/valise-old; echo /opt/v/bin/valise-old >>opt/v/share/valise/installed", in: folder.path + "/root").good()
        try place("put").good()
        #expect(try !everything().contains("./opt/v/bin/valise-old"))
        try place("remove").good()
        #expect(try everything() == before)
    }

    /// Before anything is built: nobody waits two minutes to learn that a folder is missing.
    @Test func thePackageWantsAFolder() throws {
        for place in ["nowhere", "a file"] {
            try shell("touch 'a file'", in: folder.path).good()
            let ended = try run(Places.inPackage("Packaging/make-deb"), place, in: folder.path, environment: ["BUILT": folder.path])
            #expect(ended.code == 1 && ended.errors.hasPrefix("make-deb: there is no folder “\(place)”"), "\(ended.output)\(ended.errors)")
        }
    }

    @Test func theUnitsAreGood() throws {
        try place("put").good()
        // Outside of the folder systemd would look for the program in the real system.
        let checked = try shell("""
            sed 's,/opt/v/bin/valise,/bin/true,' opt/v/lib/systemd/user/valise@.service >valise@.service
            cp opt/v/share/doc/valise/examples/* .
            XDG_RUNTIME_DIR=$PWD systemd-analyze --user --man=no verify ./valise@test.service && systemd-analyze --man=no verify ./srv-photos.automount ./srv-photos.mount
            """, in: folder.path + "/root")
        #expect(checked.code == 0 && !checked.errors.contains("/root/"), "\(checked.errors)")
        try run("desktop-file-validate", folder.path + "/root/opt/v/share/applications/valise-link.desktop").good()
    }
}
