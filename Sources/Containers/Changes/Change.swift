import Documents
import LinuxFiles

/// A change of a container, as a value: what goes where, and what goes with it. Whoever wants something changed makes one and hands it to the one
/// writer (`Workshop.commit`), who carries it out wholly or not at all and answers an `Outcome`.
///
/// Everything that it names lies where it is named, in staging where it is new, and whoever hands it over is in the lanes of what it is about.
public enum Change: Sendable {
    // MARK: Content

    /// A draft becomes its document, over what was there; where somebody else has changed that since the draft was begun, the newer of the two.
    /// After that the draft's file may be the document's own, and must not be written any more. `removing` are plain files, in the documents, that
    /// go when the document is there: what it was made of. `ending` is another draft of the document, which is of no account any more.
    case save(Draft, at: Address, over: Base?, removing: [(path: [Name], name: Name)] = [], ending: Draft? = nil, durably: Bool = false)
    /// What a program has written whole comes into an item's place: a path from the documents on. What somebody else has made of the item since
    /// the program read it, waits as a conflict.
    case put(StagedItem, at: [Name])
    /// A package that programs have filled beside its place (`GrowingName.swift`) becomes the document, in one step. What is there is replaced as by
    /// `put`, and stays where all parts of both are equal: then the outcome is unchanged. `since` is what was there when the filling began.
    case placeGrown(KindID, as: Name, since: BaseStamp?, in: Address)
    /// A copy of a document's package lies beside it as one that grows, so that programs may change it file by file.
    case copyToGrow(Name, in: Address)
    /// What another computer says of an item is so here, too, or is refused (EAGAIN) because something else is there than that computer knew.
    /// What it hands over is taken where it is not refused.
    case adopt(Adoption)

    // MARK: Names and places

    /// A document gets another shown name, here or in another folder, with its versions, its draft and the copies that a sync tool has left
    /// beside it. `removing` is a plain file in the new folder that gives way.
    case rename(
        Name, KindID, from: Address, to: Address, replacing: ReplacedDocument? = nil, removing: Name? = nil, draft: Draft? = nil, copies: [Name] = [])
    /// A new document that is a draft only gets another name, over what has it.
    case renameDraft(DraftPlace, replacing: ReplacedDocument? = nil, removing: Name? = nil)
    /// A plain file or a folder gets another name or place, over what has it. `plain` says what becomes of a plain file
    /// there. The drafts in a folder go along.
    case move(
        Name, from: Address, to: Address, as: Name, replacing: ReplacedDocument? = nil, removing: Name? = nil,
        plain: ReplacedPlainFile = .gone)
    /// Two things change places. The drafts in folders go along.
    case exchange(ExchangeParty, ExchangeParty)
    /// Somebody else has moved an item: what is kept of it goes along.
    case follow([Name], to: [Name])
    /// A folder was removed by a system call, as folders are: the names that were kept of what was in it go, too.
    case forgetNames(of: Name, in: [Name])

    // MARK: Documents and plain files

    /// What a document shows becomes a plain file, and the document goes.
    case turnPlain(
        ItemReader.Opened, Name, from: Address, to: Address, as: Name, replacing: ReplacedDocument? = nil, removing: Name? = nil)
    /// A draft that is no document becomes the plain file that it looks like: under a free name, or over what is outdated by it.
    case release(Draft, asPlain: Name, at: Address, over: OutdatedDocument? = nil)

    // MARK: Earlier versions of plain files

    /// What a plain file is becomes a version of it, before a program changes it where it lies. The outcome names none where none is kept.
    case keep(plain: Name, at: Address)
    /// A program has given a plain file another name and writes the file anew: what it was is a version of that one, and its versions are that one's again.
    /// What it was may be no version.
    case keepFormer(plain: Name, at: Address, of: Name, writtenAt: Address, asVersion: Bool)
    /// The same where the program has taken the file away.
    case keepRemoved(DeletedItem, asVersion: Bool)
    /// A plain file is gone for good: so are its versions, unless another one has its place by now.
    case forgetVersions(of: Name, in: [Name])

    // MARK: Going, and coming back

    /// A document loses its name, in case that comes back soon. `ending` is a draft of it, which goes with it.
    case putAway(Name, KindID, from: Address, ending: Draft? = nil)
    /// The name of what was put away did not come back: it is among the deleted, or gone where it is not to be kept.
    case moveToDeleted(AwayItem)
    /// What was put away is back, under its stored name or the next one that is free. `draft` is what was written under its name meanwhile and
    /// does not fit: it is a draft of the document from then on; nil where there is no room for one. `removing` is the plain file, in the documents, that
    /// the draft was made of.
    case putBack(AwayItem, at: Address, with: Draft?, removing: (path: [Name], name: Name)? = nil)
    /// What was put away goes for good.
    case drop(AwayItem)
    /// A document goes for good, where it lies.
    case remove(Name, from: Address)
    /// A plain file is among the deleted. Where it is not to be kept or cannot be, nothing is done, and the outcome names none.
    case takeAway(plain: Name, from: Address)
    /// A plain file that is about to go is among the deleted, too. The outcome names none where that is not so.
    case hold(plain: Name, in: Address)
    /// It is gone: its versions, and what lay beside it, go where it is held, unless another one has its place by now.
    case letGo(held: DeletedItem)
    /// A part of a folder that is one item is about to go, of which nothing would be kept in any other folder: it is held for the deleted item that the
    /// folder becomes if all of it goes. Of a folder its attributes are, as they were. The outcome names none where that is not so.
    case holdPart(Name, in: Address, like: FileStatus?)
    /// A folder that is one item is about to go itself, empty as it is now: it is among the deleted, too.
    case holdFolder(Name, in: Address, like: FileStatus?)
    /// All that went out of it, one after another, is in it again, where it is among the deleted.
    case gather([UInt64], into: DeletedItem)
    /// What is written in a draft that is given up is among the deleted, as the plain file that it looks like.
    case keepDraft(Draft, from: Address)
    /// A deleted document is here again under its stored name, made anew: it has its versions and its shown name again, and is not among
    /// the deleted any more. Nothing is changed unless its content is what was deleted, and its owner the same. `shown` is nil where that name is taken.
    case rejoin(DeletedItem, in: OpenFile, showing: Name?)
    /// What was deleted is back, with the versions that it had. The name must be free.
    case bringBack(DeletedItem, to: OpenFile, at: [Name], as: Name, shown: Name)
    /// The folder in which something was deleted is there again, as it was, with those above it that are missing.
    case makeFolder(at: [Name])
    /// A deleted document waits for a name, as if it had lost that just now, so that content can be saved over it: the outcome's `away`.
    case recall(DeletedItem, for: Address)
    /// What was deleted is gone for good.
    case purge(DeletedItem)
    /// What is too old, or more than there is room for, goes for good: earlier versions and what was deleted.
    case thin
    /// The store is full: a quarter of what was deleted goes for good, or of the earlier versions where nothing is deleted. The outcome is unchanged
    /// where there is nothing to give up.
    case makeRoom

    // MARK: Decisions

    /// What somebody has decided about a document and what it was.
    case decide(VersionDecision, on: DocumentPlace, shown: Name)
    /// What somebody has decided about many items, where nothing of the container is shown. The path leads from the documents on to what is claimed.
    case decideOfMany(ContainerDecision, at: [Name])

    // MARK: Thumbnails

    /// A photo gets the thumbnail that was made for it, unless it is another one by now.
    case putThumbnail(StagedThumbnail, into: Name, in: OpenFile)
}

extension Change {
    /// What the folder is called that it is about, where that may be one item.
    var package: Name? {
        switch self {
        case .put(_, at: let path): path.last
        case .holdFolder(let stored, in: _, like: _): stored
        case .keepRemoved(let item, asVersion: _) where item.isFolder: item.stored
        case .decide(_, on: let place, shown: _) where place.kind == .folder: place.stored
        default: nil
        }
    }

    /// The kind of the document that it is about, where it names one.
    var kind: KindID? {
        switch self {
        case .save(let draft, at: _, over: _, removing: _, ending: _, durably: _): draft.kind
        case .rename(_, let kind, from: _, to: _, replacing: _, removing: _, draft: _, copies: _), .putAway(_, let kind, from: _, ending: _): kind
        case .placeGrown(let kind, as: _, since: _, in: _): kind
        default: nil
        }
    }
}
