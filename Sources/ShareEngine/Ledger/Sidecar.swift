import ClipModel
import DurableFiles
import Foundation

/// The metadata next to a clip, which is copied together with the clip's result.
enum Sidecar {
  /// Copies the metadata to the result's folder under the result's name.
  /// - Parameter known: the digest of bsc's earlier copy, which a changed version replaces.
  /// - Returns: the digest of bsc's copy, and a note if a different file is kept or the source's folder is missing, for
  ///   example because its disk was removed. In that case, `isOutdated` makes the next run copy it.
  static func copy(
    with item: BatchItem, names: SidecarNames, known: String?
  ) throws -> (digest: String?, note: String?) {
    let bytes: Data
    let target = path(for: item.destination)
    do throws(DurableFileError) {
      guard let source = try source(of: item, names) else { return (nil, nil) }
      bytes = try DurableFile.read(source, limit: RallyMetadata.byteLimit)
    } catch {
      guard error.code == ENOENT else { throw error }
      return (known, "\(item.name) or its metadata is missing now; the next run will copy the metadata")
    }
    let digest = FileDigest.sha256(of: bytes)
    guard let existing = try DurableFile.readIfPresent(target, limit: RallyMetadata.byteLimit) else {
      try DurableFile.write(bytes, to: target, policy: .keepExisting)
      return (digest, nil)
    }
    // An identical file that bsc did not copy belongs to the user.
    if existing == bytes { return (known, nil) }
    guard known == FileDigest.sha256(of: existing) else {
      let name = (target as NSString).lastPathComponent
      return (known, "\(name) already exists and is kept: it is not the metadata of \(item.name)")
    }
    try DurableFile.write(bytes, to: target)
    return (digest, nil)
  }

  /// Removes bsc's copy together with its result, unless the user has changed the copy.
  static func remove(with entry: LedgerEntry, root: String) throws {
    let target = path(for: "\(root)/\(entry.output)")
    guard let digest = entry.sidecar, target != path(for: "\(root)/\(entry.source)"),
      let existing = try DurableFile.readIfPresent(target, limit: RallyMetadata.byteLimit),
      FileDigest.sha256(of: existing) == digest
    else { return }
    try DurableFile.remove(target)
  }

  /// Whether the metadata next to a result is missing or older than the source's. Compares modification times only,
  /// without reading the files.
  static func isOutdated(_ item: BatchItem, names: SidecarNames) -> Bool {
    guard let source = try? source(of: item, names), let own = try? FileIdentity.of(source) else { return false }
    guard let existing = try? FileIdentity.of(path(for: item.destination)) else { return true }
    return existing.modifiedNanoseconds < own.modifiedNanoseconds
  }

  private static func path(for clip: String) -> String { (clip as NSString).deletingPathExtension + ".json" }

  /// The metadata of the source; `nil` if there is none, or if it is already at the path of the result's metadata.
  private static func source(of item: BatchItem, _ names: SidecarNames) throws(DurableFileError) -> String? {
    let folder = (item.path as NSString).deletingLastPathComponent
    guard let name = try names.name(forClip: (item.path as NSString).lastPathComponent, in: folder) else { return nil }
    let source = "\(folder)/\(name)"
    return source == path(for: item.destination) ? nil : source
  }
}
