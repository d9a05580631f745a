package import ClipModel
import DurableFiles
import Foundation

/// The input files of a command and their destinations.
package struct OutputTargets {
  package struct Input: Equatable {
    package var source: String
    /// The path relative to the input folder. For a single file, the path as the user entered it.
    package var name: String
    /// The source path for display, as the user entered it.
    package var displayPath: String
    package var destination: String
    /// The destination path for display, if it differs from the actual path.
    package var displayDestination: String?
    /// The folder that contains the results, or `nil` for a single file.
    package var root: String?
    /// Whether the file was found in a folder that the user specified.
    var isFromFolder = false
  }

  /// The naming rules for a command's results.
  package struct Naming {
    /// The operation for messages, for example `strip`.
    var verb: String
    /// The suffix for results in the same folder as their source, for example `-stripped`.
    var mark: String
    /// The file extension of all results, or `nil` to keep the source's extension.
    var fileExtension: String?
    /// Whether the command supports `--in-place`.
    var supportsInPlace = false
    /// Whether results in an output folder also have the suffix `mark`.
    var marksInFolders = false
    /// Whether results replace their sources.
    var replacesSources = false

    package static let stripped = Naming(verb: "strip", mark: "-stripped", supportsInPlace: true)
    static let compressed = Naming(verb: "compress", mark: "-compressed", fileExtension: "mp4")
    static let replaced = Naming(verb: "compress", mark: "-compressed", fileExtension: "mp4", replacesSources: true)
  }

  package var inputs: [Input] = []
  /// The paths of all searched folders.
  let folders: [String]
  /// The errors for files and folders that could not be read.
  package var unreadable: [any ExplainedError]
  /// Messages for the user about skipped and renamed files.
  package private(set) var notes: [String] = []

  let naming: Naming
  private let output: String?
  private let inPlace: Bool

  /// - Parameters:
  ///   - listed: paths from a list file. Relative paths keep their folder structure in the output folder.
  ///   - shard: the subset of files to process. Other files are not opened.
  ///   - mayBeEmpty: whether to accept folders without videos. Videos can be added later.
  /// - Throws: `ShareEngineError` if no videos are found, or if a destination is also an input.
  package init(
    _ paths: [String], listed: [String] = [], naming: Naming, output: String?, inPlace: Bool = false,
    shard: Shard? = nil, filter: MediaFolder.Filter = MediaFolder.Filter(), mayBeEmpty: Bool = false
  ) throws {
    self.naming = naming
    self.output = output
    self.inPlace = inPlace
    if let output, AddressRedaction.isURL(output) {
      throw ShareEngineError(.outputAddress, ["verb": naming.verb])
    }
    let all = paths + listed
    let folders = try [MediaFolder](all, to: naming.verb, filter: filter, mayBeEmpty: mayBeEmpty)
    unreadable = folders.flatMap(\.unreadable)
    self.folders = folders.flatMap(\.folders)
    // Skipped metadata files don't count as inputs.
    let isMany =
      folders.count { $0.isFolder || !$0.entries.isEmpty } > 1 || folders.contains(where: \.isFolder) || !listed.isEmpty
      || naming.fileExtension != nil && output.map(Self.isFolder) == true
    var earlierCount = 0
    for (index, (path, folder)) in zip(all, folders).enumerated() {
      let files = Set(folder.files)
      let entries = folder.entries.filter { !folder.isFolder || !isEarlierResult($0.path, among: files, in: path) }
      earlierCount += folder.entries.count - entries.count
      inputs += entries.map { entry in
        let isListed = index >= paths.count && Self.isContainedRelativePath(entry.name)
        return makeInput(for: entry, in: path, folder, isListed: isListed, isMany: isMany)
      }
    }
    if earlierCount > 0 { notes.append("skipped \(earlierCount.withNoun("result")) from an earlier run") }
    if let skipped = folders.skippedSummary { notes.append(skipped) }
    guard mayBeEmpty || !inputs.isEmpty || !unreadable.isEmpty else {
      throw ShareEngineError(.onlyResults, ["verb": naming.verb, "file": paths.joined(separator: ", ")])
    }
    if isMany, let output, !Self.isFolder(output), MediaFolder.isNamedLikeVideo(output) {
      let folder = quoteForShell((output as NSString).deletingPathExtension) + "/"
      throw ShareEngineError(.outputNamedLikeVideo, ["output": output, "folder": folder])
    }
    if naming.replacesSources { mergeNestedRoots() }
    removeDuplicates()
    disambiguateDestinations()
    if let shard { inputs.removeAll { !shard.owns($0.name) } }
    try checkDestinations()
  }

  private func makeInput(
    for entry: MediaFolder.MediaPath, in path: String, _ folder: MediaFolder, isListed: Bool, isMany: Bool
  ) -> Input {
    let displayPath = folder.isFolder ? joinPath(path, entry.name) : path
    let name = folder.isFolder || isListed ? entry.name : (entry.name as NSString).lastPathComponent
    if naming.replacesSources {
      let name = folder.isFolder ? name : (path as NSString).lastPathComponent
      return makeReplacementInput(for: entry, in: path, named: name, displayPath: displayPath)
    }
    let root = isMany ? output ?? (folder.isFolder ? path : nil) : nil
    return Input(
      source: entry.path, name: entry.name, displayPath: displayPath,
      destination: makeDestination(for: entry.path, named: name, isMany: isMany), root: root.map(absoluteFolderPath),
      isFromFolder: folder.isFolder)
  }

  /// Removes duplicate inputs. A file found in a folder takes precedence over a file path, and an earlier folder takes
  /// precedence over a later folder.
  private mutating func removeDuplicates() {
    let folders = Set(inputs.filter(\.isFromFolder).map { absolutePath($0.source) })
    // Compare bytes, because different file names can look the same.
    var seen: Set<[UInt8]> = []
    inputs.removeAll { input in
      let path = absolutePath(input.source)
      if !input.isFromFolder, folders.contains(path) { return true }
      return !seen.insert(Array(path.utf8)).inserted
    }
  }

  /// Whether a path is an existing folder or ends with a slash.
  private static func isFolder(_ path: String) -> Bool { path.hasSuffix("/") || Folder.exists(path) }

  /// Whether a path is relative and doesn't leave its folder.
  private static func isContainedRelativePath(_ name: String) -> Bool {
    !name.hasPrefix("/") && !name.split(separator: "/").contains("..")
  }

  /// Whether a file in an input folder is a result of an earlier run: `clip-stripped.mp4` in the same folder as
  /// `clip.mp4`, or any file in an output folder inside the input folder.
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
    if naming.fileExtension == nil { return files.contains(fileName(source, like: name)) }
    // The source can have a different extension. Pictures are never inputs.
    return !naming.marksInFolders
      && files.contains { $0 != file && ($0 as NSString).deletingPathExtension == source }
  }

  /// If `clip.mov` and `clip.avi` would both become `clip.mp4`, adds the source's extension: `clip.mov.mp4`. A source
  /// named `clip.mp4` keeps its name. The comparison ignores case, because the output file system can be
  /// case-insensitive.
  private mutating func disambiguateDestinations() {
    guard let ending = naming.fileExtension else { return }
    let groups = Dictionary(grouping: inputs.indices) { index in
      absolutePath(inputs[index].destination).precomposedStringWithCanonicalMapping.lowercased()
    }
    var renamedCount = 0
    for members in groups.values where members.count > 1 {
      // Conflicts between names that differ in more than the extension are reported as errors later.
      let stems = Set(members.map { (inputs[$0].source as NSString).deletingPathExtension.lowercased() })
      guard stems.count == 1 else { continue }
      for index in members {
        let own = (inputs[index].source as NSString).pathExtension
        guard own.lowercased() != ending else { continue }
        func addSourceExtension(_ path: String) -> String {
          "\((path as NSString).deletingPathExtension).\(own).\(ending)"
        }
        inputs[index].destination = addSourceExtension(inputs[index].destination)
        inputs[index].displayDestination = inputs[index].displayDestination.map(addSourceExtension)
        renamedCount += 1
      }
    }
    if renamedCount > 0 {
      notes.append(
        "\(renamedCount.withNoun("result")) \(renamedCount == 1 ? "keeps" : "keep") the source's extension in the name "
          + "(clip.mov.\(ending)), because another result has the same name")
    }
  }

  /// Checks that all results have different paths, and that no result overwrites an input unintentionally, even through
  /// a link.
  private mutating func checkDestinations() throws {
    let groups = Dictionary(grouping: inputs) { absolutePath($0.destination) }.filter { $0.value.count > 1 }
    if naming.fileExtension != nil, inputs.count > groups.values.reduce(0, { $0 + $1.count }) {
      // In a batch, only these files fail. All other files are processed.
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
          "replacing": naming.supportsInPlace ? "in-place" : nil,
        ])
    }
  }

  /// Returns a file's destination: `clip-stripped.mp4` in the source's folder, the specified output file, or a file
  /// with the same name in the output folder.
  private func makeDestination(for file: String, named name: String, isMany: Bool) -> String {
    // Resolve symbolic links. Replacing the link would leave the file itself unchanged.
    if inPlace { return realPath(file) }
    guard let output else {
      return fileName((file as NSString).deletingPathExtension + naming.mark, like: file as NSString)
    }
    guard isMany || Self.isFolder(output) else { return output }
    let stem = (name as NSString).deletingPathExtension + (naming.marksInFolders ? naming.mark : "")
    return joinPath(output, fileName(stem, like: name as NSString))
  }

  func fileName(_ stem: String, like source: NSString) -> String {
    let ending = naming.fileExtension ?? source.pathExtension
    return ending.isEmpty ? stem : stem + "." + ending
  }

  package static func createDestinationFolder(for input: Input) throws {
    let folder = (absolutePath(input.destination) as NSString).deletingLastPathComponent
    do {
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    } catch {
      throw ShareEngineError(.outputFolder, ["output": input.destination, "reason": error.localizedDescription])
    }
  }
}

/// Returns the absolute path of a folder, without a trailing slash.
private func absoluteFolderPath(_ path: String) -> String {
  let path = absolutePath(path)
  return path.count > 1 && path.hasSuffix("/") ? String(path.dropLast()) : path
}
