import Foundation
import LinuxFiles
import Predicates

// Predicates in words, which Foundation on Linux declares and does not have.
extension NSPredicate {
    /// A condition in NSPredicate's words. An argument belongs to each `%K` (the name of an attribute), `%@` (a text, number, date, URL or
    /// list), `%d` and `%f`, in their order; `%i`, `%ld`, `%lu`, `%lf` and the like, as `printf` has them, are the same.
    ///
    /// It knows the attributes of an ``NSMetadataQuery``, under Apple's names, and holds for an ``NSMetadataItem`` or a dictionary with
    /// such keys. One that cannot be understood holds for nothing, and ``formatFault`` says why; Apple's would end the program.
    ///
    /// ```swift
    /// query.predicate = NSPredicate(format: "%K LIKE %@", NSMetadataItemFSNameKey, "*.stedoc")
    /// ```
    public convenience init(format predicateFormat: String, _ arguments: Any...) { self.init(format: predicateFormat, argumentArray: arguments) }

    /// The same with its arguments in an array.
    ///
    /// ```swift
    /// let predicate = NSPredicate(format: "%K < %d", argumentArray: [NSMetadataItemFSSizeKey, 1_000])
    /// ```
    public convenience init(format predicateFormat: String, argumentArray arguments: [Any]?) {
        let formatted = FormattedPredicate(predicateFormat, arguments ?? [])
        self.init(block: { object, _ in
            // That is how the query learns what it says: a block shows nothing of what it knows.
            if let question = object as? FormatQuestion {
                question.answer = formatted
                return true
            }
            return formatted.holds(for: object)
        })
    }

    /// Why a predicate that was made of words cannot be understood, and where; nil for one that can.
    ///
    /// ```swift
    /// if let fault = predicate.formatFault { warn(fault) }
    /// ```
    public var formatFault: String? { formatted?.fault }

    /// What it says, if it was made of words.
    var formatted: FormattedPredicate? {
        guard !(self is NSCompoundPredicate) else { return nil }
        let question = FormatQuestion()
        _ = evaluate(with: question)
        return question.answer
    }

    /// What it says, also of several that are joined; nil where a part is a block, which only shows what it holds for.
    var known: Predicates.Predicate? {
        guard let compound = self as? NSCompoundPredicate else { return formatted?.predicate }
        let parts = compound.subpredicates.compactMap(\.known)
        guard parts.count == compound.subpredicates.count else { return nil }
        switch compound.compoundPredicateType {
        case .and: return .all(parts)
        case .or: return .any(parts)
        case .not: return parts.first.map { .not($0) }
        @unknown default: return nil
        }
    }
}

/// Asks a predicate what it says.
private final class FormatQuestion: NSObject {
    var answer: FormattedPredicate?
}

/// A predicate that was made of words, or why it is none.
final class FormattedPredicate: Sendable {
    let predicate: Predicates.Predicate?
    let fault: String?

    init(_ format: String, _ arguments: [Any]) {
        let values = arguments.compactMap(PredicateValues.argument)
        guard values.count == arguments.count else {
            (predicate, fault) = (nil, "An argument of the predicate “\(format)” is no text, number, date, URL or list.")
            return
        }
        do throws(PredicateFault) {
            (predicate, fault) = (try Predicates.Predicate(format, now: Moment(seconds: Timestamp.now.seconds), arguments: values), nil)
        } catch {
            (predicate, fault) = (nil, ([error.description] + error.lines(of: format)).joined(separator: "\n"))
        }
    }

    func holds(for object: Any?) -> Bool {
        guard let predicate else { return false }
        if let item = object as? NSMetadataItem { return predicate.holds { item.value(of: $0) } }
        guard let values = object as? [String: Any] else { return false }
        return predicate.holds { attribute in
            (attribute.appleNames + [attribute.rawValue]).lazy.compactMap { values[$0] }.first.flatMap(PredicateValues.value) ?? .missing
        }
    }
}
