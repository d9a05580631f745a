import ClipModel
import Foundation
import Reports
import ShareEngine

/// What became of a highlight or a clip, as JSON and for people.
struct ShareDocument: Encodable {
  enum Status: String, Encodable {
    /// The backend has a row of it.
    case registered
    /// It can be watched, and has no row: Mux alone.
    case ready
    /// All of the clip is there, and its highlight was not waited for.
    case uploaded
    /// An exported clip whose highlight exists: nothing was done.
    case existing
    /// The rules refuse the clip.
    case rejected
  }

  var schema = "bsc.share/1"
  var status: Status
  /// Of a post of several clips: the first of them. `inputs` and `jobs` have all, in order; a single clip has neither.
  var input: String
  var inputs: [String]?
  var job: String?
  var jobs: [String]?
  /// Of a registered one: the row as the backend has it.
  var highlight: Highlight?
  /// Of an upload: the id that the highlight will have; on the backend mux the beginning of the asset's `passthrough`.
  var highlightID: String?
  /// The backend's id of the upload.
  var uploadID: String?
  /// Mux's ids, where nothing is registered.
  var playbackID: String?
  var assetID: String?
  var watch: String?
  /// A command that waits for an upload and shows it.
  var look: String?
  /// Addresses are absolute; the local backend's port may differ the next time.
  var pageURL: String?
  var videoURL: String?
  /// Of a post of several clips, in order.
  var videoURLs: [String]?
  var thumbnailURL: String?
  var animatedURL: String?
  var bytes: Sizes?
  /// Seconds.
  var duration: Double?
  var removed: [String]?
  var notes: [String]?
  /// Why a clip is refused.
  var findings: [Finding]?

  struct Sizes: Encodable {
    var before: Int64
    var after: Int64
  }

  private init(_ status: Status, _ inputs: [String]) {
    self.status = status
    input = inputs[0]
    self.inputs = inputs.count > 1 ? inputs : nil
  }

  /// - Parameter existing: a highlight that exists already.
  init(_ inputs: [String], existing highlight: Highlight, _ links: HighlightLinks) {
    self.init(.existing, inputs)
    self.highlight = highlight
    watch = links.watch
  }

  /// `nil` for a share that has not ended.
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
      add(jobs, [clip])
    case .registered(let highlight, _):
      let isRow = jobs[0].backend != BackendKind.mux.rawValue
      self.init(isRow ? .registered : .ready, result.inputs)
      if isRow {
        self.highlight = highlight
      } else {
        (playbackID, assetID) = (highlight.muxPlaybackID, highlight.muxAssetID)
      }
      watch = result.links?.watch
      pageURL = result.links?.page
      videoURL = result.links?.video
      videoURLs = result.links?.videos
      thumbnailURL = result.links?.thumbnail
      animatedURL = result.links?.animated
      duration = highlight.duration
      add(jobs, jobs.compactMap { if case .registered(_, let clip) = $0.stage { clip } else { nil } })
    case .queued, .probed, .planned, .processed, .uploading, .cancelled: return nil
    }
    job = ids[0]
    self.jobs = ids.count > 1 ? ids : nil
  }

  private mutating func add(_ jobs: [ShareJob], _ clips: [ProcessedClip]) {
    bytes = Sizes(
      before: jobs.map(\.source.byteCount).reduce(0, +), after: clips.map(\.byteCount).reduce(0, +))
    let parts = zip(inputs ?? [input], clips).enumerated().map { place, part in
      let name = place == 0 ? nil : (part.0 as NSString).lastPathComponent
      return (
        removed: part.1.removed.map { text in name.map { "\(text) (\($0))" } ?? text },
        notes: part.1.notes.map { text in name.map { "\($0): \(text)" } ?? text }
      )
    }
    (removed, notes) = (parts.flatMap(\.removed), parts.flatMap(\.notes))
  }

  /// - Parameter isReachable: addresses of pictures outlive this process.
  func text(isReachable: Bool) -> StyledText {
    var lines: [StyledText] = [title]
    func add(_ label: String, _ value: String?) {
      if let value { lines.append(.fact(label, StyledText(value))) }
    }
    for (position, input) in (inputs ?? [input]).enumerated() {
      lines.append(.fact(position == 0 ? "clip" : "", .whole(input.onOneLine)))
    }
    if status == .existing { add("sent", "nothing; the highlight is there (--force shares it once more)") }
    if status == .registered {
      add("caption", highlight?.caption)
      if let tags = highlight?.tags, !tags.isEmpty { add("tags", tags.joined(separator: ", ")) }
    }
    add("size", bytes?.text)
    add("length", duration.map { "\(decimal($0)) s" })
    if let removed, status != .uploaded {
      if removed.isEmpty { add("removed", "nothing; no location was found") }
      for (position, part) in removed.enumerated() { add(position == 0 ? "removed" : "", part) }
    }
    if isReachable { add("thumbnail", thumbnailURL) }
    add("animated", animatedURL)
    add("watch", watch)
    add("look", look)
    return lines.lines
  }

  private var title: StyledText {
    switch status {
    case .registered: "\("shared \(highlight?.id.uuidString.lowercased() ?? "")", .strong)"
    case .ready: "\("uploaded \(playbackID ?? "")", .strong)"
    case .uploaded: "\("uploaded \(highlightID ?? "")", .strong), not waited for"
    case .existing: "\("shared before \(highlight?.id.uuidString.lowercased() ?? "")", .strong)"
    case .rejected: "\("refused", .strong)"
    }
  }
}

extension ShareDocument.Sizes {
  var text: String {
    let change = before > 0 ? Int((Double(after - before) / Double(before) * 100).rounded()) : 0
    let sign = change < 0 ? "−" : change > 0 ? "+" : ""
    return "\(ByteCount.text(before)) before, \(ByteCount.text(after)) after (\(sign)\(abs(change)) %)"
  }
}
