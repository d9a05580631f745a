import DurableFiles
import Foundation
import Synchronization

/// The names of metadata files in folders. Lists each folder only once, because a folder can contain thousands of clips.
final class SidecarNames: Sendable {
  /// The names by folder, then by the stem in lowercase: the app names files after the video's UUID, in uppercase or
  /// lowercase.
  private let folders = Mutex<[String: [String: [String]]]>([:])

  /// - Returns: `nil` when the clip has no metadata. Metadata that belongs to other videos in the folder is ignored.
  func name(forClip clipName: String, in folder: String) throws(DurableFileError) -> String? {
    let stem = (clipName as NSString).deletingPathExtension
    let names = try listed(folder)[stem.lowercased()] ?? []
    let own = names.first { $0 != clipName && ($0 as NSString).deletingPathExtension == stem }
    return own ?? (UUID(uuidString: stem) == nil ? nil : names.first)
  }

  private func listed(_ folder: String) throws(DurableFileError) -> [String: [String]] {
    if let known = folders.withLock({ $0[folder] }) { return known }
    let sidecars = try Folder.names(in: folder).filter { ($0 as NSString).pathExtension.lowercased() == "json" }
    let listed = Dictionary(grouping: sidecars) { ($0 as NSString).deletingPathExtension.lowercased() }
    folders.withLock { $0[folder] = listed }
    return listed
  }
}
