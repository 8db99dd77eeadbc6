import MountTesting
import Testing

/// Writes that go past the kernel's pages.
@Suite(.mounting) struct DirectWriteTests {
    /// What was written is what is read, whoever read the same place while it was being written.
    @Test(arguments: ["plain.bin", "Cat.png"]) func readersBesideAsynchronousWritesSeeThem(_ name: String) throws {
        let container = try TemporaryContainer("photo Cat png size=98304\nfile plain.bin bytes")
        let program = container.beside("direct_writes")
        try run("clang", "-O1", "-pthread", "-o", program, Places.support("direct_writes.c")).good()
        try withDrive(container, options: "rw") { drive in
            let path = drive.path(name)
            try run("truncate", "-s", "98304", path).good()
            let ended = try run(program, path, "1500")
            #expect(ended.code == 0 && ended.output.isEmpty, "\(ended.output)\(ended.errors)")
            // The bytes are no image any more, so the document is told to be one that was refused.
            if name == "Cat.png" { _ = try drive.status() }
        }
    }
}
