import DocumentKit
import Foundation
import Testing

/// Predicates in words, with arguments.
@Suite struct PredicateFormatTests {
    private let item: [String: Any] = [
        "kMDItemFSName": "Note 1.stedoc", "kMDItemFSSize": 12, "kMDItemFSContentChangeDate": Date(timeIntervalSince1970: 1_000_000_000),
        "NSMetadataItemIsUbiquitousKey": true,
    ]

    private func holds(_ format: String, _ arguments: Any...) -> Bool { NSPredicate(format: format, argumentArray: arguments).evaluate(with: item) }

    /// As the stories have them.
    @Test func theStoriesPredicates() {
        #expect(NSPredicate(format: "%K like '*'", NSMetadataItemFSNameKey).evaluate(with: item))
        #expect(NSPredicate(format: "%K LIKE '*.stedoc'", NSMetadataItemFSNameKey).evaluate(with: item))
        #expect(NSPredicate(format: "%K LIKE %@", NSMetadataItemFSNameKey, "*.stedoc").evaluate(with: item))
        #expect(!NSPredicate(format: "%K LIKE %@", NSMetadataItemFSNameKey, "*.ptk").evaluate(with: item))
        #expect(!NSPredicate(format: "%K like '*'", NSMetadataItemTitleKey).evaluate(with: item))
    }

    @Test func argumentsOfAllSorts() {
        #expect(holds("%K == %d", NSMetadataItemFSSizeKey, 12) && holds("%K < %f", NSMetadataItemFSSizeKey, 12.5) && holds("%K == %@", NSMetadataItemFSSizeKey, NSNumber(value: 12)))
        #expect(holds("%K < %@", NSMetadataItemFSContentChangeDateKey, Date()) && !holds("%K > %@", NSMetadataItemFSContentChangeDateKey, Date()))
        #expect(holds("%K IN %@", NSMetadataItemFSNameKey, ["a", "Note 1.stedoc"]) && holds("%K BETWEEN %@", NSMetadataItemFSSizeKey, [1, 20]))
        #expect(holds("%K == %@", NSMetadataItemIsUbiquitousKey, true) && holds("%K == %@", NSMetadataItemIsUbiquitousKey, NSNumber(value: true)))
        #expect(holds("%K LIKE '100%%' OR %K == %@", NSMetadataItemFSNameKey, NSMetadataItemFSNameKey, "Note 1.stedoc" as NSString))
        #expect(holds("%K == %@", NSMetadataItemTitleKey, NSNull()) && holds("kMDItemFSSize == 12"))
        #expect(NSPredicate(format: "%K LIKE '100%%'", NSMetadataItemFSNameKey).evaluate(with: ["kMDItemFSName": "100%"]))
    }

    @Test(arguments: ["", "%K LIEK 'x'", "%K ==", "nothing == 1", "%K == %@ AND %K == %@"])
    func whatCannotBeUnderstoodHoldsForNothing(format: String) {
        let predicate = NSPredicate(format: format, NSMetadataItemFSNameKey)
        #expect(predicate.formatFault != nil && !predicate.evaluate(with: item))
        let query = NSMetadataQuery()
        query.predicate = predicate
        #expect(!query.start() && !query.isStarted && query.failureDescription == predicate.formatFault)
    }

    @Test func anArgumentThatIsNoValueIsAFault() {
        #expect(NSPredicate(format: "%K == %@", NSMetadataItemFSNameKey, NSObject()).formatFault?.contains("no text, number, date") == true)
        #expect(NSPredicate(format: "size == %d", "many").formatFault != nil && NSPredicate(format: "size == 1", 5).formatFault != nil)
        #expect(NSPredicate(format: "size == 1").formatFault == nil && NSPredicate(value: true).formatFault == nil)
    }

    @Test func descriptorsSort() {
        let descriptor = NSSortDescriptor(key: NSMetadataItemFSSizeKey, ascending: false)
        #expect(!descriptor.ascending)
    }
}
