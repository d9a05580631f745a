import ClipModel
import DurableFiles
import Foundation

/// Destinations of results that replace their sources, and the folders whose trash receives the sources.
extension OutputTargets {
  /// The input for a file that is replaced. An MP4 keeps its name unchanged; any other file gets the extension. The root is
  /// a real path, so that a folder has one ledger under all its names.
  func replacement(
    for entry: MediaFolder.File, in path: String, named name: String, displayPath: String
  ) -> Input {
    let root = Self.replacementRoot(of: path)
    let isMP4 = (name as NSString).pathExtension.lowercased() == naming.fileExtension
    func output(_ path: String) -> String {
      isMP4 ? path : named((path as NSString).deletingPathExtension, like: path as NSString)
    }
    // With a symbolic link before `..`, the kernel opens a different file than the text of the path suggests.
    let isPlain = realPath(FilePathParts.folder(of: entry.path)) == FilePathParts.folder(of: "\(root)/\(name)")
    return Input(
      source: isPlain ? entry.path : "\(root)/\(name)", name: name, displayPath: displayPath,
      destination: "\(root)/\(output(name))", displayDestination: output(displayPath), root: root)
  }

  /// The folder whose trash receives the sources of an input.
  static func replacementRoot(of path: String) -> String {
    realPath(Folder.exists(path) ? path : FilePathParts.folder(of: path))
  }

  /// Uses the trash of the outer folder for nested folders.
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

  /// Checks that the sources of a folder are only in one trash.
  /// - Throws: `ShareEngineError` when sources of a folder were replaced before as part of another folder.
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
