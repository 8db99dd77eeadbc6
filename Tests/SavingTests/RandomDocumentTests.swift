import Foundation
import MountTesting
import Testing

/// Twenty-five thousand random steps on documents, or a fifth of them, do what a model of the drive says that they should.
/// Tests/Support/random_documents.py says what is compared. A seed that found something is printed, and can be run again by hand.
@Suite(.long, .mounting) struct RandomDocumentTests {
    @Test(.timeLimit(.minutes(40)), arguments: TestRun.share(1, of: 1...5)) func randomCallsDoWhatTheyShould(seed: Int) throws {
        let folder = try TemporaryFolder()
        let ended = try Program(["python3", Places.support("random_documents.py"), Places.valise, folder.path, "\(seed)", "5000"]).wait(seconds: 500)
        #expect(ended.code == 0, "\(ended.output)\(ended.errors)")
    }
}
