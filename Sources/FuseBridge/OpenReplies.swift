import CFuse3
import Drive
import LinuxFiles

// Answers that hand the kernel a number it will bring back: if it does not take the answer (the
// program was killed meanwhile), nobody will ever close what was opened, so that is done here.

/// A request to open something, with libfuse's struct of what was opened, which the answer fills in.
@safe struct OpenRequest: ~Copyable {
    private let reply: Reply
    private let file: OpaquePointer
    private let drive: Drive

    init(_ request: OpaquePointer, _ file: OpaquePointer, _ drive: Drive) {
        reply = unsafe Reply(request)
        unsafe self.file = file
        self.drive = drive
    }

    consuming func fail(_ error: Errno) { reply.fail(error) }

    /// `undo` closes it where the kernel did not take the answer.
    consuming func send(_ opened: CFuse3_Opened, undo: (Drive) -> Void) {
        let (file, drive) = unsafe (file, drive)
        var opened = opened
        // SAFETY: the struct lives through the request, which is answered here and only here.
        if unsafe CFuse3_reply_opened(reply.take(), file, &opened) != 0 { undo(drive) }
    }

    consuming func send(_ entry: CFuse3_Entry, _ opened: CFuse3_Opened, undo: (Drive) -> Void) {
        let (file, drive) = unsafe (file, drive)
        var entry = entry, opened = opened
        // SAFETY: as above.
        if unsafe CFuse3_reply_created(reply.take(), &entry, file, &opened) != 0 { undo(drive) }
    }
}

struct OpenReply: ValueReply, ~Copyable {
    private let request: OpenRequest
    init(_ request: OpaquePointer, _ file: OpaquePointer, _ drive: Drive) { self.request = unsafe OpenRequest(request, file, drive) }
    consuming func fail(_ error: Errno) { request.fail(error) }
    consuming func send(_ opened: Opened) { request.send(CFuse3_Opened(opened)) { $0.release(opened.handle) } }
}

struct CreateReply: ValueReply, ~Copyable {
    private let request: OpenRequest
    init(_ request: OpaquePointer, _ file: OpaquePointer, _ drive: Drive) { self.request = unsafe OpenRequest(request, file, drive) }
    consuming func fail(_ error: Errno) { request.fail(error) }

    consuming func send(_ created: (entry: Entry, opened: Opened)) {
        request.send(CFuse3_Entry(created.entry), CFuse3_Opened(created.opened)) { drive in
            drive.release(created.opened.handle)
            drive.forget(created.entry.node, count: 1)
        }
    }
}

struct OpenFolderReply: ValueReply, ~Copyable {
    private let request: OpenRequest
    init(_ request: OpaquePointer, _ file: OpaquePointer, _ drive: Drive) { self.request = unsafe OpenRequest(request, file, drive) }
    consuming func fail(_ error: Errno) { request.fail(error) }
    consuming func send(_ opened: OpenedFolder) { request.send(CFuse3_Opened(opened)) { $0.releaseFolder(opened.handle) } }
}
