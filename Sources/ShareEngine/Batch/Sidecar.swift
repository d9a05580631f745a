import ClipModel
import DurableFiles
import Foundation

/// The metadata beside a clip, which goes where its result goes.
enum Sidecar {
  /// Copies it beside the result, under the result's name.
  /// - Returns: a note when another file is there, which stays.
  static func travel(with item: BatchItem, names: SidecarNames) throws -> String? {
    let folder = (item.path as NSString).deletingLastPathComponent
    guard let name = try names.name(forClip: (item.path as NSString).lastPathComponent, in: folder) else { return nil }
    let target = (item.destination as NSString).deletingPathExtension + ".json"
    let source = "\(folder)/\(name)"
    guard source != target else { return nil }
    let bytes = try DurableFile.read(source, limit: RallyMetadata.byteLimit)
    if let there = try DurableFile.readIfPresent(target, limit: RallyMetadata.byteLimit) {
      if there == bytes { return nil }
      let shown = (target as NSString).lastPathComponent
      return "\(shown) is there already and stays: it is not the metadata of \(item.name)"
    }
    try DurableFile.write(bytes, to: target, policy: .keepExisting)
    return nil
  }
}
