import Coordination
import Glibc
import LinuxFiles
import Synchronization

/// An app that has one document open and writes it when somebody wants it. What it is asked and told, it prints.
final class Editor: FilePresenter {
    private let unsaved: Mutex<String?>
    private let opened = Mutex<(coordinator: FileCoordinator, presentation: FilePresentation)?>(nil)

    init(unsaved: String) { self.unsaved = Mutex(unsaved) }

    func open(_ item: String, of container: String) throws {
        let coordinator = try FileCoordinator(container)
        let presentation = try coordinator.present(item, by: self)
        opened.withLock { $0 = (coordinator, presentation) }
    }

    func presentedItemIsWanted(_ question: PresenterQuestion, done: @escaping @Sendable (Errno?) -> Void) {
        say("wanted \(question.purpose)")
        var failure: Errno?
        if question.wantsSaving, let text = unsaved.withLock({ $0 }), let presentation = opened.withLock({ $0?.presentation }) {
            do {
                try FileCoordinator(as: presentation).coordinate(writing: presentation.path?.description ?? "") { item in
                    guard let file = fopen(item.place, "w") else { throw Errno.current }
                    fputs(text, file)
                    fclose(file)
                }
                unsaved.withLock { $0 = nil }
                say("saved")
            } catch { failure = (error as? Failure)?.errno ?? .inputOutput }
        }
        done(failure)
    }

    func presentedItem(_ event: PresenterEvent) {
        switch event {
        case .over: say("over")
        case .changed(let path): say("changed \(path)")
        case .moved(let old, let new): say("moved \(old) to \(new)")
        case .deleted(let path): say("deleted \(path)")
        case .gainedVersion(let path): say("gained a version \(path)")
        case .gainedConflict(let path): say("gained a conflict \(path)")
        case .resolvedConflict(let path): say("resolved a conflict \(path)")
        }
    }

    func say(_ words: String) {
        print(words)
        fflush(nil)
    }
}
