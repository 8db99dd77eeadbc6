import CWindow
import Dispatch
import Glibc

/// A program with windows. GLib's loop runs on the main thread and serves the main queue, so that a model that lives there hears of everything.
@MainActor
public enum WindowApp {
    /// Until the last window is closed. Without a display it says so, and what works without one.
    public static func run(_ identifier: String, name: String, commands: String, start: @escaping @MainActor () -> Void) -> Never {
        guard CWindow_prepare(name) else { fail(name, "There is no display for a window. \(commands)") }
        let call = SignalCall { _ in
            start()
            return false
        }
        exit(CWindow_run(identifier, SignalCall.function, call.context))
    }

    private static func fail(_ name: String, _ sentence: String) -> Never {
        let line = "\(name): \(sentence)\n"
        _ = line.withCString { write(STDERR_FILENO, $0, strlen($0)) }
        exit(1)
    }

    /// The keys of an action: `<Control>n`, several with blanks between them.
    public static func keys(_ keys: String, for action: String) { CWindow_set_keys(action, keys) }
}
