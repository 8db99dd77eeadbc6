import Foundation
import MountTesting
import Testing

/// What people with Macs want of rclone (its issue 8176): packages go there and back whole, and a second run has
/// nothing to do.
@Suite(.mounting, .enabled("rclone is not installed") { Rclone.program != nil }) struct RcloneTests {
    /// A Mac's folder, and `rclone` for a shell.
    private func withMac(_ options: String?, _ body: ((String) throws -> Ended) throws -> Void) throws {
        let container = try TemporaryContainer("folder Documents"), mac = container.beside("mac")
        let files = [
            "Letter.pages/Index.zip", "Letter.pages/Data/a.jpg", "Talk.key/index.apxl", "Novel.scriv/Novel.scrivx", "Novel.scriv/Files/1.rtf",
            "Trip.textbundle/text.md", "Trip.textbundle/info.json", "Trip.textbundle/assets/p.png", "Sub/Note.rtfd/TXT.rtf", "Own.unknown/a.dat",
        ]
        for file in files {
            let place = URL(fileURLWithPath: mac + "/" + file)
            try FileManager.default.createDirectory(at: place.deletingLastPathComponent(), withIntermediateDirectories: true)
            try Data("what is in \(file)\n".utf8).write(to: place)
        }
        try withDrive(container, options: options) { drive in
            let environment = [
                "MAC": mac, "D": drive.mountpoint, "S": container.path + "/Documents", "BACK": container.beside("back"),
                "RCLONE_CONFIG": container.beside("rclone.conf"), "RCLONE_RETRIES": "1",
            ]
            _ = FileManager.default.createFile(atPath: container.beside("rclone.conf"), contents: nil)
            let words = "rclone() { \"\(try #require(Rclone.program))\" \"$@\"; }; valise() { \"\(Places.valise)\" \"$@\"; }; "
            try body { line in try shell(words + line, in: drive.mountpoint, environment: environment) }
        }
    }

    /// On a drive that shows packages as folders: there, again, back, and what has changed.
    @Test func aMacsFolderGoesThereAndBack() throws {
        try withMac("packages=folder") { sh in
            for deed in ["copy", "copy", "sync"] {
                let ran = try sh("rclone \(deed) -v $MAC $D").good()
                #expect(ran.errors.contains("nothing to transfer") || deed == "copy", "\(ran.errors)")
                try sh("diff -r $MAC $S && rclone check --download $MAC $D").good()
            }
            try sh("rclone copy $D $BACK && diff -r $MAC $BACK").good()
            let changes = "echo more >>$MAC/Trip.textbundle/text.md; echo k >>$MAC/Talk.key/index.apxl; rm -r $MAC/Novel.scriv/Files"
            try sh("\(changes); rclone sync $MAC $D && diff -r $MAC $S").good()
            let kept = try sh("ls; ls -A $S; valise deleted .; valise check $S/..").good().output
            #expect(kept.contains("1.rtf") && !kept.contains("growing") && kept.contains("Nothing is wrong"), "\(kept)")
        }
    }

    /// On any drive a second run finds documents that are shown as texts, and folders. Where a package is one file it
    /// cannot make a folder: it says so,
    /// and everything stays as it is.
    @Test func aSecondRunHarmsNothing() throws {
        try withMac(nil) { sh in
            try sh("rclone copy $MAC $D && ls >/dev/null && diff -r $MAC $S").good()
            #expect(try sh("ls --file-type").good().output == "Letter.pages\nNovel.scriv/\nOwn.unknown/\nSub/\nTalk.key\nTrip.md\n")
            let second = try sh("rclone copy -v $MAC $D")
            let faults = second.errors.split(separator: "\n").filter { $0.contains("ERROR") }.joined()
            #expect(second.code != 0 && faults.contains("Letter.pages: not a directory"), "\(second.errors)")
            #expect(!faults.contains("Novel") && !faults.contains("Trip"), "\(faults)")
            let after = try sh("ls; diff -r $MAC $S; ls .valise/deleted; valise versions -q Trip.md; valise check $S/..").good().output
            #expect(after.hasPrefix("Letter.pages\nNovel.scriv\nOwn.unknown\nSub\nTalk.key\nTrip.md\n“") && after.contains("Nothing is wrong"), "\(after)")
            // Back: each package as the drive shows it.
            try sh("rclone copy $D $BACK && cmp $D/Letter.pages $BACK/Letter.pages && diff -r $MAC/Novel.scriv $BACK/Novel.scriv").good()
            #expect(try sh("unzip -p $BACK/Letter.pages Data/a.jpg").good().output == "what is in Letter.pages/Data/a.jpg\n")
        }
    }
}

/// rclone 8176 and nextcloud/desktop 9827: a bundle that a carrier knows as a folder in one place is a ZIP in the
/// other. Whichever way it comes, it is one document.
@Suite(.mounting) struct CarriedBundleTests {
    @Test func aZipAndAFolderAreOneDocument() throws {
        let kind = "[idos]\nextension = idos\nrequired = config.plist\nshown = file\n"
        let settings = ("create = text\n" + kind).replacingOccurrences(of: "\n", with: "\\n")
        let container = try TemporaryContainer("file .valise/settings \"\(settings)\"\nfolder Documents"), out = container.beside("out")
        try FileManager.default.createDirectory(atPath: out + "/ast.idos/disks", withIntermediateDirectories: true)
        for (name, text) in [("config.plist", "<plist/>\n"), ("disks/c.img", String(repeating: "sector", count: 10_000))] {
            try Data(text.utf8).write(to: URL(fileURLWithPath: out + "/ast.idos/" + name))
        }
        try withDrive(container) { drive in
            let environment = ["OUT": out, "S": container.path + "/Documents", "D": drive.mountpoint]
            func sh(_ line: String) throws -> String { try shell(line, in: drive.mountpoint, environment: environment).good().output }
            // As iCloud hands it out: one ZIP, packed, with the bundle's own name before each path. Under its name on
            // the drive it is the bundle again.
            _ = try sh("cd $OUT; zip -qr ast.zip ast.idos; cp ast.zip \"$D/ast.idos\"")
            _ = try sh("diff -r $OUT/ast.idos $S/ast.idos")
            // As the person of the issue made one: an empty folder with the extension, and the parts unpacked into it.
            _ = try sh("mkdir example.idos; (cd $OUT/ast.idos; tar -cf - .) | tar -xf - -C example.idos; ls")
            #expect(try sh("ls --file-type; diff -r $OUT/ast.idos $S/example.idos") == "ast.idos\nexample.idos\n")
            // Out of the drive both are one ZIP, which any program unpacks to the same bundle.
            _ = try sh("cd $OUT; for b in ast example; do mkdir $b; (cd $b; unzip -q \"$D/$b.idos\"); done")
            #expect(try sh("diff -r $OUT/ast $OUT/example && diff -r $OUT/ast $OUT/ast.idos && echo same") == "same\n")
            // A carrier that fails in the middle leaves no half bundle: what is no whole ZIP is not the document.
            let half = try shell("head -c 300 $OUT/ast.zip >ast.idos; diff -r $OUT/ast.idos $S/ast.idos && echo whole", in: drive.mountpoint, environment: environment)
            #expect(half.output == "whole\n", "\(half.output)\(half.errors)")
        }
    }
}

enum Rclone {
    /// VALISE_RCLONE names one that lies elsewhere.
    static let program: String? = {
        let named = ProcessInfo.processInfo.environment["VALISE_RCLONE"].map { [$0] } ?? []
        return (named + ["/usr/bin/rclone", "/usr/local/bin/rclone"]).first { access($0, X_OK) == 0 }
    }()
}
