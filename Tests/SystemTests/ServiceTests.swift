import Foundation
import MountTesting
import Testing

/// What systemd is told by a drive that it started, over sockets of the test's own: sd_notify(3) and the journal's protocol.
@Suite(.long, .mounting) struct ServiceTests {
    /// Datagrams that somebody is sent.
    private final class Listener {
        private let socket: Int32
        let path: String

        init(_ path: String) throws {
            self.path = path
            socket = Foundation.socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue), 0)
            var address = sockaddr_un()
            address.sun_family = sa_family_t(AF_UNIX)
            withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
            let bound = withUnsafePointer(to: address) { pointer in
                pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(socket, $0, socklen_t(MemoryLayout<sockaddr_un>.size)) }
            }
            guard bound == 0 else { throw Failed("cannot listen on \(path)") }
        }

        deinit { close(socket) }

        func next() throws -> String {
            var buffer = [UInt8](repeating: 0, count: 65_536)
            var count = 0
            guard eventually({ count = recv(socket, &buffer, buffer.count, Int32(MSG_DONTWAIT)); return count > 0 }) else { throw Failed("nothing came on \(path)") }
            return String(decoding: buffer.prefix(count), as: UTF8.self)
        }
    }

    @Test func tellsWhenItAnswersAndWhenItStops() throws {
        let container = try TemporaryContainer("text Notes one")
        let manager = try Listener(container.beside("notify"))
        let program = try Program([Places.valise, "mount", "-f", "-o", "", "--", container.path, container.mountpoint], environment: ["NOTIFY_SOCKET": manager.path])
        defer { program.end() }
        let places = "“\(container.path)” on “\(container.mountpoint)”"
        #expect(try manager.next() == "READY=1\nSTATUS=Serving \(places)")
        #expect(MountedDrive.isMounted(container.mountpoint))
        kill(program.process, SIGTERM)
        #expect(try manager.next() == "STOPPING=1\nSTATUS=Saving \(places)")
        #expect(try program.wait().code == 0)
        #expect(!MountedDrive.isMounted(container.mountpoint))
    }

    @Test func aContainerThatIsNotThereIsNeverReady() throws {
        let container = try TemporaryContainer()
        let manager = try Listener(container.beside("notify"))
        let ended = try Program([Places.valise, "mount", "-f", container.beside("nowhere"), container.mountpoint], environment: ["NOTIFY_SOCKET": manager.path]).wait()
        #expect(ended.code == 32)
        #expect(ended.errors.contains("there is no container"))
    }

    /// In a private /run, because the journal's socket has one place.
    @Test(arguments: [true, false]) func messagesGoToTheJournalWithFields(_ isService: Bool) throws {
        let ended = try PrivateSystem("photo Cat png").run("""
            mount -t tmpfs tmpfs /run; mkdir -p /run/systemd/journal
            python3 "\(Places.support("listen_to_journal.py"))" >"$T/entries" & listener=$!
            until [[ -S /run/systemd/journal/socket ]]; do sleep 0.01; done
            : >"$T/errors"
            if \(isService ? "true" : "false"); then
                export JOURNAL_STREAM=$(stat -c %d:%i "$T/errors")
                "\(Places.valise)" mount -f "$C" "$M" 2>>"$T/errors" & served=$!
                until [[ $(mounted) = 1 ]]; do sleep 0.01; done
            else
                mount -t valise "$C" "$M"; served=
            fi
            truncate -s 0 "$M/Cat.png" 2>/dev/null
            umount "$M"; [[ -z $served ]] || wait $served
            until [[ -s $T/entries ]]; do sleep 0.01; done
            kill $listener; cat "$T/errors" "$T/entries"; echo "$C $M"
            """)
        let lines = ended.lines
        let places = (lines.last ?? "").split(separator: " ").map(String.init)
        #expect(lines.first?.hasPrefix("MESSAGE=“Cat.png” is not saved: ") == true, "\(ended.output)\(ended.errors)")
        for field in ["PRIORITY=4", "SYSLOG_IDENTIFIER=valise", "VALISE_DOCUMENT=Cat.png", "VALISE_CONTAINER=\(places[0])", "VALISE_MOUNTPOINT=\(places[1])"] {
            #expect(lines.contains(field), "\(field) in \(ended.output)")
        }
    }

    /// A real journal, of this test's own: “valise log” shows what a drive says and goes on with it, by the drive and by the container,
    /// when the drive is gone, and beside a file.
    @Test func theJournalIsShown() throws {
        let ended = try PrivateSystem("photo Cat png\nphoto Dog png\nphoto Pig png").run("""
            mount -t tmpfs tmpfs /run; mkdir -p /run/systemd/journal
            cp -a /etc "$T/etc"; mount --bind "$T/etc" /etc
            rm -f /etc/machine-id; echo 0123456789abcdef0123456789abcdef >/etc/machine-id
            mkdir -p /etc/systemd; printf '[Journal]\\nStorage=volatile\\nReadKMsg=no\\nAudit=no\\n' >/etc/systemd/journald.conf
            journal=/usr/lib/systemd/systemd-journald; [[ -x $journal ]] || journal=/lib/systemd/systemd-journald
            "$journal" 2>"$T/journal" & journal=$!
            until [[ -S /run/systemd/journal/socket ]]; do sleep 0.01; done
            log() { "\(Places.valise)" log "$@" 2>&1; }
            mount -t valise "$C" "$M"
            truncate -s 0 "$M/Cat.png" 2>/dev/null
            until log "$M" | grep -q Cat; do sleep 0.05; done
            "\(Places.valise)" log -f "$M" >"$T/followed" 2>&1 & follows=$!
            until grep -q Cat "$T/followed"; do sleep 0.05; done
            truncate -s 0 "$M/Dog.png" 2>/dev/null
            until grep -q Dog "$T/followed"; do sleep 0.05; done
            # It is journalctl by now, and leaves none behind.
            kill $follows; wait $follows; echo "$? $(find /proc/[0-9]*/fd -lname "$T/followed" 2>/dev/null | wc -l)"
            umount "$M"
            for place in "$M" "$C" "$M/." "$C/Cat.ptk"; do log "$place" | grep -o '“.*” is not saved' | sort -u | tr '\\n' ' '; done; echo
            mount -t valise "$C" "$M" -o "log=$T/log"
            truncate -s 0 "$M/Pig.png" 2>/dev/null
            # The file is shown, and the journal has it as well.
            log "$M" | grep -o '“Pig.*” is not saved' | sort -u
            until journalctl -q VALISE_DOCUMENT=Pig.png | grep -q Pig; do sleep 0.05; done
            umount "$M"; kill $journal; cat "$T/journal" >&2
            """)
        let all = "“Cat.png” is not saved “Dog.png” is not saved "
        #expect(ended.lines == ["143 0", all + all + all + all, "“Pig.png” is not saved"], "\(ended.output)\(ended.errors)")
    }

    @Test func withoutAJournalMessagesAreLines() throws {
        let container = try TemporaryContainer("photo Cat png")
        try withDrive(container) { drive in
            _ = try run("truncate", "-s", "0", drive.path("Cat.png"))
            // Of what is empty only when nobody writes any more, and that is heard after it is closed.
            #expect(eventually { drive.log.hasPrefix("valise: “Cat.png” is not saved: ") }, "\(drive.log)")
        }
    }

    @Test func whatTheJournalIsToldMayHoldLineEnds() throws {
        let ended = try PrivateSystem("photo Cat png").run("""
            mount -t tmpfs tmpfs /run; mkdir -p /run/systemd/journal
            python3 "\(Places.support("listen_to_journal.py"))" >"$T/entries" & listener=$!
            until [[ -S /run/systemd/journal/socket ]]; do sleep 0.01; done
            mv "$C" "$T/two"$'\\n'"lines"
            mount -t valise "$T/two"$'\\n'"lines" "$M"
            truncate -s 0 "$M/Cat.png" 2>/dev/null
            umount "$M"; until [[ -s $T/entries ]]; do sleep 0.01; done
            kill $listener; cat "$T/entries"
            """)
        #expect(ended.output.contains("/two\nlines\nVALISE_MOUNTPOINT="), "\(ended.output)\(ended.errors)")
    }
}
