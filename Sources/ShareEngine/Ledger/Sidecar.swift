import ClipModel
import DurableFiles
import Foundation

/// Copies and removes a clip's metadata file together with the clip's result.
enum Sidecar {
  /// Copies a clip's metadata to the result's folder, under the result's name.
  /// - Parameter known: the digest of bsc's earlier copy. If the metadata has changed, the new version replaces this
  ///   copy.
  /// - Returns: the digest of bsc's copy. Also a note if a different file was kept, or if the source or its metadata is
  ///   missing, for example because its disk was ejected. In the second case, `isOutdated` causes the next run to copy
  ///   the metadata.
  static func copyMetadata(
    with item: BatchItem, names: SidecarNames, known: String?
  ) throws -> (digest: String?, note: String?) {
    let bytes: Data
    let target = sidecarPath(for: item.destination)
    do throws(DurableFileError) {
      guard let source = try findSourceMetadata(of: item, names) else { return (nil, nil) }
      bytes = try DurableFile.read(source, limit: RallyMetadata.byteLimit)
    } catch {
      guard error.code == ENOENT else { throw error }
      return (known, "\(item.name) or its metadata is now missing; the next run will copy the metadata")
    }
    let digest = FileDigest.sha256(of: bytes)
    guard let existing = try DurableFile.readIfPresent(target, limit: RallyMetadata.byteLimit) else {
      try DurableFile.write(bytes, to: target, policy: .keepExisting)
      return (digest, nil)
    }
    // An identical file that was not copied by bsc belongs to the user.
    if existing == bytes { return (known, nil) }
    guard known == FileDigest.sha256(of: existing) else {
      let name = (target as NSString).lastPathComponent
      return (known, "\(name) was kept because it isn't a copy of the metadata of \(item.name)")
    }
    try DurableFile.write(bytes, to: target)
    return (digest, nil)
  }

  /// Removes bsc's copy of the metadata when its result is removed, unless the user has changed the copy.
  static func removeMetadata(with entry: LedgerEntry, root: String) throws {
    let target = sidecarPath(for: "\(root)/\(entry.output)")
    guard let digest = entry.sidecar, target != sidecarPath(for: "\(root)/\(entry.source)"),
      let existing = try DurableFile.readIfPresent(target, limit: RallyMetadata.byteLimit),
      FileDigest.sha256(of: existing) == digest
    else { return }
    try DurableFile.remove(target)
  }

  /// Whether a result's metadata is missing or older than the source's metadata. Only the modification times are
  /// compared, so the files aren't read.
  static func isOutdated(_ item: BatchItem, names: SidecarNames) -> Bool {
    guard let source = try? findSourceMetadata(of: item, names), let own = try? FileIdentity.of(source) else {
      return false
    }
    guard let existing = try? FileIdentity.of(sidecarPath(for: item.destination)) else { return true }
    return existing.modifiedNanoseconds < own.modifiedNanoseconds
  }

  private static func sidecarPath(for clip: String) -> String { (clip as NSString).deletingPathExtension + ".json" }

  /// Returns the path of the source's metadata, or `nil` if there is none or if it is already at the path of the
  /// result's metadata.
  private static func findSourceMetadata(of item: BatchItem, _ names: SidecarNames) throws(DurableFileError) -> String?
  {
    let folder = (item.path as NSString).deletingLastPathComponent
    guard let name = try names.findSidecar(forClip: (item.path as NSString).lastPathComponent, in: folder) else {
      return nil
    }
    let source = "\(folder)/\(name)"
    return source == sidecarPath(for: item.destination) ? nil : source
  }
}
