import Foundation
import MountTesting
import Testing

/// What the drive's process reads and writes itself, by the kernel's account of it: what is spliced is not in there.
@Suite(.mounting) struct ByteTests {
    @Test(arguments: ["bs=128K", "bs=4M", "bs=1M iflag=direct", "bs=8M iflag=direct"])
    func noByteOfAnImageIsCopied(_ reading: String) throws {
        let container = try TemporaryContainer("photo Big png size=20000000")
        try withDrive(container) { drive in
            let copied = try drive.bytesCopied {
                let read = try shell("dd if=Big.png of=/dev/null \(reading)", in: drive.mountpoint).good()
                #expect(read.errors.contains("20000020 bytes"), "\(read.errors)")
            }
            #expect(copied < 200_000)
        }
    }

    @Test func mappingOneCopiesNothingEither() throws {
        let container = try TemporaryContainer("photo Big png size=20000000")
        try withDrive(container) { drive in
            let copied = try drive.bytesCopied {
                let program = "import mmap; file = open('Big.png', 'rb'); print(sum(mmap.mmap(file.fileno(), 0, prot=mmap.PROT_READ)[::4096]))"
                try run("python3", "-c", program, in: drive.mountpoint).good()
            }
            #expect(copied < 200_000)
        }
    }

    /// A photo's archives take some thousand bytes to be looked into; its requests take a few hundred.
    @Test func whatWasOpenedIsNotLookedIntoAgain() throws {
        let container = try TemporaryContainer("photo Cat png size=300000")
        try withDrive(container) { drive in
            func openAndAsk() throws { _ = try OpenedFile(drive.path("Cat.png")).content() }
            try openAndAsk()
            let copied = try drive.bytesCopied { for _ in 0..<50 { try openAndAsk() } }
            #expect(copied < 50 * 700, "\(copied / 50) bytes an opening")
            // Until it is another one.
            try container.add("photo Cat gif size=1000")
            #expect(try run("ls", drive.mountpoint).output == "Cat.gif\n")
            #expect(try drive.get("Cat.gif").starts(with: Data("GIF".utf8)))
        }
    }
}

extension MountedDrive {
    /// How many bytes its process takes into its memory and gives away, while something is done.
    func bytesCopied(_ body: () throws -> Void) throws -> Int {
        let before = try account()
        try body()
        return try account() - before
    }

    private func account() throws -> Int {
        let lines = try String(contentsOfFile: "/proc/\(process)/io", encoding: .utf8).split(separator: "\n")
        return lines.filter { $0.hasPrefix("rchar: ") || $0.hasPrefix("wchar: ") }.reduce(0) { $0 + (Int($1.dropFirst(7)) ?? 0) }
    }
}
