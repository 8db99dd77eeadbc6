// The thumbnail worker: reads requests from its standard input, which is a channel, and answers each with a PNG or the
// reason why there is none. It opens nothing, and could not: it is nobody before it loads a decoder, and seals itself before the
// first request. Where it cannot, it ends with an exit code that says so.

import Glibc
import LinuxFiles
import Thumbnails

func sealed() -> (formats: [String], sandbox: Sandbox) {
    do throws(Sandbox.Fault) {
        try Sandbox.becomeNobody()
        let formats = Decoding.prepare()
        Sandbox.stepBack()
        return (formats, try Sandbox.enter(memory: 1 << 30))
    } catch { exit(ThumbnailProgram.unsealedCode) }
}

let (formats, sandbox) = sealed()
let channel = Channel(adopting: Descriptor(adopting: 0))

func answer(_ message: Channel.Message) -> ThumbnailAnswer {
    switch (ThumbnailRequest(message.bytes), message.file) {
    case (.thumbnail(let offset, let length), let file?): Decoding.thumbnail(of: file, offset: offset, length: length, with: formats)
    case (.facts, _): .done(ThumbnailFacts(formats: formats, sealsFiles: sandbox.sealsFiles).bytes)
    default: .refused("the request is not understood")
    }
}

// Until the other end is gone.
while let message = try? channel.receive(limit: ThumbnailRequest.longest) {
    guard (try? channel.send(answer(message).bytes)) != nil else { break }
}
