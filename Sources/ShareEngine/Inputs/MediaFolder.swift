package import ClipModel
import DurableFiles
import Foundation

/// The videos in a folder, or a single file.
package struct MediaFolder {
  package struct File: Equatable {
    /// The path that opens the file.
    package var path: String
    /// The path relative to the folder, with `/` between folders; for a single file, its path as specified by the user.
    package var name: String
  }

  /// Selects files in a folder.
  package struct Filter {
    /// A file must match at least one of these patterns if there are any.
    var includes: [Glob] = []
    /// Files and folders must not match any of these patterns.
    var excludes: [Glob] = []
    /// The folder for links to files whose names are not UTF-8; `nil` reports these files as errors.
    var aliases: String?
    /// Whether results folders are skipped.
    var skipsResults = false
    /// Whether folders whose sources were replaced in a separate run are skipped.
    var skipsReplaced = false

    package init() {}
  }

  /// The files, sorted by path.
  package private(set) var entries: [File] = []
  /// All folders that were searched.
  private(set) var folders: [String] = []
  package var files: [String] { entries.map(\.path) }
  /// Errors for files and folders that could not be examined.
  package private(set) var unreadable: [any ExplainedError] = []
  /// The number of entries that are hidden, not selected, or don't have a video file extension.
  fileprivate private(set) var otherCount = 0
  /// The number of symbolic links to folders. They are not followed, because they can lead anywhere and even form a
  /// cycle.
  fileprivate private(set) var linkCount = 0
  /// The number of skipped results folders.
  fileprivate private(set) var resultCount = 0
  /// Whether the path is a folder instead of a file.
  let isFolder: Bool

  private let filter: Filter

  /// The file extensions of cameras and video editors.
  private static let extensions: Set = [
    "mp4", "mov", "m4v", "qt", "f4v", "3gp", "3gpp", "3g2", "mkv", "webm", "avi", "mts", "m2ts", "m2t", "ts", "tod",
    "mpg", "mpeg", "mod", "vob", "dv", "mxf", "wmv", "asf", "insv", "360", "osv", "lrv", "lrf", "glv",
  ]

  package static func isNamedLikeVideo(_ path: String) -> Bool {
    extensions.contains((path as NSString).pathExtension.lowercased())
  }

  /// Whether a file is the rally metadata next to a clip, which a shell's `*` also matches.
  package static func isSidecar(_ path: String) -> Bool {
    guard path.lowercased().hasSuffix(".json") else { return false }
    let stem = (path as NSString).deletingPathExtension
    return extensions.contains { kind in
      [kind, kind.uppercased()].contains { FileManager.default.fileExists(atPath: "\(stem).\($0)") }
    }
  }

  /// Finds a single file without any checks, or the videos in a folder and all of its subfolders.
  /// - Parameter skipsSidecars: skips a single file that is the metadata of a clip.
  package init(_ path: String, filter: Filter = Filter(), skipsSidecars: Bool = false) {
    self.filter = filter
    isFolder = Folder.exists(path)
    guard isFolder else {
      if skipsSidecars, Self.isSidecar(path) {
        otherCount = 1
      } else if AddressRedaction.isAddress(path) {
        unreadable.append(AddressRedaction.error)
      } else {
        entries = [File(path: path, name: path)]
      }
      return
    }
    var folders = [File(path: path, name: "")]
    while let folder = folders.popLast() {
      self.folders.append(folder.path)
      do throws(DurableFileError) {
        let all = try Folder.entries(in: folder.path)
        for entry in all { try add(entry, among: all, in: folder, folders: &folders) }
      } catch  where error.code == ENOENT {
        // The folder was renamed, or its disk was removed, after its parent was listed, so there is nothing to report.
        continue
      } catch {
        unreadable.append(error)
      }
    }
    entries.sort { ($0.path, $0.name) < ($1.path, $1.name) }
  }

  private mutating func add(
    _ entry: FolderEntry, among all: [FolderEntry], in folder: File, folders: inout [File]
  ) throws(DurableFileError) {
    let name = (folder.name.isEmpty ? "" : folder.name + "/") + entry.escapedName
    let isHidden = entry.name.hasPrefix(".")
    if entry.kind == .linkToFolder, !isHidden {
      linkCount += 1
      return
    }
    let isIncluded = filter.includes.isEmpty || filter.includes.contains { $0.matches(name) }
    guard !isHidden, !filter.excludes.contains(where: { $0.matches(name) }),
      entry.kind == .folder || isIncluded && Self.isNamedLikeVideo(entry.name)
    else {
      otherCount += 1
      return
    }
    guard let path = try path(of: entry, among: all, in: folder) else {
      return unreadable.append(entry.unreachable(in: folder.path))
    }
    if entry.kind == .file {
      entries.append(File(path: path, name: name))
    } else if filter.skipsResults, Ledger.isResultsFolder(path) {
      resultCount += 1
    } else if filter.skipsReplaced, Ledger.hasReplacements(in: path) {
      unreadable.append(ShareEngineError(.replacedSeparately, ["folder": path], category: .unjudged))
    } else {
      folders.append(File(path: path, name: name))
    }
  }

  private func path(
    of entry: FolderEntry, among all: [FolderEntry], in folder: File
  ) throws(DurableFileError) -> String? {
    guard !entry.isReachable else { return joinedPath(folder.path, entry.name) }
    guard let aliases = filter.aliases else { return nil }
    let stem = entry.bytes.prefix(upTo: entry.bytes.lastIndex(of: UInt8(ascii: ".")) ?? entry.bytes.endIndex)
    let sidecar = all.first { $0.bytes == stem + Array(".json".utf8) }
    return try Folder.alias(of: entry, sidecar: sidecar, in: absolutePath(folder.path), at: aliases)
  }
}

/// Joins a folder and a relative path. The folder may end with a slash.
func joinedPath(_ folder: String, _ name: String) -> String { (folder.hasSuffix("/") ? folder : folder + "/") + name }

extension [MediaFolder] {
  /// The files and folders specified on a command line.
  /// - Parameters:
  ///   - verb: the operation, for the error message.
  ///   - mayBeEmpty: accepts inputs without files, because files may be added later.
  /// - Throws: `ShareEngineError` when there are no files.
  package init(
    _ paths: [String], to verb: String, filter: MediaFolder.Filter = MediaFolder.Filter(), mayBeEmpty: Bool = false
  ) throws {
    self = paths.map { MediaFolder($0, filter: filter, skipsSidecars: paths.count > 1) }
    guard mayBeEmpty || contains(where: { !$0.files.isEmpty || !$0.unreadable.isEmpty }) else {
      let isFiltered = !filter.includes.isEmpty || !filter.excludes.isEmpty
      throw ShareEngineError(
        isFiltered ? .noSelectedVideos : .noVideos, ["verb": verb, "file": paths.joined(separator: ", ")])
    }
  }

  /// A one-line summary of the skipped entries; `nil` if nothing was skipped.
  package var skippedSummary: String? {
    let counts = [
      (map(\.otherCount), "other file"), (map(\.linkCount), "linked folder"), (map(\.resultCount), "result folder"),
    ]
    let parts = counts.map { ($0.reduce(0, +), $1) }.filter { $0.0 > 0 }.map { $0.counting($1) }
    return parts.isEmpty ? nil : "skipped " + parts.joined(separator: " and ")
  }
}
