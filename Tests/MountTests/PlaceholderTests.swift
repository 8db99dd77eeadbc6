import Foundation
import MountTesting
import Testing

/// What a Mac had not downloaded is shown under its true name and size, and reading it is an error and never an empty file.
@Suite struct PlaceholderTests {
    private static let stubs = """
        import plistlib
        def stub(file, name, size, kind='Regular'):
            keys = {'NSURLNameKey': name, 'NSURLFileSizeKey': size, 'NSURLFileResourceTypeKey': 'NSURLFileResourceType' + kind}
            open(file, 'wb').write(plistlib.dumps(keys, fmt=plistlib.FMT_BINARY))
        stub('.Tax.csv.icloud', 'Tax.csv', 123456)
        stub('.Letter.pages.icloud', 'Letter.pages', 3200, 'Directory')
        stub('.Old.txt-tef.icloud', 'Old.txt', 7)
        stub('.Evil.icloud', '../../etc/passwd', 1)
        open('.mine.icloud', 'w').write('my own')
        """

    private func withStubs(_ body: (MountedDrive, (String) throws -> String) throws -> Void) throws {
        let container = try TemporaryContainer("text Here one")
        try run("python3", "-c", Self.stubs, in: container.path).good()
        try withDrive(container) { drive in try body(drive) { try shell($0, in: drive.mountpoint).good().output } }
    }

    @Test func itIsShownAsWhatItIs() throws {
        try withStubs { (drive, said) throws in
            #expect(try said("stat -c '%n %s' *") == "Evil 1\nHere.txt 3\nLetter.pages 3200\nOld.txt 7\nTax.csv 123456\n")
            // What is only called so is hidden, as it was, and somebody's own.
            #expect(try said("cat .mine.icloud; ls -a | grep -c icloud || true") == "my own0\n")
            #expect(try said("getfattr --only-values -n user.valise.downloading Tax.csv").hasPrefix("no: it is in iCloud"))
            #expect(try valise("info", drive.path("Tax.csv")).good().output.contains("downloading  no: it is in iCloud"))
            #expect(try valise("find", "name == \"Tax.csv\"", drive.mountpoint).good().output == drive.path("Tax.csv") + "\n")
        }
    }

    @Test func nothingIsReadOfItOrSavedOverIt() throws {
        try withStubs { (drive, said) throws in
            let tried = try run("python3", "-c", """
                import os, errno
                def attempt(what, *arguments):
                    try: print(what(*arguments))
                    except OSError as error: print(errno.errorcode[error.errno])
                attempt(open, 'Tax.csv'); attempt(open, 'Tax.csv', 'a'); attempt(open, 'Tax.csv', 'w'); attempt(os.truncate, 'Tax.csv', 0)
                open('new.csv', 'w').write('mine')
                attempt(os.rename, 'new.csv', 'Tax.csv')
                """, in: drive.mountpoint).good().output
            #expect(tried == "ENETUNREACH\nENETUNREACH\nENETUNREACH\nENETUNREACH\nEMEDIUMTYPE\n")
            #expect(try shell("cp Tax.csv /dev/null", in: drive.mountpoint).errors.contains("Network is unreachable"))
            #expect(try said("cat new.csv; stat -c %s Tax.csv") == "mine123456\n")
            let stub = try Data(contentsOf: URL(fileURLWithPath: drive.container.stored(".Tax.csv.icloud")))
            #expect(try PropertyListSerialization.propertyList(from: stub, format: nil) is [String: Any])
        }
    }

    /// As any document it is renamed, moved, deleted and brought back: the stub goes with it, byte for byte.
    @Test func itIsMovedAndDeletedAsADocument() throws {
        try withStubs { (drive, said) throws in
            let before = try Data(contentsOf: URL(fileURLWithPath: drive.container.stored(".Tax.csv.icloud")))
            _ = try said("mkdir Old; mv Tax.csv 'Old/Tax 2025.csv'; rm Letter.pages")
            #expect(try said("ls -1 . Old") == ".:\nEvil\nHere.txt\nOld\nOld.txt\n\nOld:\nTax 2025.csv\n")
            #expect(try Data(contentsOf: URL(fileURLWithPath: drive.container.stored("Old/.Tax 2025.csv.icloud"))) == before)
            #expect(try said("stat -c %s 'Old/Tax 2025.csv'") == "123456\n")
            try valise("undelete", drive.path("Letter.pages")).good()
            #expect(try said("stat -c %s Letter.pages") == "3200\n")
        }
    }

    /// All of a container as plain files is not all: what is missing is named, and the rest is there.
    @Test func anExportNamesWhatIsMissing() throws {
        try withStubs { (drive, said) throws in
            let folder = drive.container.beside("copy"), ended = try valise("export", "--folder", folder, drive.container.path)
            #expect(ended.code == 1)
            #expect((ended.output + ended.errors).contains("it is in iCloud, and was not downloaded"))
            #expect(try shell("find . -type f | sort", in: folder).good().output == "./.valise-export\n./Here.txt\n")
            _ = try said("true")
        }
    }

    /// When it is downloaded where the copy comes from, the document takes its place.
    @Test func whatIsDownloadedTakesItsPlace() throws {
        try withStubs { (drive, said) throws in
            _ = try said("ls")
            try shell("rm .Tax.csv.icloud; echo 1,2 > Tax.csv", in: drive.container.path).good()
            #expect(try eventually { try run("cat", drive.path("Tax.csv")).output == "1,2\n" })
        }
    }
}
