import ClipModel
import Foundation
import ShareEngine

/// A finished share, as JSON and for people.
struct ShareDocument: Encodable {
  enum Status: String, Encodable {
    /// The backend has a row of it.
    case registered
    /// It can be watched, and no row says so: Mux alone.
    case ready
  }

  var schema = "bsc.share/1"
  var status: Status
  /// Of a post of several clips: the first of them. `inputs` and `jobs` have all, in order; a single clip has neither.
  var input: String
  var job: String
  var inputs: [String]?
  var jobs: [String]?
  /// Of a registered one: the row as the backend has it.
  var highlight: Highlight?
  /// Mux's ids, where nothing is registered.
  var playbackID: String?
  var assetID: String?
  var watch: String
  /// Addresses are absolute; the local backend's port may differ the next time.
  var pageURL: String?
  var videoURL: String
  /// Of a post of several clips, in order.
  var videoURLs: [String]?
  var thumbnailURL: String?
  var animatedURL: String?
  var bytes: Sizes
  /// Seconds.
  var duration: Double?
  var removed: [String]
  var notes: [String]
  private let name: String
  private let isReachable: Bool

  private enum CodingKeys: CodingKey {
    case schema, status, input, job, inputs, jobs, highlight, playbackID, assetID, watch, pageURL, videoURL, videoURLs,
      thumbnailURL, animatedURL, bytes, duration, removed, notes
  }

  struct Sizes: Encodable {
    var before: Int64
    var after: Int64
  }

  init(job: ShareJob, highlight: Highlight, clip: ProcessedClip, input: String, link: BackendConnection) async throws {
    let links = try await link.links(to: highlight)
    self.input = input
    self.job = job.id.uuidString.lowercased()
    if job.backend == BackendKind.mux.rawValue {
      status = .ready
      (playbackID, assetID) = (highlight.muxPlaybackID, highlight.muxAssetID)
      name = "uploaded \(highlight.muxPlaybackID)"
    } else {
      status = .registered
      self.highlight = highlight
      name = "shared \(highlight.id.uuidString.lowercased())"
    }
    watch = links.watch
    pageURL = links.page
    videoURL = links.video
    videoURLs = links.videos
    thumbnailURL = links.thumbnail
    animatedURL = links.animated
    bytes = Sizes(before: job.source.byteCount, after: clip.byteCount)
    duration = highlight.duration
    removed = clip.removed
    notes = clip.notes
    isReachable = await !link.isEmbedded
  }

  /// The other clips of its post.
  mutating func add(jobs: [ShareJob], clips: [ProcessedClip], inputs: [String]) {
    self.inputs = inputs
    self.jobs = jobs.map { $0.id.uuidString.lowercased() }
    bytes = Sizes(
      before: jobs.map(\.source.byteCount).reduce(0, +), after: clips.map(\.byteCount).reduce(0, +))
    for (input, clip) in zip(inputs, clips).dropFirst() {
      let name = (input as NSString).lastPathComponent
      removed += clip.removed.map { "\($0) (\(name))" }
      notes += clip.notes.map { "\(name): \($0)" }
    }
  }

  var text: StyledText {
    var lines: [StyledText] = ["\(name, .strong)"]
    func add(_ label: String, _ value: String) { lines.append(.fact(label, StyledText(value))) }
    for (position, input) in (inputs ?? [input]).enumerated() {
      lines.append(.fact(position == 0 ? "clip" : "", .whole(input.onOneLine)))
    }
    if let caption = highlight?.caption { add("caption", caption) }
    if let tags = highlight?.tags, !tags.isEmpty { add("tags", tags.joined(separator: ", ")) }
    add("size", bytes.text)
    if let duration { add("length", "\(decimal(duration)) s") }
    if removed.isEmpty {
      add("removed", "nothing; no location was found")
    } else {
      for (position, part) in removed.enumerated() { add(position == 0 ? "removed" : "", part) }
    }
    if let thumbnailURL, isReachable { add("thumbnail", thumbnailURL) }
    if let animatedURL { add("animated", animatedURL) }
    add("watch", watch)
    return lines.lines
  }
}

extension ShareDocument.Sizes {
  var text: String {
    let change = before > 0 ? Int((Double(after - before) / Double(before) * 100).rounded()) : 0
    let sign = change < 0 ? "−" : change > 0 ? "+" : ""
    return "\(ByteCount.text(before)) before, \(ByteCount.text(after)) after (\(sign)\(abs(change)) %)"
  }
}
