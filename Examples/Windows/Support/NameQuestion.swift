import AppSupport
import Widgets

extension Screen {
    /// Asks for another name, again and with the reason until it is one or somebody cancels.
    public func askForName(_ heading: String, _ title: String, because reason: String = "", _ rename: @escaping @MainActor (String) async throws -> Void) {
        askForText(heading, reason, title, "_Rename") { [self] new in
            Task {
                do { try await rename(new) } catch { askForName(heading, new, because: AppFault.sentence(of: error), rename) }
            }
        }
    }
}
