package import ClipModel
import DurableFiles
import Foundation

/// The videos in a folder, or a single video file.
package struct MediaFolder {
  package struct MediaPath: Equatable {
    /// The file system path of the file.
    package var path: String
    /// The path relative to the searched folder, with `/` as the separator. For a single file, the path as the user
    /// entered it.
    package var name: String
  }

  /// The criteria for selecting files in a folder.
  package struct Filter {
    /// The include patterns. A file must match at least one pattern, unless the array is empty.
    var includes: [Glob] = []
    /// The patterns of files and folders to skip.
    var excludes: [Glob] = []
    /// The folder for links to files whose names are not UTF-8, or `nil` to report these files as errors.
    var aliases: String?
    /// Whether to skip folders that contain results.
    var skipsResults = false
    /// Whether to skip folders whose sources were replaced in a separate run.
    var skipsReplaced = false

    package init() {}
  }

  /// The video files that were found, sorted by path.
  package private(set) var entries: [MediaPath] = []
  /// The paths of all searched folders.
  private(set) var folders: [String] = []
  package var files: [String] { entries.map(\.path) }
  /// The errors for files and folders that could not be read.
  package private(set) var unreadable: [any ExplainedError] = []
  /// The number of skipped entries: hidden, excluded, or without a video file extension.
  fileprivate private(set) var otherCount = 0
  /// The number of symbolic links to folders. Links are not followed, because they can point anywhere and even form a
  /// cycle.
  fileprivate private(set) var linkCount = 0
  /// The number of skipped folders that contain results.
  fileprivate private(set) var resultCount = 0
  /// Whether the path is a folder, not a file.
  let isFolder: Bool

  private let filter: Filter

  /// The video file extensions that cameras and video editors use.
  private static let extensions: Set = [
    "mp4", "mov", "m4v", "qt", "f4v", "3gp", "3gpp", "3g2", "mkv", "webm", "avi", "mts", "m2ts", "m2t", "ts", "tod",
    "mpg", "mpeg", "mod", "vob", "dv", "mxf", "wmv", "asf", "insv", "360", "osv", "lrv", "lrf", "glv",
  ]

  package static func isNamedLikeVideo(_ path: String) -> Bool {
    extensions.contains((path as NSString).pathExtension.lowercased())
  }

  /// Whether a file contains the rally metadata of a clip in the same folder. A shell's `*` matches both files.
  package static func isSidecar(_ path: String) -> Bool {
    guard path.lowercased().hasSuffix(".json") else { return false }
    let stem = (path as NSString).deletingPathExtension
    return extensions.contains { kind in
      [kind, kind.uppercased()].contains { FileManager.default.fileExists(atPath: "\(stem).\($0)") }
    }
  }

  /// Finds the videos in a folder and its subfolders. If the path is a file, adds it without checks.
  /// - Parameter skipsSidecars: whether to skip a single file that contains a clip's metadata.
  package init(_ path: String, filter: Filter = Filter(), skipsSidecars: Bool = false) {
    self.filter = filter
    isFolder = Folder.exists(path)
    guard isFolder else {
      if skipsSidecars, Self.isSidecar(path) {
        otherCount = 1
      } else if AddressRedaction.isURL(path) {
        unreadable.append(AddressRedaction.error)
      } else {
        entries = [MediaPath(path: path, name: path)]
      }
      return
    }
    var folders = [MediaPath(path: path, name: "")]
    while let folder = folders.popLast() {
      self.folders.append(folder.path)
      do throws(DurableFileError) {
        let all = try Folder.entries(in: folder.path)
        for entry in all { try addEntry(entry, among: all, in: folder, folders: &folders) }
      } catch  where error.code == ENOENT {
        // The folder was renamed or its disk was ejected after its parent folder was listed, so there is nothing to
        // report.
        continue
      } catch {
        unreadable.append(error)
      }
    }
    entries.sort { ($0.path, $0.name) < ($1.path, $1.name) }
  }

  private mutating func addEntry(
    _ entry: FolderEntry, among all: [FolderEntry], in folder: MediaPath, folders: inout [MediaPath]
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
    guard let path = try resolvePath(of: entry, among: all, in: folder) else {
      return unreadable.append(entry.makeUnreachableError(in: folder.path))
    }
    if entry.kind == .file {
      entries.append(MediaPath(path: path, name: name))
    } else if filter.skipsResults, Ledger.isResultsFolder(path) {
      resultCount += 1
    } else if filter.skipsReplaced, Ledger.hasReplacements(in: path) {
      unreadable.append(ShareEngineError(.replacedSeparately, ["folder": path], category: .unjudged))
    } else {
      folders.append(MediaPath(path: path, name: name))
    }
  }

  private func resolvePath(
    of entry: FolderEntry, among all: [FolderEntry], in folder: MediaPath
  ) throws(DurableFileError) -> String? {
    guard !entry.isReachable else { return joinPath(folder.path, entry.name) }
    guard let aliases = filter.aliases else { return nil }
    let stem = entry.bytes.prefix(upTo: entry.bytes.lastIndex(of: UInt8(ascii: ".")) ?? entry.bytes.endIndex)
    let sidecar = all.first { $0.bytes == stem + Array(".json".utf8) }
    return try Folder.createAlias(of: entry, sidecar: sidecar, in: absolutePath(folder.path), at: aliases)
  }
}

/// Joins a folder path and a relative path. The folder path can end with a slash.
func joinPath(_ folder: String, _ name: String) -> String { (folder.hasSuffix("/") ? folder : folder + "/") + name }

extension [MediaFolder] {
  /// Finds the videos for the paths on a command line.
  /// - Parameters:
  ///   - verb: the operation, for error messages.
  ///   - mayBeEmpty: whether to accept folders without videos. Videos can be added later.
  /// - Throws: `ShareEngineError` if no videos are found.
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

  /// A one-line summary of the skipped entries, or `nil` if nothing was skipped.
  package var skippedSummary: String? {
    let counts = [
      (map(\.otherCount), "other file"), (map(\.linkCount), "linked folder"), (map(\.resultCount), "results folder"),
    ]
    let parts = counts.map { ($0.reduce(0, +), $1) }.filter { $0.0 > 0 }.map { $0.withNoun($1) }
    return parts.isEmpty ? nil : "skipped " + parts.joined(separator: " and ")
  }
}
