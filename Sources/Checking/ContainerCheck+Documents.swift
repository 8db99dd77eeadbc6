import Containers
import Documents
import LinuxFiles
import PropertyLists

// Whether each document is whole.
extension ContainerCheck {
    /// Whether it is a document. What cannot be read as one is shown as the plain file or folder that it is.
    mutating func lookAtDocument(_ name: Name, _ kind: KindID, in folder: borrowing Descriptor, _ place: [Name]) -> Bool {
        let opened: ItemReader.Opened
        do throws(DocumentFault) {
            opened = try openPatiently(name, kind, in: folder)
        } catch {
            if case .foreign = error, !kind.kind.isMeant(storedName: name.bytes) { return false }
            // A document that was removed while it was checked is no fault.
            if error.errno == .noSuchEntry { return false }
            addFault(error, name, kind, in: folder, place)
            return false
        }
        guard let document = opened.item.document else { return false }
        lookAtName(document, place)
        for remark in kind.kind.remarks(on: opened.sources, reading: opened.reading) {
            switch remark {
            case .otherEncoding(let reason): add(.otherEncoding, place, reason)
            case .empty(let reason): add(.emptyDocument, place, reason)
            case .newer(let reason): add(.newerImage, place, reason)
            }
        }
        if let thumbnails = kind.kind.thumbnails { lookAtThumbnail(opened, thumbnails, kind, place) }
        lookAtOthers(kind, opened, place)
        return true
    }

    /// Folders that are parts, and files of which there may be several.
    private mutating func lookAtOthers(_ kind: KindID, _ opened: ItemReader.Opened, _ place: [Name]) {
        // Of a package that is shown as one flat file, anything is a part.
        guard let form = kind.form, form.flat == nil, let package = opened.package, let home = try? form.home(in: package),
            let names = try? form.names(in: home.descriptor)
        else { return }
        for other in (try? form.otherNames(in: package.descriptor, besides: names)) ?? [] {
            guard let type = try? package.descriptor.status(of: other).type else { continue }
            let isFolder = form.others.contains { $0.isFolder && $0.isCalled(other.bytes) }
            if type != (isFolder ? .folder : .regular) {
                add(.oddPart, place + [other], "it is \(Container.words(for: type)), and this part of a document is a \(isFolder ? "folder" : "file")")
            }
        }
    }

    /// What looks broken may just be about to be saved by an app: it is looked at once more.
    private func openPatiently(_ name: Name, _ kind: KindID, in folder: borrowing Descriptor) throws(DocumentFault) -> ItemReader.Opened {
        do throws(DocumentFault) { return try reader.open(name, as: kind, in: folder) } catch {
            if case .foreign = error { throw error }
            return try reader.open(name, as: kind, in: folder)
        }
    }

    private mutating func addFault(_ fault: DocumentFault, _ name: Name, _ kind: KindID, in folder: borrowing Descriptor, _ place: [Name]) {
        let reason = ItemReader.sentence(of: fault)
        let cause = fault.errno
        if kind.isPackage, ItemReader.isDenied(fault) { refused.insert(place) }
        guard let package = kind.isPackage ? try? OpenFile(folder.open(name, [.path, .folder])) : nil,
            let home = try? kind.home(in: package), let parts = try? kind.partNames(in: home.descriptor)
        else {
            return add(.unreadableDocument, place, reason, cause: cause)
        }
        for (index, part) in parts.enumerated() {
            do throws(Errno) {
                let type = try home.descriptor.status(of: part).type
                if type != .regular {
                    let odd = place + (kind.form?.folders ?? []) + [part]
                    return add(.oddPart, odd, "it is \(Container.words(for: type)), and a document's part is a file")
                }
            } catch {
                if error == .noSuchEntry, index == 0 { return add(.missingPart, place, "its \(part) is missing, so it is shown as a folder") }
            }
        }
        damagedPackages.insert(place)
        add(.unreadableDocument, place, reason, cause: cause)
    }

    private mutating func lookAtName(_ document: DocumentItem, _ place: [Name]) {
        let reading = document.reading, shown = document.naturalName
        let own = reading.name + (reading.fileExtension.isEmpty ? [] : [UInt8(ascii: ".")] + Array(reading.fileExtension.utf8))
        // In NFC it is the same name.
        if Name(own)?.composed != shown {
            add(.changedName, place, "no file can have its name, so it is shown as “\(shown)”")
        } else if String(validating: own, as: UTF8.self) == nil {
            add(.changedName, place, "its name is no text, which many programs cannot show")
        }
    }

    private mutating func lookAtThumbnail(_ photo: ItemReader.Opened, _ thumbnails: any ThumbnailKeeping, _ kind: KindID, _ place: [Name]) {
        // A photo without an image has nothing to make one of.
        guard photo.reading.length > 0, photo.sources.indices.contains(thumbnails.part), let image = photo.parts[0] else { return }
        guard let metadata = photo.sources[thumbnails.part], let file = photo.parts[thumbnails.part] else {
            return add(.missingThumbnail, place, "it has no thumbnail")
        }
        let range: ByteRange?
        do throws(DocumentFault) { range = try thumbnails.range(in: metadata) } catch {
            return add(.unreadableDocument, place + [kind.thumbnailPart].compactMap { $0 }, ItemReader.sentence(of: error))
        }
        guard let range, range.length > 0 else {
            // A drive makes it by itself of what was saved without one.
            return thumbnails.isAwaited(metadata) ? () : add(.missingThumbnail, place, "it has no thumbnail")
        }
        guard Self.isImage(range, in: metadata) else { return add(.staleThumbnail, place, "its thumbnail is no image") }
        guard let ofImage = try? image.descriptor.status(), let ofNotes = try? file.descriptor.status() else { return }
        if ofNotes.modified < ofImage.modified { add(.staleThumbnail, place, "its image is newer than its thumbnail") }
    }

    /// Told by its beginning, and of a PNG by its end: what was cut off cannot be decoded.
    private static func isImage(_ range: ByteRange, in metadata: any ByteSource) -> Bool {
        let count = Int(min(range.length, Int64(ImageType.prefixLength)))
        guard let start = try? RangeSource(metadata, from: range.offset, count: range.length).bytes(at: 0, count: count),
            let type = ImageType(prefix: start)
        else { return false }
        let ending = Array("IEND".utf8)
        guard type == .png else { return true }
        // The last chunk has its length before its name, and a checksum behind it.
        guard range.length >= 12, let end = try? RangeSource(metadata, from: range.offset, count: range.length).bytes(at: range.length - 8, count: 4)
        else { return false }
        return end == ending
    }
}
