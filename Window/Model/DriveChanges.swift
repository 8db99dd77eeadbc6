import Foundation

/// Hears when anything on a drive changes, in one word for what changes in a moment.
@MainActor
public final class DriveChanges {
    private let changed: @MainActor () -> Void
    private var stream: LineStream<Bool>?
    private var isGathered = false, isTold = false
    private static let pause = Duration.milliseconds(150)

    public init(_ program: ValiseProgram, on drive: Drive, _ changed: @escaping @MainActor () -> Void) {
        self.changed = changed
        stream = LineStream(program, ["find", "--live", "--json", "--", "TRUEPREDICATE", drive.mountpoint]) { line in
            line.count < 200 && line.range(of: Data("\"gathered\"".utf8)) != nil
        } lines: { [weak self] in self?.take($0) } ended: { [weak self] _, _ in
            // The drive has gone, or has died.
            self?.stream = nil
            self?.changed()
        }
    }

    public var isListening: Bool { stream != nil }

    /// What is there at first is no change, and is not read. Of a line it is known whether it says that all of that was told.
    private func take(_ lines: [Bool]) {
        var lines = lines[...]
        if !isGathered {
            guard let index = lines.firstIndex(of: true) else { return }
            isGathered = true
            lines = lines[(index + 1)...]
        }
        guard !lines.isEmpty, !isTold else { return }
        isTold = true
        Task {
            try? await Task.sleep(for: Self.pause)
            isTold = false
            if stream != nil { changed() }
        }
    }

    public func stop() {
        stream?.stop()
        stream = nil
    }
}
