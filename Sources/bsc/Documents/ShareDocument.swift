import ClipModel
import Foundation
import Reports
import ShareEngine

/// The result of a share, as JSON and as text.
struct ShareDocument: Encodable {
  enum Status: String, Encodable {
    /// The backend has a row for the highlight.
    case registered
    /// The video is ready, but it has no highlight row; only with the `mux` backend.
    case ready
    /// The clip is uploaded, and bsc did not wait for its highlight.
    case uploaded
    /// The highlight of an exported clip still exists, so nothing was sent.
    case existing
    /// The rules rejected the clip.
    case rejected
  }

  var schema = "bsc.share/1"
  var status: Status
  /// The clip, or the first of several clips. In that case, `inputs` and `jobs` contain all of them, in order.
  var input: String
  var inputs: [String]?
  var job: String?
  var jobs: [String]?
  /// The row of a registered highlight.
  var highlight: Highlight?
  /// The ID that an upload's highlight will have; with the `mux` backend, the start of the asset's `passthrough`.
  var highlightID: String?
  /// The ID of the upload in the backend.
  var uploadID: String?
  /// The playback and asset IDs in Mux; present only if no highlight is registered.
  var playbackID: String?
  var assetID: String?
  var watch: String?
  /// The command that waits for an upload's highlight and shows it.
  var look: String?
  /// The absolute URL of the highlight's page. The local backend's port can change.
  var pageURL: String?
  var videoURL: String?
  /// The URLs of all videos, in order, if the highlight has several clips.
  var videoURLs: [String]?
  var thumbnailURL: String?
  var animatedURL: String?
  var bytes: ByteSizes?
  /// The highlight's duration in seconds.
  var duration: Double?
  var removed: [String]?
  /// The kinds of what was removed; `nil` if the job was stored without them.
  var removedData: [RemovedData]?
  var notes: [String]?
  /// The reasons why a clip was rejected.
  var findings: [Finding]?
  /// The links to the highlight that were sent to coaches.
  var links: [LinkEntry]?

  struct LinkEntry: Encodable {
    /// The coach's name.
    var coach: String
    var coachID: String
    var linkID: String
    /// The address, which contains a secret; absent if the link was sent before.
    var address: String?
    /// ISO 8601.
    var expiresAt: String

    init(_ link: CoachLink) {
      (coach, coachID, linkID) = (link.coach, link.coachID, link.linkID)
      (address, expiresAt) = (link.address, link.expiresAt)
    }
  }

  struct ByteSizes: Encodable {
    var before: Int64
    var after: Int64
  }

  private init(_ status: Status, _ inputs: [String]) {
    self.status = status
    input = inputs[0]
    self.inputs = inputs.count > 1 ? inputs : nil
  }

  init(_ inputs: [String], existing highlight: Highlight, _ links: HighlightLinks) {
    self.init(.existing, inputs)
    self.highlight = highlight
    watch = links.watchText(highlight)
  }

  /// Returns `nil` for a share that has not ended.
  init?(_ result: ShareResult) {
    let jobs = result.jobs
    let ids = jobs.map { $0.id.uuidString.lowercased() }
    switch jobs[0].stage {
    case .rejected(let findings):
      self.init(.rejected, result.inputs)
      self.findings = findings
    case .uploaded(let clip, let receipt):
      self.init(.uploaded, result.inputs)
      highlightID = jobs[0].highlightID.uuidString.lowercased()
      uploadID = receipt.uploadID
      look = "bsc resume \(ids[0].prefix(8))"
      addSizes([clip], of: jobs)
    case .registered(let highlight, _):
      let isRow = jobs[0].backend != BackendKind.mux.rawValue
      self.init(isRow ? .registered : .ready, result.inputs)
      if isRow { self.highlight = highlight }
      if !isRow { (playbackID, assetID) = (highlight.muxPlaybackID, highlight.muxAssetID) }
      if let links = result.links {
        (watch, pageURL) = (links.watchText(highlight), links.page)
        (videoURL, videoURLs) = (links.video, links.videos)
        (thumbnailURL, animatedURL) = (links.thumbnail, links.animated)
      }
      duration = highlight.duration
      addSizes(jobs.compactMap { if case .registered(_, let clip) = $0.stage { clip } else { nil } }, of: jobs)
    case .queued, .probed, .planned, .processed, .uploading, .cancelled: return nil
    }
    if !result.coachLinks.isEmpty { self.links = result.coachLinks.map(LinkEntry.init) }
    job = ids[0]
    self.jobs = ids.count > 1 ? ids : nil
  }

  private mutating func addSizes(_ clips: [ProcessedClip], of jobs: [ShareJob]) {
    bytes = ByteSizes(before: jobs.map(\.source.byteCount).reduce(0, +), after: clips.map(\.byteCount).reduce(0, +))
    (removed, removedData, notes) = ([], [], [])
    for (position, (input, clip)) in zip(inputs ?? [input], clips).enumerated() {
      let name = (input as NSString).lastPathComponent
      removed? += position == 0 ? clip.removed : clip.removed.map { "\($0) (\(name))" }
      notes? += clip.notes.map { position == 0 ? $0.text : "\(name): \($0.text)" }
      if let data = clip.removedData { removedData? += data } else { removedData = nil }
    }
  }

  /// - Parameters:
  ///   - isReachable: whether picture URLs stay valid after this process ends.
  ///   - isDetailed: whether to also show paths inside the file, tags and picture URLs.
  func formatText(isReachable: Bool, isDetailed: Bool = Verbosity.isOn) -> StyledText {
    var lines: [StyledText] = [title]
    func addFact(_ label: String, _ value: String?) {
      if let value { lines.append(.labeledLine(label, StyledText(value))) }
    }
    for (position, input) in (inputs ?? [input]).enumerated() {
      lines.append(.labeledLine(position == 0 ? "clip" : "", .unbrokenText(input.onOneLine)))
    }
    if status == .existing {
      addFact("sent", "nothing, because this highlight exists (to share the clip again, use --force)")
    }
    if status == .registered { addFact("caption", highlight?.caption) }
    if isDetailed, let tags = highlight?.tags, !tags.isEmpty { addFact("tags", tags.joined(separator: ", ")) }
    addFact("watch", watch)
    addFact("size", bytes?.text)
    addFact("length", duration.map { "\(decimal($0)) s" })
    if let removed, status != .uploaded {
      addFact("removed", CarrierText.summarizeRemovedData(removed, kinds: removedData ?? []))
      if isDetailed { for part in removed { addFact("", part) } }
    }
    if isDetailed, isReachable { addFact("thumbnail", thumbnailURL) }
    if isDetailed { addFact("animated", animatedURL) }
    for link in links ?? [] {
      let address = link.address.map { StyledText.unbrokenText($0) } ?? "sent before; see \"bsc recruiting links\""
      lines.append(.labeledLine("link", "\(link.coach.onOneLine): \(address)"))
    }
    addFact("next", look.map { "to wait for the highlight, run \($0)" })
    return lines.lines
  }

  private var title: StyledText {
    let id = highlight?.id.uuidString.lowercased() ?? ""
    return switch status {
    case .registered: "\("shared \(id)", .strong)"
    case .ready: "\("uploaded \(playbackID ?? "")", .strong)"
    case .uploaded: "\("uploaded \(highlightID ?? "")", .strong)"
    case .existing: "\("already shared \(id)", .strong)"
    case .rejected: "\("rejected", .strong)"
    }
  }
}

extension ShareDocument.ByteSizes {
  var text: String {
    let change = BatchText.percentage(after - before, of: before)
    let sign = change < 0 ? "−" : change > 0 ? "+" : ""
    return "\(ByteCount.text(before)) before, \(ByteCount.text(after)) after (\(sign)\(abs(change)) %)"
  }
}
