import DurableFiles
import Foundation
import Synchronization

/// The names of the metadata files in folders, each folder listed once: a season has thousands of clips in one.
package final class SidecarNames: Sendable {
  /// By folder, then by the stem in lower case: the app names files by the video's UUID, in either case.
  private let folders = Mutex<[String: [String: [String]]]>([:])

  package init() {}

  /// - Returns: `nil` when there is none; another video's metadata in the same folder is none.
  func name(forClip clipName: String, in folder: String) throws(DurableFileError) -> String? {
    let stem = (clipName as NSString).deletingPathExtension
    let names = try listed(folder)[stem.lowercased()] ?? []
    let own = names.first { $0 != clipName && ($0 as NSString).deletingPathExtension == stem }
    return own ?? (UUID(uuidString: stem) == nil ? nil : names.first)
  }

  private func listed(_ folder: String) throws(DurableFileError) -> [String: [String]] {
    if let known = folders.withLock({ $0[folder] }) { return known }
    let sidecars = try Folder.names(in: folder).filter { ($0 as NSString).pathExtension.lowercased() == "json" }
      .sorted()
    let listed = Dictionary(grouping: sidecars) { ($0 as NSString).deletingPathExtension.lowercased() }
    folders.withLock { $0[folder] = listed }
    return listed
  }
}
