import Testing

/// What a document does in its life: scripts for `DocumentTrial`, each with the sentence of UIDocument's documentation, or of what is
/// promised here, that it follows, and what it prints.
struct DocumentScript: CustomTestStringConvertible, Sendable {
    let name: String, sentence: String
    /// In a container, or in none.
    var isInContainer = true
    /// What is in the file before; nil where there is none.
    var before: String? = "one"
    let steps: String
    let trace: [String]
    var testDescription: String { name }

    /// Others wait for the main queue, or it for them: when editing is disabled and enabled again is not the same each time.
    var isWithOthers: Bool {
        let words = Set(steps.split(separator: " ").map { $0.prefix { $0 != ":" } })
        return !words.isDisjoint(with: ["write", "replace", "move", "delete", "resolve", "restore", "purge", "rename", "busy", "by"]) || steps.contains("lastWord")
    }

    static let all = [
        DocumentScript(
            name: "opened", sentence: "On opening, the file is read on a background queue, and the contents are loaded.",
            steps: "open text state unsaved date",
            trace: ["load one", "state normal", "open true", "text one", "is normal", "unsaved false", "date true"]),
        DocumentScript(
            name: "openedTwiceAtOnce", sentence: "Opened once, whatever is called twice.",
            steps: "open& open state presenters",
            trace: ["load one", "state normal", "open true", "open true", "is normal", "presenters 1"]),
        DocumentScript(
            name: "openedAgain", sentence: "A document that is open stays as it is.",
            steps: "open edit:two open text unsaved",
            trace: ["load one", "state normal", "open true", "open true", "text two", "unsaved true"]),
        DocumentScript(
            name: "notThere", sentence: "The document has either not been successfully opened, or has been since closed.",
            before: nil,
            steps: "open state presenters",
            trace: ["error cocoa", "open false", "is closed", "presenters 0"]),
        DocumentScript(
            name: "refusedOnLoading", sentence: "Called by the default implementations of open and save: handleError.",
            steps: "refuse:load open state presenters refuse:none open state",
            trace: ["load refused", "error refused", "open false", "is closed", "presenters 0", "load one",
                "state normal", "open true", "is normal"]),
        DocumentScript(
            name: "closed", sentence: "The document has either not been successfully opened, or has been since closed.",
            steps: "open close state presenters",
            trace: ["load one", "state normal", "open true", "state editingDisabled", "disable", "state closed",
                "close true", "is closed", "presenters 0"]),
        DocumentScript(
            name: "closedTwice", sentence: "Closed once, whatever is called twice.",
            steps: "open close& close close state",
            trace: ["load one", "state normal", "open true", "state editingDisabled", "disable", "state closed",
                "close true", "close true", "close true", "is closed"]),
        DocumentScript(
            name: "closedBeforeOpened", sentence: "A document that was never opened has nothing to close.",
            steps: "close state",
            trace: ["close true", "is closed"]),
        DocumentScript(
            name: "closedWhileOpening", sentence: "What is asked for while it opens follows when it is open.",
            steps: "open& close state presenters",
            trace: ["load one", "state normal", "open true", "state editingDisabled", "disable", "state closed",
                "close true", "is closed", "presenters 0"]),
        DocumentScript(
            name: "openedWhileClosing", sentence: "What is asked for while it closes follows when it is closed.",
            steps: "open close& open state text",
            trace: ["load one", "state normal", "open true", "state editingDisabled", "disable", "state closed",
                "close true", "load one", "state normal", "open true", "is normal", "text one"]),
        DocumentScript(
            name: "closingSaves", sentence: "The default implementation of close calls autosave, which will save if hasUnsavedChanges is true.",
            steps: "open edit:two close file",
            trace: ["load one", "state normal", "open true", "state editingDisabled", "disable", "contents two",
                "state closed", "close true", "file two"]),
        DocumentScript(
            name: "closingWithoutChanges", sentence: "autosave saves if hasUnsavedChanges is true, and does nothing otherwise.",
            steps: "open close file versions",
            trace: ["load one", "state normal", "open true", "state editingDisabled", "disable", "state closed",
                "close true", "file one", "versions 0"]),
        DocumentScript(
            name: "closingFails", sentence: "Editing is disabled during a close, and enabled when it is safe again.",
            steps: "open edit:two refuse:write close state unsaved refuse:none close file",
            trace: ["load one", "state normal", "open true", "state editingDisabled", "disable", "contents two",
                "state savingError+editingDisabled", "error refused", "state savingError", "enable", "close false",
                "is savingError", "unsaved true", "state savingError+editingDisabled", "disable", "contents two",
                "state editingDisabled", "state closed", "close true", "file two"]),
        DocumentScript(
            name: "created", sentence: "The document is open, editing is enabled, and there are no conflicts or errors associated with it.",
            before: nil,
            steps: "edit:one create state unsaved file presenters",
            trace: ["contents one", "state normal", "create true", "is normal", "unsaved false", "file one",
                "presenters 1"]),
        DocumentScript(
            name: "createdElsewhere", sentence: "Once saved for creating, it is the document at the new place.",
            steps: "open edit:two create:b.stedoc name file edit:three save file",
            trace: ["load one", "state normal", "open true", "contents two", "create true", "name b.stedoc b",
                "file two", "contents three", "save true", "file three"]),
        DocumentScript(
            name: "createdOverAnother", sentence: "What was there is a version.",
            steps: "edit:two create file versions",
            trace: ["contents two", "state normal", "create true", "file two", "versions 1"]),
        DocumentScript(
            name: "createdOverAnotherInNoContainer", sentence: "What was there is replaced, as on Apple's systems: an app asks before.",
            isInContainer: false,
            steps: "edit:two create file open another edit:three save:b.txt create:b.txt file",
            trace: ["contents two", "state normal", "create true", "file two", "open true", "contents three", "save true", "contents three",
                "state normal", "create true", "file three"]),
        DocumentScript(
            name: "createdAndClosed", sentence: "Each instance is created, and closed once.",
            before: nil,
            steps: "edit:one create close state file",
            trace: ["contents one", "state normal", "create true", "state editingDisabled", "disable",
                "state closed", "close true", "is closed", "file one"]),
        DocumentScript(
            name: "saved", sentence: "The change count token is made at the beginning of a save, and given back at its conclusion.",
            steps: "open edit:two unsaved save unsaved file versions date",
            trace: ["load one", "state normal", "open true", "unsaved true", "contents two", "save true",
                "unsaved false", "file two", "versions 1", "date true"]),
        DocumentScript(
            name: "savedWithoutChanges", sentence: "A save that is called is done, whether something changed or not.",
            steps: "open save file",
            trace: ["load one", "state normal", "open true", "contents one", "save true", "file one"]),
        DocumentScript(
            name: "editedDuringSave", sentence: "updateChangeCount(withToken:) clears if no changes are made during the save.",
            steps: "open edit:two save& edit:three unsaved settle file unsaved",
            trace: ["load one", "state normal", "open true", "contents two", "unsaved true", "save true", "file two",
                "unsaved true"]),
        DocumentScript(
            name: "savedTwiceAtOnce", sentence: "Saves come one after the other.",
            steps: "open edit:two save& save file versions",
            trace: ["load one", "state normal", "open true", "contents two", "contents two", "save true",
                "save true", "file two", "versions 2"]),
        DocumentScript(
            name: "savedFromAnotherThread", sentence: "Calls belong to the main queue; those that are handed there come one after the other.",
            steps: "open edit:two twice settle file state",
            trace: ["load one", "state normal", "open true", "contents two", "contents two", "save true",
                "save true", "file two", "is normal"]),
        DocumentScript(
            name: "autosaved", sentence: "UIDocument periodically invokes autosave to initiate a save operation if there are unsaved changes.",
            steps: "open delay:0.05 edit:two until:saved file",
            trace: ["load one", "state normal", "open true", "contents two", "file two"]),
        DocumentScript(
            name: "autosavedOnce", sentence: "Several changes within the time are one save.",
            steps: "open delay:0.1 edit:two edit:three edit:four until:saved file versions",
            trace: ["load one", "state normal", "open true", "contents four", "file four", "versions 1"]),
        DocumentScript(
            name: "autosaveWithoutChanges", sentence: "The default implementation of autosave invokes hasUnsavedChanges and, if that returns true, save.",
            steps: "open autosave versions",
            trace: ["load one", "state normal", "open true", "autosave true", "versions 0"]),
        DocumentScript(
            name: "cleared", sentence: "Cleared: the document has no changes that are not saved.",
            steps: "open edit:two clear unsaved autosave file",
            trace: ["load one", "state normal", "open true", "unsaved false", "autosave true", "file one"]),
        DocumentScript(
            name: "countedBack", sentence: "An undone change is no change.",
            steps: "open edit:two undone unsaved redone unsaved undone unsaved",
            trace: ["load one", "state normal", "open true", "unsaved false", "unsaved true", "unsaved false"]),
        DocumentScript(
            name: "tokenOfAnEarlierState", sentence: "Tokens encapsulate the record of changes made in a particular save.",
            steps: "open edit:two token edit:three use unsaved token use unsaved",
            trace: ["load one", "state normal", "open true", "unsaved true", "unsaved false"]),
        DocumentScript(
            name: "undoMarksAChange", sentence: "Setting the undo manager registers the document as an observer, so that updateChangeCount is invoked as undoable changes are made.",
            steps: "open type:two unsaved save unsaved file",
            trace: ["load one", "state normal", "open true", "unsaved true", "contents two", "save true",
                "unsaved false", "file two"]),
        DocumentScript(
            name: "undoToWhatIsSaved", sentence: "Undoing to what is saved leaves nothing to save.",
            steps: "open type:two undo text unsaved redo text unsaved",
            trace: ["load one", "state normal", "open true", "text one", "unsaved false", "text two",
                "unsaved true"]),
        DocumentScript(
            name: "undoAfterSave", sentence: "Undoing what was saved is a change.",
            steps: "open type:two save undo text unsaved save file",
            trace: ["load one", "state normal", "open true", "contents two", "save true", "text one", "unsaved true",
                "contents one", "save true", "file one"]),
        DocumentScript(
            name: "newEditAfterUndo", sentence: "What comes after an undo is not what was saved before.",
            steps: "open type:two save undo type:three unsaved save file",
            trace: ["load one", "state normal", "open true", "contents two", "save true", "unsaved true",
                "contents three", "save true", "file three"]),
        DocumentScript(
            name: "typedAndClosed", sentence: "An edit counts before its turn of the run loop is over.",
            steps: "open type:two close file",
            trace: ["load one", "state normal", "open true", "state editingDisabled", "disable", "contents two",
                "state closed", "close true", "file two"]),
        DocumentScript(
            name: "undoIsForgottenOnReading", sentence: "Reading anew forgets what could be undone.",
            steps: "open type:two revert text unsaved undo text",
            trace: ["load one", "state normal", "open true", "state editingDisabled", "disable", "load one",
                "state normal", "enable", "revert true", "text one", "unsaved false", "text one"]),
        DocumentScript(
            name: "reverted", sentence: "Discard all unsaved document modifications and replace the document's contents by reading a file.",
            steps: "open edit:two revert text unsaved",
            trace: ["load one", "state normal", "open true", "state editingDisabled", "disable", "load one",
                "state normal", "enable", "revert true", "text one", "unsaved false"]),
        DocumentScript(
            name: "revertedToAnother", sentence: "revert calls disableEditing in the beginning and enableEditing on completion.",
            steps: "open another open edit:x create:b.stedoc another open raw:else revert:a.stedoc text",
            trace: ["load one", "state normal", "open true", "load one", "state normal", "open true", "contents x",
                "create true", "load x", "state normal", "open true", "state editingDisabled", "disable", "load one",
                "state normal", "enable", "revert true", "text one"]),
        DocumentScript(
            name: "revertFails", sentence: "There was an error in saving or reverting the document.",
            steps: "open edit:two remove revert text unsaved state",
            trace: ["load one", "state normal", "open true", "state editingDisabled", "disable",
                "state savingError+editingDisabled", "error cocoa", "state savingError", "enable", "revert false",
                "text two", "unsaved true", "is savingError"]),
        DocumentScript(
            name: "revertFailsWithNothingToSave", sentence: "What was to be read could not be: the document is what it was.",
            steps: "open refuse:load revert state refuse:none autosave text revert:none state",
            trace: ["load one", "state normal", "open true", "state editingDisabled", "disable", "load refused",
                "state savingError+editingDisabled", "error refused", "state editingDisabled", "state normal", "enable", "revert false", "is normal",
                "autosave true", "text one", "state editingDisabled", "disable", "state savingError+editingDisabled", "error cocoa",
                "state editingDisabled", "state normal", "enable", "revert false", "is normal"]),
        DocumentScript(
            name: "readerGetsWhatWasTyped", sentence: "A file presenter with unsaved changes is asked to save them before others read.",
            steps: "open edit:two read unsaved state",
            trace: ["load one", "state normal", "open true", "contents two", "read two", "unsaved false",
                "is normal"]),
        DocumentScript(
            name: "readerWithoutChanges", sentence: "withoutChanges: nobody is asked to save.",
            steps: "open edit:two look unsaved",
            trace: ["load one", "state normal", "open true", "look one", "unsaved true"]),
        DocumentScript(
            name: "changedByAnother", sentence: "Another's change is read, where nothing was typed.",
            steps: "open write:two until:two text unsaved settle state",
            trace: ["load one", "open true", "load two", "text two", "unsaved false", "is normal"]),
        DocumentScript(
            name: "changedByAnotherAndRefusedAtFirst", sentence: "What others wrote and cannot be read yet is read later.",
            steps: "open refuse:once write:two until:two text unsaved",
            trace: ["load one", "open true", "load refused", "load two", "text two", "unsaved false"]),
        DocumentScript(
            name: "changedByAnotherWhileEdited", sentence: "Whoever writes gets what was typed first, and what they write is read then.",
            steps: "open edit:two write:three until:three text unsaved file",
            trace: ["load one", "open true", "contents two", "load three", "text three", "unsaved false",
                "file three"]),
        DocumentScript(
            name: "replacedByAnotherWhileEdited", sentence: "forReplacing: nothing is saved before. What was typed is the other side of a conflict.",
            steps: "open edit:two replace:three settle text unsaved autosave conflicts state",
            trace: ["load one", "open true", "text two", "unsaved true", "contents two", "autosave true",
                "conflicts 1", "is inConflict"]),
        DocumentScript(
            name: "conflict", sentence: "Conflicts exist for the document's fileURL.",
            steps: "open edit:two raw:theirs autosave state file conflicts",
            trace: ["load one", "state normal", "open true", "contents two", "state inConflict", "autosave true",
                "is inConflict", "file two", "conflicts 1"]),
        DocumentScript(
            name: "conflictResolved", sentence: "They can be accessed through unresolvedConflictVersionsOfItem.",
            steps: "open edit:two raw:theirs autosave resolve until:resolved state conflicts versions",
            trace: ["load one", "open true", "contents two", "autosave true", "is normal", "conflicts 0",
                "versions 1"]),
        DocumentScript(
            name: "conflictStaysWhereItIs", sentence: "Conflicts exist for the document's fileURL: a new file has none.",
            steps: "open edit:two raw:theirs autosave create:b.stedoc state conflicts",
            trace: ["load one", "state normal", "open true", "contents two", "state inConflict", "autosave true", "contents two", "state normal",
                "create true", "is normal", "conflicts 0"]),
        DocumentScript(
            name: "openedByALink", sentence: "A document opened by a symbolic link is the document that this leads to.",
            steps: "link:l.stedoc open name presenters edit:two save name close",
            trace: ["load one", "state normal", "open true", "name a.stedoc a", "presenters 1", "contents two", "save true", "name a.stedoc a",
                "state editingDisabled", "disable", "state closed", "close true"]),
        DocumentScript(
            name: "openedByALinkInNoContainer", sentence: "The link stays a link.",
            isInContainer: false,
            steps: "link:l.txt open name edit:two save file",
            trace: ["load one", "state normal", "open true", "name a.txt a", "contents two", "save true", "file two"]),
        DocumentScript(
            name: "conflictOnOpening", sentence: "Conflicts exist for the document's fileURL.",
            steps: "open edit:two raw:theirs autosave close another open state",
            trace: ["load one", "state normal", "open true", "contents two", "state inConflict", "autosave true",
                "state inConflict+editingDisabled", "disable", "state closed", "close true", "load two",
                "state inConflict", "open true", "is inConflict"]),
        DocumentScript(
            name: "restored", sentence: "A version takes the item's place, and what the item was becomes one.",
            steps: "open edit:two save restore until:one text file versions",
            trace: ["load one", "open true", "contents two", "save true", "load one", "text one", "file one",
                "versions 2"]),
        DocumentScript(
            name: "versionsRemoved", sentence: "Removes all versions but the current one.",
            steps: "open edit:two save edit:three save versions purge versions file",
            trace: ["load one", "open true", "contents two", "save true", "contents three", "save true",
                "versions 2", "versions 0", "file three"]),
        DocumentScript(
            name: "moved", sentence: "A moved document follows its file.",
            steps: "open move:b.stedoc until:b.stedoc name edit:two save file",
            trace: ["load one", "open true", "name b.stedoc b", "contents two", "save true", "file two"]),
        DocumentScript(
            name: "movedByNobodyKnows", sentence: "A file that somebody moved without a word is followed, and not written a second time.",
            steps: "open edit:two rename:b.stedoc save name file presenters",
            trace: ["load one", "open true", "contents two", "save true", "name b.stedoc b", "file two", "presenters 1"]),
        DocumentScript(
            name: "movedByNobodyKnowsAndClosed", sentence: "close never answers true with something that is not saved.",
            steps: "open edit:two rename:b.stedoc close unsaved name file",
            trace: ["load one", "open true", "contents two", "close true", "unsaved false", "name b.stedoc b", "file two"]),
        DocumentScript(
            name: "versionsFollowWhatIsMovedUnasked", sentence: "What a document was goes along with it.",
            steps: "open edit:two save rename:b.stedoc edit:three save versions file",
            trace: ["load one", "open true", "contents two", "save true", "contents three", "save true", "versions 2", "file three"]),
        DocumentScript(
            name: "versionsFollowWhatAnAppMoves", sentence: "item(at:didMoveTo:): those who wait for it get its new place, and its versions are there.",
            steps: "open edit:two save move:b.stedoc until:b.stedoc read versions",
            trace: ["load one", "open true", "contents two", "save true", "read two", "versions 1"]),
        DocumentScript(
            name: "movedInNoContainerByNobodyKnows", sentence: "In its folder it is followed, too.",
            isInContainer: false,
            steps: "open edit:two rename:b.txt close name file",
            trace: ["load one", "open true", "contents two", "close true", "name b.txt b", "file two"]),
        DocumentScript(
            name: "movedWhileEdited", sentence: "What was typed goes along.",
            steps: "open edit:two move:b.stedoc until:b.stedoc name unsaved file",
            trace: ["load one", "open true", "contents two", "name b.stedoc b", "unsaved false", "file two"]),
        DocumentScript(
            name: "movedOutOfTheContainer", sentence: "item(at:didMoveTo:) announces that an item has a new URL, wherever that is.",
            steps: "open edit:two move:../b.stedoc until:b.stedoc name unsaved edit:three save file state presenters",
            trace: ["load one", "open true", "contents two", "name b.stedoc b", "unsaved false", "contents three", "save true", "file three", "is normal", "presenters 1"]),
        DocumentScript(
            name: "movedOutOfTheContainerByAnother", sentence: "The same by another process.",
            steps: "open edit:two by:else:move:../b until:b.stedoc name unsaved edit:three read save file state",
            trace: ["load one", "open true", "contents two", "name b.stedoc b", "unsaved false", "contents three", "read three", "contents three", "save true",
                "file three", "is normal"]),
        DocumentScript(
            name: "movedOutOfTheContainerWhileBusy", sentence: "What could not be saved before goes there.",
            steps: "open delay:0.1 edit:two busy:else:move:../b until:b.stedoc until:saved name file state",
            trace: ["load one", "open true", "contents two", "name b.stedoc b", "file two", "is normal"]),
        DocumentScript(
            name: "movedOutOfTheContainerAndToldLate", sentence: "What was not saved before goes there, and not to where the item was, when nobody has told of its move yet.",
            steps: "open delay:0.1 edit:two refuse:news busy:else:move:../b until:b.stedoc until:saved name file stored",
            trace: ["load one", "open true", "contents two", "name b.stedoc b", "file two", "stored"]),
        DocumentScript(
            name: "deleted", sentence: "A deleted document is closed.",
            steps: "open delete until:closed state presenters file",
            trace: ["load one", "open true", "is closed", "presenters 0", "file nothing"]),
        DocumentScript(
            name: "deletedWhileEdited", sentence: "What was typed stays in memory, and can be saved for creating.",
            steps: "open edit:two delete until:closed state text create state file",
            trace: ["load one", "open true", "is closed", "text two", "contents two", "create true", "is normal",
                "file two"]),
        DocumentScript(
            name: "deletedWhileEditedAndClosed", sentence: "close never answers true with something that is not saved.",
            steps: "open edit:two delete until:closed close unsaved",
            trace: ["load one", "open true", "close false", "unsaved true"]),
        DocumentScript(
            name: "deletedWhileTheAppIsBusy", sentence: "Neither a save that was to come nor one that is asked for brings back what was deleted.",
            steps: "open delay:0.1 edit:two busy:else:delete settle state text unsaved file autosave save file create state file",
            trace: ["load one", "open true", "is closed", "text two", "unsaved true", "file nothing", "autosave false", "error cocoa", "save false",
                "file nothing", "contents two", "create true", "is normal", "file two"]),
        DocumentScript(
            name: "deletedByNobodyKnows", sentence: "A file that is gone is written anew.",
            steps: "open remove edit:two save file state",
            trace: ["load one", "state normal", "open true", "contents two", "save true", "file two", "is normal"]),
        DocumentScript(
            name: "deletesItsOwnFile", sentence: "A subclass that deletes its own file while it is saved loses nothing.",
            steps: "open edit:two refuse:deletes save file state",
            trace: ["load one", "state normal", "open true", "contents two", "save true", "file two", "is normal"]),
        DocumentScript(
            name: "contentsRefused", sentence: "An error has occurred that prevents the document from saving.",
            steps: "open edit:two refuse:contents save state unsaved file refuse:none save state file",
            trace: ["load one", "state normal", "open true", "contents two", "state savingError", "error refused",
                "save false", "is savingError", "unsaved true", "file one", "contents two", "state normal",
                "save true", "is normal", "file two"]),
        DocumentScript(
            name: "writtenToTheMomentAfterASave", sentence: "What others write is never taken for what the document has saved.",
            steps: "open edit:two refuse:lastWord save& until:twotheirs text unsaved file",
            trace: ["load one", "open true", "contents two", "save true", "load twotheirs", "text twotheirs", "unsaved false", "file twotheirs"]),
        DocumentScript(
            name: "writeRefused", sentence: "An error has occurred that prevents the document from saving.",
            steps: "open edit:two refuse:write save state unsaved file",
            trace: ["load one", "state normal", "open true", "contents two", "state savingError", "error refused",
                "save false", "is savingError", "unsaved true", "file one"]),
        DocumentScript(
            name: "errorIsAskedAbout", sentence: "Subclasses that do not call super are responsible for calling finishedHandlingError when done with the error.",
            steps: "open edit:two ask refuse:write save& settle state answer:no settle unsaved",
            trace: ["load one", "state normal", "open true", "contents two", "state savingError", "error refused",
                "is savingError", "save false", "unsaved true"]),
        DocumentScript(
            name: "errorIsNeverAnswered", sentence: "A completion that never comes keeps nobody else waiting.",
            steps: "open edit:two ask refuse:write save& settle refuse:none save file",
            trace: ["load one", "state normal", "open true", "contents two", "state savingError", "error refused",
                "contents two", "state normal", "save true", "file two"]),
        DocumentScript(
            name: "containerVanishes", sentence: "What cannot be saved is not lost.",
            steps: "open edit:two vanish save state unsaved text",
            trace: ["load one", "state normal", "open true", "contents two", "state savingError", "error cocoa",
                "save false", "is savingError", "unsaved true", "text two"]),
        DocumentScript(
            name: "inNoContainer", sentence: "Files in no container are read and saved alike.",
            isInContainer: false,
            steps: "open edit:two read write:three until:three text edit:four close file",
            trace: ["load one", "open true", "contents two", "read two", "load three", "text three", "contents four",
                "close true", "file four"]),
        DocumentScript(
            name: "movedInNoContainer", sentence: "They are followed, too.",
            isInContainer: false,
            steps: "open move:b.txt until:b.txt name edit:two save file delete until:closed state",
            trace: ["load one", "open true", "name b.txt b", "contents two", "save true", "file two", "is closed"]),
        DocumentScript(
            name: "notSeenInNoContainer", sentence: "What was not seen is not written over, where no version of it can be kept.",
            isInContainer: false,
            steps: "open edit:two raw:theirs autosave file unsaved revert text state unsaved",
            trace: ["load one", "state normal", "open true", "contents two", "state savingError", "error cocoa", "autosave false",
                "file theirs", "unsaved true", "state savingError+editingDisabled", "disable", "load theirs", "state editingDisabled",
                "state normal", "enable", "revert true", "text theirs", "is normal", "unsaved false"]),
        DocumentScript(
            name: "typeAndExtension", sentence: "Derived from the fileURL by default.",
            isInContainer: false,
            steps: "name type? date open date",
            trace: ["name a.txt a", "type public.plain-text png", "date false", "load one", "state normal",
                "open true", "date true"]),
        DocumentScript(
            name: "editedRightAfterLoading", sentence: "What is typed after another's change was read is an edit.",
            steps: "open replace:two until:two edit:three unsaved settle unsaved close file",
            trace: ["load one", "open true", "load two", "unsaved true", "unsaved true", "contents three", "close true",
                "file three"]),
    ]
}
