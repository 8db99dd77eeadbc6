import Foundation

extension NSFileCoordinator {
    /// Tells those who present an item in this process, and said that they want to hear of it, that facts about its uploading or
    /// downloading are others now.
    ///
    /// ```swift
    /// coordinator.item(at: url, didChangeUbiquityAttributes: [.ubiquitousItemIsUploadedKey])
    /// ```
    public func item(at url: URL, didChangeUbiquityAttributes attributes: Set<URLResourceKey>) {
        guard let place = try? ItemPlace(url) else { return }
        for added in FilePresenters.all where ObjectIdentifier(added) != presenter {
            guard let item = added.presentedItemURL.flatMap({ try? ItemPlace($0) }), item.isBeside(place), item.path == place.path else { continue }
            let news = added.observedPresentedItemUbiquityAttributes.intersection(attributes), handed = Handed(added)
            if !news.isEmpty { added.presentedItemOperationQueue.addOperation { handed.value.presentedItemDidChangeUbiquityAttributes(news) } }
        }
    }
}
