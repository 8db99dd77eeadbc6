import Foundation
import MountTesting
import Testing

/// `valise open`, with an xdg-open that says what it was handed.
@Suite(.mounting) struct OpenLinkTests {
    @Test func linksAreHandedToTheBrowser() throws {
        let folder = try TemporaryFolder()
        try shell("printf '#!/bin/sh\\nprintf \"%%s|\" \"$@\"\\n' >xdg-open; chmod +x xdg-open", in: folder.path).good()
        let environment = ["PATH": folder.path + ":" + (ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin")]
        let container = try TemporaryContainer("""
            bookmark Swift https://www.swift.org/?a=b&c=$(d)
            bookmark Bare www.example.com
            bookmark File file:///etc/passwd
            bookmark Mail mailto:a@b.example?subject=Hello
            bookmark Leak mailto:a@b.example?subject=Hello&attach=/etc/passwd
            text Notes "Bread\\n"
            """)
        for form in ["url", "desktop", "webloc", "html"] {
            try withDrive(container, options: "link=\(form)") { drive in
                func opened(_ name: String) throws -> Ended { try valise("open", name, in: drive.mountpoint, environment: environment) }
                #expect(try opened("Swift.\(form)").good().output == "https://www.swift.org/?a=b&c=$(d)|")
                #expect(try opened("Bare.\(form)").good().output == "https://www.example.com|")
                #expect(try opened("Mail.\(form)").good().output == "mailto:a@b.example?subject=Hello|")
                for (name, reason) in [("File.\(form)", "begin with “file:”"), ("Leak.\(form)", "asks a mail program for “attach”"), ("Notes.txt", "is no link file"), ("None.url", "there is no “None.url”")] {
                    let ended = try opened(name)
                    #expect(ended.code == 1 && ended.output.isEmpty && ended.errors.contains(reason), "\(ended.errors)")
                }
            }
        }
    }
}
