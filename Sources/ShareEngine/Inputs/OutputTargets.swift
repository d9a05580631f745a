package import ClipModel
import DurableFiles
import Foundation

/// The destination of each input file.
package struct OutputTargets {
  package struct Input: Equatable {
    package var source: String
    /// The path relative to the input folder; for a single file, its path as specified by the user.
    package var name: String
    /// The path of the source for display, as specified by the user.
    package var displayPath: String
    package var destination: String
    /// The destination for display, if it differs from the actual destination.
    package var displayDestination: String?
    /// The folder that contains the results; `nil` for a single file.
    package var root: String?
    /// Whether the file was found in a folder instead of being specified by the user.
    var isFromFolder = false
  }

  /// How a command names its results.
  package struct Naming {
    /// The operation, for messages: `strip`.
    var verb: String
    /// Appended to the name of a result next to its source: `-stripped`.
    var mark: String
    /// The extension of all results; `nil` keeps the source's extension.
    var fileExtension: String?
    /// Whether the command supports `--in-place`.
    var supportsInPlace = false
    /// Whether results in an output folder also have the mark.
    var marksInFolders = false
    /// Whether results replace their sources.
    var replacesSources = false

    package static let stripped = Naming(verb: "strip", mark: "-stripped", supportsInPlace: true)
    static let compressed = Naming(verb: "compress", mark: "-compressed", fileExtension: "mp4")
    static let replaced = Naming(verb: "compress", mark: "-compressed", fileExtension: "mp4", replacesSources: true)
  }

  package var inputs: [Input] = []
  /// All folders that were searched.
  let folders: [String]
  /// Errors for files and folders that could not be examined.
  package var unreadable: [any ExplainedError]
  /// Notes for the user about skipped and renamed files.
  package private(set) var notes: [String] = []

  let naming: Naming
  private let output: String?
  private let inPlace: Bool

  /// - Parameters:
  ///   - listed: paths from a list. Relative paths keep their folders in the output folder.
  ///   - shard: the selected part of the files. Other files are not opened.
  ///   - mayBeEmpty: accepts inputs without files, because files may be added later.
  /// - Throws: `ShareEngineError` when there are no files, or when a destination is another input.
  package init(
    _ paths: [String], listed: [String] = [], naming: Naming, output: String?, inPlace: Bool = false,
    shard: Shard? = nil, filter: MediaFolder.Filter = MediaFolder.Filter(), mayBeEmpty: Bool = false
  ) throws {
    self.naming = naming
    self.output = output
    self.inPlace = inPlace
    if let output, AddressRedaction.isAddress(output) {
      throw ShareEngineError(.outputAddress, ["verb": naming.verb])
    }
    let all = paths + listed
    let folders = try [MediaFolder](all, to: naming.verb, filter: filter, mayBeEmpty: mayBeEmpty)
    unreadable = folders.flatMap(\.unreadable)
    self.folders = folders.flatMap(\.folders)
    // Metadata files that were skipped don't count as inputs.
    let isMany =
      folders.count { $0.isFolder || !$0.entries.isEmpty } > 1 || folders.contains(where: \.isFolder) || !listed.isEmpty
      || naming.fileExtension != nil && output.map(Self.isFolder) == true
    var earlierCount = 0
    for (index, (path, folder)) in zip(all, folders).enumerated() {
      let files = Set(folder.files)
      let entries = folder.entries.filter { !folder.isFolder || !isEarlierResult($0.path, among: files, in: path) }
      earlierCount += folder.entries.count - entries.count
      inputs += entries.map { entry in
        let isListed = index >= paths.count && Self.isInside(entry.name)
        return input(for: entry, in: path, folder, isListed: isListed, isMany: isMany)
      }
    }
    if earlierCount > 0 { notes.append("skipped \(earlierCount.counting("result")) of an earlier run") }
    if let skipped = folders.skippedSummary { notes.append(skipped) }
    guard mayBeEmpty || !inputs.isEmpty || !unreadable.isEmpty else {
      throw ShareEngineError(.onlyResults, ["verb": naming.verb, "file": paths.joined(separator: ", ")])
    }
    if isMany, let output, !Self.isFolder(output), MediaFolder.isNamedLikeVideo(output) {
      let folder = shellWord((output as NSString).deletingPathExtension) + "/"
      throw ShareEngineError(.outputNamedLikeVideo, ["output": output, "folder": folder])
    }
    if naming.replacesSources { mergeNestedRoots() }
    removeDuplicates()
    disambiguateDestinations()
    if let shard { inputs.removeAll { !shard.owns($0.name) } }
    try checkDestinations()
  }

  private func input(
    for entry: MediaFolder.File, in path: String, _ folder: MediaFolder, isListed: Bool, isMany: Bool
  ) -> Input {
    let displayPath = folder.isFolder ? joinedPath(path, entry.name) : path
    let name = folder.isFolder || isListed ? entry.name : (entry.name as NSString).lastPathComponent
    if naming.replacesSources {
      let name = folder.isFolder ? name : (path as NSString).lastPathComponent
      return replacement(for: entry, in: path, named: name, displayPath: displayPath)
    }
    let root = isMany ? output ?? (folder.isFolder ? path : nil) : nil
    return Input(
      source: entry.path, name: entry.name, displayPath: displayPath,
      destination: destination(of: entry.path, named: name, isMany: isMany), root: root.map(absoluteFolder),
      isFromFolder: folder.isFolder)
  }

  /// Removes files that were specified several times. A folder takes precedence over a file, and an earlier folder over
  /// a later one.
  private mutating func removeDuplicates() {
    let folders = Set(inputs.filter(\.isFromFolder).map { absolutePath($0.source) })
    // Compares bytes, because two different names can look the same.
    var seen: Set<[UInt8]> = []
    inputs.removeAll { input in
      let path = absolutePath(input.source)
      if !input.isFromFolder, folders.contains(path) { return true }
      return !seen.insert(Array(path.utf8)).inserted
    }
  }

  /// Whether a path is a folder, or ends with a slash.
  private static func isFolder(_ path: String) -> Bool { path.hasSuffix("/") || Folder.exists(path) }

  /// Whether a path is relative and stays within its folder.
  private static func isInside(_ name: String) -> Bool {
    !name.hasPrefix("/") && !name.split(separator: "/").contains("..")
  }

  /// Whether a file of a folder is a result: `clip-stripped.mp4` next to `clip.mp4`, or a file in an output folder within
  /// the folder.
  private func isEarlierResult(_ file: String, among files: Set<String>, in folder: String) -> Bool {
    guard !inPlace else { return false }
    if let inside = output.map(realPath), inside.hasPrefix(realPath(folder) + "/"),
      realPath(file).hasPrefix(inside + "/")
    {
      return true
    }
    let name = file as NSString
    let stem = name.deletingPathExtension
    guard stem.hasSuffix(naming.mark) else { return false }
    let source = String(stem.dropLast(naming.mark.count))
    if naming.fileExtension == nil { return files.contains(named(source, like: name)) }
    // The source may have a different extension. Pictures are never inputs.
    return !naming.marksInFolders
      && files.contains { $0 != file && ($0 as NSString).deletingPathExtension == source }
  }

  /// If `clip.mov` and `clip.avi` would both become `clip.mp4`, adds the source's extension: `clip.mov.mp4`. A source
  /// named `clip.mp4` keeps its name. Ignores case, because the output file system may be case-insensitive.
  private mutating func disambiguateDestinations() {
    guard let ending = naming.fileExtension else { return }
    let groups = Dictionary(grouping: inputs.indices) { index in
      absolutePath(inputs[index].destination).precomposedStringWithCanonicalMapping.lowercased()
    }
    var renamedCount = 0
    for members in groups.values where members.count > 1 {
      // Files whose names differ in more than the extension are reported as errors.
      let stems = Set(members.map { (inputs[$0].source as NSString).deletingPathExtension.lowercased() })
      guard stems.count == 1 else { continue }
      for index in members {
        let own = (inputs[index].source as NSString).pathExtension
        guard own.lowercased() != ending else { continue }
        func renamed(_ path: String) -> String { "\((path as NSString).deletingPathExtension).\(own).\(ending)" }
        inputs[index].destination = renamed(inputs[index].destination)
        inputs[index].displayDestination = inputs[index].displayDestination.map(renamed)
        renamedCount += 1
      }
    }
    if renamedCount > 0 {
      notes.append(
        "\(renamedCount.counting("result")) \(renamedCount == 1 ? "keeps" : "keep") the source's extension in the name "
          + "(clip.mov.\(ending)), because another result has the same name")
    }
  }

  /// Checks that no input is overwritten under any of its names unless requested, and that no two results have the same
  /// path.
  private mutating func checkDestinations() throws {
    let groups = Dictionary(grouping: inputs) { absolutePath($0.destination) }.filter { $0.value.count > 1 }
    if naming.fileExtension != nil, inputs.count > groups.values.reduce(0, { $0 + $1.count }) {
      // In a batch, only these files fail; the others are processed.
      for (path, members) in groups.sorted(by: { $0.key < $1.key }) {
        unreadable += members.map { input in
          ShareEngineError(.sameOutputOfMany, ["verb": naming.verb, "file": input.displayPath, "output": path])
        }
        inputs.removeAll { members.contains($0) }
      }
    } else if let (path, members) = groups.first {
      let files = members.map(\.source).joined(separator: " and ")
      throw ShareEngineError(.sameOutput, ["verb": naming.verb, "file": files, "output": path])
    }
    guard !inPlace, !naming.replacesSources else { return }
    let sources = Dictionary(grouping: inputs.compactMap { try? FileIdentity.of($0.source) }, by: \.inode)
    for input in inputs {
      guard let identity = try? FileIdentity.of(input.destination),
        sources[identity.inode]?.contains(where: identity.isSameFile) == true
      else { continue }
      throw ShareEngineError(
        .outputIsOtherInput,
        [
          "verb": naming.verb, "file": input.source, "output": input.destination,
          "replacing": naming.supportsInPlace ? "--in-place" : nil,
        ])
    }
  }

  /// The destination of a file: `clip-stripped.mp4` next to the source, the output file, or a file with the same name
  /// in the output folder.
  private func destination(of file: String, named name: String, isMany: Bool) -> String {
    // Replacing a symbolic link would leave the file itself unchanged.
    if inPlace { return realPath(file) }
    guard let output else {
      return named((file as NSString).deletingPathExtension + naming.mark, like: file as NSString)
    }
    guard isMany || Self.isFolder(output) else { return output }
    let stem = (name as NSString).deletingPathExtension + (naming.marksInFolders ? naming.mark : "")
    return joinedPath(output, named(stem, like: name as NSString))
  }

  func named(_ stem: String, like source: NSString) -> String {
    let ending = naming.fileExtension ?? source.pathExtension
    return ending.isEmpty ? stem : stem + "." + ending
  }

  package static func makeFolder(of input: Input) throws {
    let folder = (absolutePath(input.destination) as NSString).deletingLastPathComponent
    do {
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    } catch {
      throw ShareEngineError(.outputFolder, ["output": input.destination, "reason": error.localizedDescription])
    }
  }
}

/// The absolute path without a trailing slash.
private func absoluteFolder(_ path: String) -> String {
  let path = absolutePath(path)
  return path.count > 1 && path.hasSuffix("/") ? String(path.dropLast()) : path
}
