import DurableFiles
import Foundation
import Synchronization

/// Finds metadata files in folders. Lists each folder only once, because a folder can contain thousands of clips.
final class SidecarNames: Sendable {
  /// The file names, by folder and lowercase stem. The app names files after the video's UUID, in uppercase or
  /// lowercase.
  private let folders = Mutex<[String: [String: [String]]]>([:])

  /// - Returns: the name of the clip's metadata file, or `nil` if there is none. Metadata of other videos in the folder
  ///   is ignored.
  func findSidecar(forClip clipName: String, in folder: String) throws(DurableFileError) -> String? {
    let stem = (clipName as NSString).deletingPathExtension
    let names = try listSidecars(in: folder)[stem.lowercased()] ?? []
    let own = names.first { $0 != clipName && ($0 as NSString).deletingPathExtension == stem }
    return own ?? (UUID(uuidString: stem) == nil ? nil : names.first)
  }

  private func listSidecars(in folder: String) throws(DurableFileError) -> [String: [String]] {
    if let known = folders.withLock({ $0[folder] }) { return known }
    let sidecars = try Folder.names(in: folder).filter { ($0 as NSString).pathExtension.lowercased() == "json" }
    let listed = Dictionary(grouping: sidecars) { ($0 as NSString).deletingPathExtension.lowercased() }
    folders.withLock { $0[folder] = listed }
    return listed
  }
}
