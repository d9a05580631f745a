#if Recruiting
import ClipModel
import DurableFiles
import Foundation
package import Recruiting

/// The pictures of interactions.
extension RecruitingSession {
  /// Attaches the picture in a file, without its metadata, to an interaction that the account logged. The same file is
  /// attached once.
  /// - Parameter path: the absolute path.
  /// - Throws: `DurableFileError`, `ShareEngineError` if the file is not a picture or too large, or `RecruitingError`.
  package func attach(_ path: String, to interaction: Interaction) async throws -> Interaction {
    let picture = try await PictureReader.read(path)
    guard picture.bytes.count <= Self.attachmentByteLimit else {
      throw ShareEngineError(
        .pictureTooLarge, ["path": path, "limit": ByteCount.text(Int64(Self.attachmentByteLimit))])
    }
    let stem = ((path as NSString).lastPathComponent as NSString).deletingPathExtension
    let readable = stem.map { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_") ? $0 : "-" }.prefix(40)
    let digest = FileDigest.sha256(of: picture.bytes).prefix(8)
    return try await api.attach(
      picture, named: "\(String(readable))-\(digest).\(picture.format.fileExtension)", to: interaction)
  }

  /// The limit of the bucket `attachments`.
  private static let attachmentByteLimit = 4 << 20

  /// Removes the attachment with a name from an interaction that the account logged.
  /// - Parameter name: an entry of `attachments`, or the last component of one.
  /// - Throws: `RecruitingError` if there is none.
  package func detach(_ name: String, from interaction: Interaction) async throws -> Interaction {
    let entries = interaction.attachments ?? []
    guard let entry = entries.first(where: { $0 == name || $0.hasSuffix("/\(name)") }) else {
      throw RecruitingError(.unknownName, ["kind": "attachment", "name": name])
    }
    return try await api.detach(entry, from: interaction)
  }

  /// Writes the stored pictures of an interaction to a folder, which is created if necessary.
  /// - Parameter folder: the absolute path.
  /// - Throws: `DurableFileError` if a file exists or can't be written, or `RecruitingError`.
  package func saveAttachments(of interaction: Interaction, to folder: String) async throws {
    for entry in interaction.storedAttachments {
      let path = "\(folder)/\((entry as NSString).lastPathComponent)"
      let bytes = try await api.attachment(entry)
      try await WorkerThread.run("bsc attachments") { _ in
        try Folder.create(folder)
        // Pictures of contacts are for the user only.
        try DurableFile.write(bytes, to: path, permissions: 0o600, policy: .keepExisting)
      }
    }
  }
}
#endif
