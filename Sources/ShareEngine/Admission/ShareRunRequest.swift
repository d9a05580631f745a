package import ClipModel
import DurableFiles
import Foundation

/// The files and options of one run of `share`.
package struct ShareRunRequest: Sendable {
  /// The paths as the user wrote them.
  package var files: [String]
  /// The options that apply to all clips.
  package var request: ShareRequest
  /// A caption for each clip. Each clip then becomes a separate highlight.
  package var captions: CaptionList?
  /// Whether all clips become one highlight.
  package var isSingleHighlight = false
  /// Whether the user set the privacy level, which then overrides that of exported clips.
  package var isPrivacyGiven = false
  /// Whether clips that were shared before are shared again.
  package var ignoresEarlierShares = false
  /// Whether pictures are written next to the clip.
  package var keepsPictures = false

  package init(files: [String], request: ShareRequest) { (self.files, self.request) = (files, request) }

  // MARK: Highlights

  /// The files of each highlight, in order.
  func groups(backend: BackendKind) -> [[String]] {
    guard captions == nil, backend != .mux else { return files.map { [$0] } }
    let groups = exportedGroups()
    // The clips of an exported post keep their original order.
    return isSingleHighlight && groups.count > 1 ? [files] : groups
  }

  /// Groups the files. The clips of an exported post form one group if all of them are given.
  private func exportedGroups() -> [[String]] {
    let exports = files.map(exportedOptions)
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
  func isExported(_ file: String) -> Bool { exportedOptions(file).highlightID != nil }

  private func exportedOptions(_ file: String) -> ExportedShareOptions {
    ExportedShareOptions.read(request.metadata, clipPath: absolutePath(file))
  }

  // MARK: One highlight

  /// The options of one highlight: the first caption among its clips, and a privacy level that is at least as strict as
  /// that of every exported clip.
  func request(of group: [String]) -> ShareRequest {
    var shared = request
    shared.caption = caption(of: group)
    return group.map(exportedOptions).reduce(shared) { $1.applied(to: $0, isPrivacyGiven: isPrivacyGiven) }
  }

  private func caption(of group: [String]) -> String? {
    (group.count == 1 ? captions?[group[0]] : nil) ?? request.caption
  }

  /// - Parameters:
  ///   - group: the clips of one highlight as the user wrote them, in order.
  ///   - source: returns a clip's identity.
  /// - Throws: `ShareEngineError` for a folder, or if two clips in one highlight are identical.
  func admissionRequest(
    for group: [String], source: (_ path: String) async throws -> SourceFile
  ) async throws -> ShareAdmission.Request {
    let shared = request(of: group)
    var clips: [ShareClip] = []
    for name in group {
      try Self.requireFile(name)
      let source = try await source(absolutePath(name))
      var request = shared
      if keepsPictures { request.pictureBase = (source.path as NSString).deletingPathExtension }
      clips.append(ShareClip(source, request))
    }
    // A part of an exported clip becomes a new highlight.
    let exportedID = request.cut == nil ? exportedID(of: clips.map(\.source), group.map(exportedOptions)) : nil
    // An exported highlight may contain identical clips.
    if exportedID == nil { try Self.requireDistinct(group, clips) }
    return ShareAdmission.Request(
      clips: clips, exportedID: exportedID,
      explicit: ShareAdmission.ExplicitOptions(
        caption: caption(of: group), privacy: isPrivacyGiven ? request.privacy : nil, hideLikes: request.hideLikes),
      ignoresEarlierShares: ignoresEarlierShares)
  }

  /// Rejects folders: other commands process all clips in a folder, but here each clip would become a separate
  /// highlight.
  static func requireFile(_ path: String) throws {
    let values = try? URL(filePath: absolutePath(path)).resourceValues(forKeys: [.isDirectoryKey])
    guard values?.isDirectory == true else { return }
    let folder = path.hasSuffix("/") ? path : path + "/"
    throw ShareEngineError(.folderAsClip, ["file": path, "word": shellWord(folder)])
  }

  private static func requireDistinct(_ files: [String], _ clips: [ShareClip]) throws {
    var known: [String: String] = [:]
    for (file, clip) in zip(files, clips) {
      if let other = known.updateValue(file, forKey: clip.source.sha256) {
        throw ShareEngineError(.sameClips, ["file": file, "other": other])
      }
    }
  }

  /// The highlight that these clips were exported from, if they are all of its clips in order.
  private func exportedID(of sources: [SourceFile], _ options: [ExportedShareOptions]) -> UUID? {
    if sources.count == 1 { return options[0].highlightID(of: sources[0]) }
    let parts = options.indices.map { PostPart(part: $0, count: sources.count) }
    guard options.map(\.post) == parts, let id = options.first?.highlightID,
      zip(sources, options).allSatisfy({ $1.highlightID == id && $1.clipSHA256 == $0.sha256 })
    else { return nil }
    return id
  }
}
