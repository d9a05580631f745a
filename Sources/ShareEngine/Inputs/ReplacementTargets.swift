import ClipModel
import DurableFiles
import Foundation

/// The destinations of results that replace their sources, and the folders to whose trash the sources are moved.
extension OutputTargets {
  /// The input for a file that will be replaced. An MP4 file keeps its name; any other file gets the new extension. The
  /// root is a resolved path, so that a folder has only one ledger, whichever name is used for it.
  func replacement(
    for entry: MediaFolder.File, in path: String, named name: String, displayPath: String
  ) -> Input {
    let root = Self.replacementRoot(of: path)
    let isMP4 = (name as NSString).pathExtension.lowercased() == naming.fileExtension
    func output(_ path: String) -> String {
      isMP4 ? path : named((path as NSString).deletingPathExtension, like: path as NSString)
    }
    // If `..` follows a symbolic link, the kernel opens a different file than the path suggests.
    let isPlain = realPath(FilePathParts.folder(of: entry.path)) == FilePathParts.folder(of: "\(root)/\(name)")
    return Input(
      source: isPlain ? entry.path : "\(root)/\(name)", name: name, displayPath: displayPath,
      destination: "\(root)/\(output(name))", displayDestination: output(displayPath), root: root)
  }

  /// The folder to whose trash the sources of an input are moved.
  static func replacementRoot(of path: String) -> String {
    realPath(Folder.exists(path) ? path : FilePathParts.folder(of: path))
  }

  /// If folders are nested, uses the trash of the outer folder.
  mutating func mergeNestedRoots() {
    let roots = Set(inputs.compactMap(\.root))
    for index in inputs.indices {
      guard let root = inputs[index].root,
        let outer = roots.filter({ root.hasPrefix(joinedPath($0, "")) }).min(by: { $0.count < $1.count })
      else { continue }
      inputs[index].root = outer
      inputs[index].name = String("\(root)/\(inputs[index].name)".dropFirst(joinedPath(outer, "").count))
    }
  }

  /// Checks that each folder's sources are in only one trash.
  /// - Throws: `ShareEngineError` if sources in a folder were already replaced as part of another folder.
  func checkTrashFolders() throws {
    for root in Set(inputs.compactMap(\.root)).sorted() {
      if let parent = Self.parentWithTrash(of: root) {
        throw ShareEngineError(.replacedByParent, ["folder": root, "parent": parent])
      }
      // A clip in a subfolder may have been replaced in a separate run.
      for folder in Set(inputs.filter { $0.root == root }.map { FilePathParts.folder(of: "\(root)/\($0.name)") }) {
        guard folder != root, Ledger.hasReplacements(in: folder) else { continue }
        throw ShareEngineError(.replacedSeparately, ["folder": folder])
      }
    }
  }

  /// The nearest parent of a folder whose trash contains sources of that folder.
  static func parentWithTrash(of root: String) -> String? {
    var parent = root
    while parent != "/" {
      parent = FilePathParts.folder(of: parent)
      let inside = root.dropFirst(joinedPath(parent, "").count)
      if Ledger.hasReplacements(in: parent, under: inside + "/") { return parent }
    }
    return nil
  }
}
