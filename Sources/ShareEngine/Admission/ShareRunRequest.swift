package import ClipModel
import DurableFiles
import Foundation

/// The files and options of one `share` run.
package struct ShareRunRequest: Sendable {
  /// The clip paths as the user entered them.
  package var files: [String]
  /// The options that apply to all clips.
  package var clipRequest: ShareRequest
  /// A caption for each clip. If set, each clip becomes a separate highlight.
  package var captions: CaptionList?
  /// Whether all clips become one highlight.
  package var isSingleHighlight = false
  /// Whether the user set the privacy level, which overrides the privacy level of exported clips.
  package var isPrivacyGiven = false
  /// Whether to share clips again that were already shared.
  package var ignoresEarlierShares = false
  /// Whether to write pictures next to the clip.
  package var keepsPictures = false

  package init(files: [String], clipRequest: ShareRequest) {
    (self.files, self.clipRequest) = (files, clipRequest)
  }

  /// Checks that the backend supports the request, before the clips are read. ``ShareSession/share(_:refused:)`` does the
  /// same.
  /// - Throws: `ShareEngineError` in the category `usage`.
  package func requireSupport(by backend: BackendKind) throws(ShareEngineError) {
    try ShareAdmission.requireSupport(of: clipRequest, isPost: isSingleHighlight, by: backend.rawValue)
  }

  // MARK: Highlights

  /// Returns the files, grouped by highlight, in order.
  func groupFilesByHighlight(backend: BackendKind) -> [[String]] {
    guard captions == nil, backend != .mux else { return files.map { [$0] } }
    let groups = groupExportedPosts()
    // The clips of an exported post keep their original order.
    return isSingleHighlight && groups.count > 1 ? [files] : groups
  }

  /// Groups the files. The clips of an exported post form one group if the user specified all of them.
  private func groupExportedPosts() -> [[String]] {
    let exports = files.map(readExportedOptions)
    var posts: [UUID: [Int: Int]] = [:]
    for (index, export) in exports.enumerated() {
      guard let part = export.post?.part, let id = export.highlightID, posts[id]?[part] == nil else { continue }
      posts[id, default: [:]][part] = index
    }
    return files.indices.compactMap { index in
      guard let post = exports[index].post, let id = exports[index].highlightID, let parts = posts[id],
        parts[post.part] == index, (2...HighlightDraft.maximumPartCount).contains(post.count),
        parts.keys.sorted() == Array(0..<post.count)
      else { return [files[index]] }
      return post.part == 0 ? (0..<post.count).compactMap { part in parts[part].map { files[$0] } } : nil
    }
  }

  /// Whether the clip was exported from a highlight.
  func isExported(_ file: String) -> Bool { readExportedOptions(file).highlightID != nil }

  private func readExportedOptions(_ file: String) -> ExportedShareOptions {
    ExportedShareOptions.read(clipRequest.metadata, clipPath: absolutePath(file))
  }

  // MARK: One highlight

  /// Returns the options for one highlight: the first caption among its clips, and a privacy level at least as strict
  /// as every exported clip's privacy level.
  func makeRequest(for group: [String]) -> ShareRequest {
    var shared = clipRequest
    shared.caption = selectCaption(for: group)
    return group.map(readExportedOptions).reduce(shared) { $1.applyOptions(to: $0, isPrivacyGiven: isPrivacyGiven) }
  }

  private func selectCaption(for group: [String]) -> String? {
    (group.count == 1 ? captions?[group[0]] : nil) ?? clipRequest.caption
  }

  /// - Parameters:
  ///   - group: the clip paths of one highlight as the user entered them, in order.
  ///   - source: returns the source file at an absolute path.
  /// - Throws: `ShareEngineError` if a path is a folder or if two clips in one highlight are identical.
  func makeAdmissionRequest(
    for group: [String], source: (_ path: String) async throws -> SourceFile
  ) async throws -> ShareAdmission.AdmissionRequest {
    let shared = makeRequest(for: group)
    var clips: [ShareClip] = []
    for name in group {
      try Self.requireRegularFile(name)
      let source = try await source(absolutePath(name))
      var request = shared
      if keepsPictures { request.pictureBase = (source.path as NSString).deletingPathExtension }
      clips.append(ShareClip(source, request))
    }
    // If only a part of an exported clip is shared, it becomes a new highlight.
    let exportedID =
      clipRequest.cut == nil ? findExportedID(of: clips.map(\.source), group.map(readExportedOptions)) : nil
    // An exported highlight may contain identical clips.
    if exportedID == nil { try Self.requireDistinctClips(group, clips) }
    return ShareAdmission.AdmissionRequest(
      clips: clips, exportedID: exportedID,
      explicit: ShareAdmission.ExplicitOptions(
        caption: selectCaption(for: group), privacy: isPrivacyGiven ? clipRequest.privacy : nil,
        hideLikes: clipRequest.hideLikes, recipients: clipRequest.recipients),
      ignoresEarlierShares: ignoresEarlierShares)
  }

  /// Rejects folders: other commands process all clips in a folder, but here each clip would become a separate
  /// highlight.
  static func requireRegularFile(_ path: String) throws {
    let values = try? URL(filePath: absolutePath(path)).resourceValues(forKeys: [.isDirectoryKey])
    guard values?.isDirectory == true else { return }
    let folder = path.hasSuffix("/") ? path : path + "/"
    throw ShareEngineError(.folderAsClip, ["file": path, "word": quoteForShell(folder)])
  }

  private static func requireDistinctClips(_ files: [String], _ clips: [ShareClip]) throws {
    var known: [String: String] = [:]
    for (file, clip) in zip(files, clips) {
      if let other = known.updateValue(file, forKey: clip.source.sha256) {
        throw ShareEngineError(.sameClips, ["file": file, "other": other])
      }
    }
  }

  /// Returns the ID of the highlight that these clips were exported from, if they are all of its clips, in order.
  private func findExportedID(of sources: [SourceFile], _ options: [ExportedShareOptions]) -> UUID? {
    if sources.count == 1 { return options[0].singleClipHighlightID(of: sources[0]) }
    let parts = options.indices.map { PostPart(part: $0, count: sources.count) }
    guard options.map(\.post) == parts, let id = options.first?.highlightID,
      zip(sources, options).allSatisfy({ $1.highlightID == id && $1.clipSHA256 == $0.sha256 })
    else { return nil }
    return id
  }
}
