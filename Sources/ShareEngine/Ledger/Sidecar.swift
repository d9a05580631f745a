import ClipModel
import DurableFiles
import Foundation

/// The metadata beside a clip, which goes where its result goes.
enum Sidecar {
  /// Copies it beside the result, under the result's name.
  /// - Parameter known: the digest of what we put there before: a newer one takes its place.
  /// - Returns: the digest of what is there and ours, and a note when another file is there, which stays, or when the
  ///   source's folder is gone by now: a disk that was taken out takes no result with it, and `isBehind` tells the next run.
  static func travel(
    with item: BatchItem, names: SidecarNames, known: String?
  ) throws -> (digest: String?, note: String?) {
    let own: (bytes: Data, target: String)?
    do throws(DurableFileError) {
      own = try read(item, names)
    } catch {
      guard error.code == ENOENT else { throw error }
      return (known, "\(item.name) or its metadata is not where it was: metadata comes along with the next run")
    }
    guard let (bytes, target) = own else { return (nil, nil) }
    let digest = FileDigest.sha256(of: bytes)
    guard let there = try DurableFile.readIfPresent(target, limit: RallyMetadata.byteLimit) else {
      try DurableFile.write(bytes, to: target, policy: .keepExisting)
      return (digest, nil)
    }
    // Equal bytes that we did not put there are somebody's own.
    if there == bytes { return (known, nil) }
    guard known == FileDigest.sha256(of: there) else {
      let shown = (target as NSString).lastPathComponent
      return (known, "\(shown) is there already and stays: it is not the metadata of \(item.name)")
    }
    try DurableFile.write(bytes, to: target)
    return (digest, nil)
  }

  /// The copy goes with a result that goes, unless somebody changed it.
  static func takeBack(of entry: LedgerEntry, root: String) throws {
    guard let digest = entry.sidecar, entry.output != entry.source else { return }
    let target = ("\(root)/\(entry.output)" as NSString).deletingPathExtension + ".json"
    guard target != ("\(root)/\(entry.source)" as NSString).deletingPathExtension + ".json",
      let there = try DurableFile.readIfPresent(target, limit: RallyMetadata.byteLimit),
      FileDigest.sha256(of: there) == digest
    else { return }
    try DurableFile.remove(target)
  }

  /// Whether a result that is there lacks its metadata, or has an older one: told by times, without reading any.
  static func isBehind(_ item: BatchItem, names: SidecarNames) -> Bool {
    guard let (source, target) = try? paths(item, names), let own = try? FileIdentity.of(source) else { return false }
    guard let there = try? FileIdentity.of(target) else { return true }
    return there.modifiedNanoseconds < own.modifiedNanoseconds
  }

  private static func read(
    _ item: BatchItem, _ names: SidecarNames
  ) throws(DurableFileError) -> (bytes: Data, target: String)? {
    guard let (source, target) = try paths(item, names) else { return nil }
    return (try DurableFile.read(source, limit: RallyMetadata.byteLimit), target)
  }

  private static func paths(
    _ item: BatchItem, _ names: SidecarNames
  ) throws(DurableFileError) -> (source: String, target: String)? {
    let folder = (item.path as NSString).deletingLastPathComponent
    guard let name = try names.name(forClip: (item.path as NSString).lastPathComponent, in: folder) else { return nil }
    let (source, target) = ("\(folder)/\(name)", (item.destination as NSString).deletingPathExtension + ".json")
    return source == target ? nil : (source, target)
  }
}
