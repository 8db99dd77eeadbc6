import Containers
import LinuxFiles

// What takes its time for a claim, on the queue of the one who does it, and is heard of later.
extension ClaimDesk {
    /// Takes its time, and is answered then.
    mutating func decide(_ decision: ClaimDecision, on item: ItemPath, _ key: Claim.Key) {
        let server = server
        underWay += 1
        server.errands.async {
            do throws(SaveFault) {
                try server.decide(decision, on: item)
                server.send(.decided(key, nil, ""))
                if server.hasPresenters { server.send(.event(decision.event, item, nil)) }
            } catch { server.send(.decided(key, error, "")) }
        }
    }

    mutating func save(_ staged: StagedItem, at item: ItemPath, _ key: Claim.Key, _ presenter: UInt64?) {
        let server = server
        underWay += 1
        server.errands.async {
            do throws(SaveFault) {
                let outcome = try server.save(staged, at: item)
                // Whoever saved it hears that from the answer.
                if outcome == .conflict, server.hasPresenters { server.send(.event(.gainedConflict, item, presenter)) }
                server.send(.decided(key, nil, outcome == .conflict ? CoordinationProtocol.conflict : ""))
            } catch { server.send(.decided(key, error, "")) }
        }
    }

    /// False for what no honest client says: both items of a claim are moved, or none.
    mutating func adopt(_ adoption: ClaimAdoption, of index: Int, in claim: Claim) -> Bool {
        let item = claim.items[index], other = claim.items.indices.contains(1 - index) ? claim.items[1 - index] : nil
        if adoption.isAboutBoth {
            guard let other, item.purpose.isWriting, item.purpose.isDeep, other.purpose.isWriting, other.purpose.isDeep
            else { return false }
        }
        guard let wanted = adoption.adoption(of: item.path, other?.path) else { return false }
        let server = server, key = claim.key, presenter = claim.presenter, target = other?.path
        underWay += 1
        server.errands.async {
            do throws(SaveFault) {
                let adopted = try server.adopt(wanted)
                if adoption.what == .moved, let target { server.send(.adoptedMove(key, item.path, target)) }
                if let event = adoption.event ?? (adopted.replaced == nil ? nil : .gainedConflict), server.hasPresenters
                {
                    server.send(.event(event, item.path, presenter))
                }
                server.send(.decided(key, nil, adopted.text))
            } catch { server.send(.decided(key, error, "")) }
        }
        return true
    }

    mutating func noteMove(_ old: ItemPath, _ new: ItemPath, in claim: Claim?) {
        move(old, new, except: claim?.presenter)
        claim?.moves.append((old, new))
    }

    mutating func follow(_ old: ItemPath, _ new: ItemPath, in claim: Claim) {
        let server = server, key = claim.key
        following[key, default: 0] += 1
        underWay += 1
        server.errands.async {
            server.follow(old, to: new)
            server.send(.followed(key))
        }
    }

    /// Has whoever holds the container notice what others do with an item, where it does not yet. False where nobody has to be waited for. What is in it
    /// and not `known` is told as new.
    func follow(_ item: ItemPath, knowing known: Set<ItemPath>? = nil, then message: CoordinationServer.Message? = nil) -> Bool {
        guard let presenter = server.presenter, !presenter.isFollowing(item) else { return false }
        server.followings.async { [server] in
            let found = presenter.follow(item)
            if let known { server.tellNew(in: found, besides: known) }
            if let message { server.send(message) }
        }
        return true
    }

    mutating func hasFollowed(_ key: Claim.Key) {
        underWay -= 1
        let left = (following[key] ?? 1) - 1
        following[key] = left > 0 ? left : nil
        if left <= 0, let claim = givenUp.removeValue(forKey: key) { end(claim) }
    }

    mutating func tellDecided(_ key: Claim.Key, _ fault: SaveFault?, _ text: String) {
        underWay -= 1
        // The client has gone meanwhile.
        guard let client = clients[key.client] else { return }
        switch fault {
        case nil: say(.decided(key.claim, nil, text), to: client)
        case .failed(let errno): say(.decided(key.claim, errno, "\(errno)"), to: client)
        case .unfit(let reason): say(.decided(key.claim, .invalid, reason), to: client)
        }
    }
}
