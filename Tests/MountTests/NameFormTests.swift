import Foundation
import MountTesting
import Testing

/// Names in both forms of Unicode: shown in one character a letter (NFC), found in either, kept as they are stored.
@Suite(.mounting) struct NameFormTests {
    private static let forms = "c=$(printf 'Caf\\u00e9'); d=$(printf 'Cafe\\u0301'); valise() { \"\(Places.valise)\" \"$@\"; }\n"

    private func said(_ command: String, on drive: MountedDrive) throws -> String {
        try shell(Self.forms + "exec 2>&1\n" + command, in: drive.mountpoint).output
    }

    /// What lies in the container, each name with “^” for a mark that is a character by itself.
    private func stored(in container: TemporaryContainer) throws -> [String] {
        try shell("find . -mindepth 1 -name .valise -prune -o -mindepth 1 -printf '%P\\n'", in: container.path).good().lines
            .map { $0.unicodeScalars.map { $0.value == 0x301 ? "^" : String($0) }.joined() }.sorted()
    }

    @Test func aSaveKeepsTheStoredName() throws {
        let container = try TemporaryContainer(#"""
            bookmark "Cafe\u0301" https://one/
            photo "Cafe\u0301" png
            text "Cafe\u0301" "text\n"
            file "Cafe\u0301/Cafe\u0301.pdf" "pdf\n"
            """#)
        let before = try stored(in: container)
        try withDrive(container) { (drive) throws in
            #expect(try said("ls | grep -c \"$c\"", on: drive) == "4\n")
            let steps = [
                ("sed -i s/one/two/ $c.url; cat $d.url | grep URL", "URL=https://two/\n"),
                ("cp $d.png x; cat x x > $c.png; cmp <(cat x x) $d.png; rm x", ""),
                ("echo more >> $d.txt; cat $c.txt", "text\nmore\n"),
                ("echo save > y; mv y $c.txt; cat $d.txt", "save\n"),
                ("echo new > $d/$c.pdf; cat $c/$d.pdf", "new\n"),
                ("echo again > z; mv z $c/$d.pdf; cat $d/$c.pdf", "again\n"),
                ("ls | wc -l", "4\n"),
            ]
            for (step, expected) in steps { #expect(try said(step, on: drive) == expected, "\(step)") }
        }
        #expect(try stored(in: container) == before)
        #expect(before.filter { $0.contains("^") }.count == before.count)
        // A name in NFD is no name that a file cannot have.
        #expect(try !run(Places.valise, "check", container.path).good().output.contains("shown as"))
    }

    @Test func whatIsMadeAndMoved() throws {
        let container = try TemporaryContainer(#"file "Cafe\u0301/Cafe\u0301.pdf" pdf"#)
        try withDrive(container, options: "create=none") { (drive) throws in
            #expect(try said("echo a > a$d; cat a$c; echo b > a$c; cat a$d; ls | wc -l", on: drive) == "a\nb\n2\n")
            #expect(try said("mkdir m$d && mkdir m$c; rmdir m$c; ls -d m*", on: drive).contains("File exists"))
            #expect(try said("mv a$d b$d; ls a$c; cat b$c; ln -s x l$d; readlink l$c; ln b$d h$c; cat h$d", on: drive).hasSuffix("b\nx\nb\n"))
            // The kernel has asked for the other form before, and is told when what has it goes.
            #expect(try said("stat -c %s b$d; rm b$c; cat b$d; ls | wc -l", on: drive).hasSuffix("No such file or directory\n3\n"))
            // Two that change places, and a folder that goes with what is in it.
            #expect(
                try run("python3", "-c", """
                    import ctypes, os
                    os.chdir(os.path.join(os.getcwd(), 'Caf\\u00e9'))
                    open('e\\u0301', 'w').write('one'); open('o', 'w').write('two')
                    call = ctypes.CDLL(None, use_errno=True).renameat2
                    print(call(-100, 'e\\u0301'.encode(), -100, b'o', 2), open('\\u00e9').read(), open('o').read())
                    """, in: drive.mountpoint).good().output == "0 two one\n")
            #expect(try said("mv $c $d-2; cat $c-2/$c.pdf", on: drive) == "pdf")
        }
        #expect(try stored(in: container) == ["Café-2", "Café-2/Cafe^.pdf", "Café-2/o", "Café-2/é", "hCafé", "lCafé"])
    }

    /// Both are reachable. When somebody else makes the one in NFC, that one has its name.
    @Test func twoThatDifferInFormOnly() throws {
        let container = try TemporaryContainer(#"file "Cafe\u0301" pieces"#)
        try withDrive(container) { (drive) throws in
            #expect(try said("cat $c $d", on: drive) == "piecespieces")
            try shell(Self.forms + "printf whole > $c", in: container.path).good()
            #expect(eventually { () -> Bool in (try? said("cat $c $d", on: drive)) == "wholepieces" })
            #expect(try said("ls | wc -l; rm $d; cat $c $d", on: drive) == "2\nwholewhole")
        }
        #expect(try stored(in: container) == ["Café"])
    }

    /// In a package names are as they are stored, and so they are among the originals.
    @Test func partsOfPackagesStayAsTheyAre() throws {
        let container = try TemporaryContainer("")
        try shell(Self.forms + "mkdir $d.scriv; echo part > $d.scriv/$d", in: container.path).good()
        try withDrive(container) { (drive) throws in
            #expect(try said("ls $c.scriv | grep -c \"$c\"; cat $c.scriv/$c $d.scriv/$d; echo made > $c.scriv/m$d; cat $c.scriv/m$c", on: drive) == "0\npart\npart\nmade\n")
            #expect(try said("ls .valise/originals | grep -c \"$c\"; cat .valise/originals/$c.scriv/$c", on: drive) == "0\npart\n")
        }
        #expect(try stored(in: container) == ["Cafe^.scriv", "Cafe^.scriv/Cafe^", "Cafe^.scriv/mCafe^"])
    }

    /// Commands take either form, and searches too.
    @Test func commandsTakeEitherForm() throws {
        let container = try TemporaryContainer(#"""
            text "Cafe\u0301" "one\n"
            file "Cafe\u0301/Cafe\u0301.pdf" pdf
            """#)
        try withDrive(container) { (drive) throws in
            #expect(try said("echo two > $c.txt; for n in $c $d; do valise versions --json $n.txt | grep -c number; done", on: drive) == "1\n1\n")
            #expect(try said("ls .valise/versions/$d.txt | wc -l; valise restore $d.txt 1 > /dev/null; cat $c.txt", on: drive) == "1\none\n")
            for name in ["$c", "$d"] {
                #expect(try said("valise find \"name == '\(name).pdf'\" .", on: drive).hasSuffix("/Caf\u{e9}/Caf\u{e9}.pdf\n"))
                let found = try said("valise find \"name endswith 'pdf'\" \(name); ls .valise/search/\"name like '*\(name).txt'\"", on: drive)
                #expect(found.hasSuffix("/Caf\u{e9}/Caf\u{e9}.pdf\nCaf\u{e9}.txt\n"))
            }
            #expect(try said("rm $c.txt; valise undelete $d.txt > /dev/null; cat $c.txt", on: drive) == "one\n")
        }
        #expect(try stored(in: container).contains("Cafe^.stedoc"))
    }
}
