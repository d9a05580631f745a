import ClipModel
import Foundation
import ShareEngine
import Synchronization

/// Shows a job's way on stderr: a line that moves on a terminal, plain lines elsewhere, or JSON events.
final class Reporter: Sendable {
  private let style: ProgressStyle
  private let state = Mutex(State())

  /// Ten times a second is smooth and does not flicker.
  private static let interval = Duration.milliseconds(100)

  private struct State {
    var began: ContinuousClock.Instant?
    var lastShown: ContinuousClock.Instant?
    var lineIsOpen = false
    var name = ""
  }

  init(style: ProgressStyle, isQuiet: Bool) {
    let isDumb = ProcessInfo.processInfo.environment["TERM"] == "dumb"
    self.style =
      switch style {
      case .auto: isQuiet ? .none : Console.isErrorTerminal && !isDumb ? .bar : .plain
      case .bar, .plain, .json, .none: style
      }
  }

  func take(_ event: ShareEvent) {
    switch style {
    case .none: break
    case .json: Console.writeErrorJSON(EventDocument(event))
    case .bar, .plain, .auto: show(event)
    }
  }

  /// For work that has no job.
  func begin(_ name: String) {
    state.withLock { state in
      state.name = name
      state.began = .now
    }
  }

  /// Ends a line that is still moving, so that other text begins on its own.
  func endLine() {
    let wasOpen = state.withLock { state in
      defer { state.lineIsOpen = false }
      return state.lineIsOpen
    }
    if wasOpen { Console.writeError("\n") }
  }

  private func show(_ event: ShareEvent) {
    switch event {
    case .opened(let job, let isContinued):
      state.withLock { $0.name = job.source.name }
      if isContinued, job.stage != .queued {
        print(
          "\(job.source.name): going on after \"\(job.stage.name)\" (job \(job.id.uuidString.lowercased().prefix(8)))")
      }
    case .began(_, let arrow):
      state.withLock { state in
        state.began = .now
        state.lastShown = nil
      }
      if style == .bar { move(arrow, fraction: nil, detail: nil) }
    case .progressed(_, let arrow, let fraction, let detail):
      if style == .bar { move(arrow, fraction: fraction, detail: detail) }
    case .ended(let job, let arrow):
      // An opened upload is half an arrow; people hear of it when the bytes are there.
      if case .uploading = job.stage { return }
      let seconds = state.withLock { $0.began.map { ContinuousClock.now - $0 } } ?? .zero
      print(Self.done(arrow, job: job, seconds: seconds))
    case .noted(_, let text):
      print("  note: \(text)")
    }
  }

  private func print(_ line: String) {
    let prefix = state.withLock { state in
      defer { state.lineIsOpen = false }
      return state.lineIsOpen ? "\r\u{1B}[K" : ""
    }
    Console.writeError(prefix + line + "\n")
  }

  private func move(_ arrow: ShareArrow, fraction: Double?, detail: String?) {
    let line: String? = state.withLock { state in
      let now = ContinuousClock.now
      if let last = state.lastShown, now - last < Self.interval, fraction.map({ $0 < 1 }) ?? true { return nil }
      state.lastShown = now
      state.lineIsOpen = true
      let elapsed = state.began.map { now - $0 } ?? .zero
      return ProgressLine.text(
        arrow, fraction: fraction, elapsed: elapsed, detail: detail, name: state.name, width: Console.width)
    }
    if let line { Console.writeError("\r\u{1B}[K" + line) }
  }

  private static func done(_ arrow: ShareArrow, job: ShareJob, seconds: Duration) -> String {
    let time = decimal(seconds.seconds)
    let what: String
    switch job.stage {
    case .probed(let probe):
      let video = probe.mainVideo
      what = [
        video.map { "\($0.codec) \($0.shownSize)" }, probe.durationSeconds.map { "\(decimal($0)) s" },
        ByteCount.text(probe.byteCount),
        probe.locationCarriers.isEmpty ? nil : "location in \(probe.locationCarriers.count) places",
      ].compactMap { $0 }.joined(separator: ", ")
    case .planned(let plan): what = plan.decisions.map(\.what).joined(separator: "; ")
    case .processed(let clip): what = "\(ByteCount.text(job.source.byteCount)) became \(ByteCount.text(clip.byteCount))"
    case .uploaded(_, let receipt): what = "\(ByteCount.text(receipt.byteCount)) confirmed"
    case .registered(let highlight, _): what = "highlight \(highlight.id.uuidString.lowercased())"
    case .rejected: what = "refused"
    case .cancelled: what = "cancelled"
    case .queued, .uploading: what = ""
    }
    return "  \(arrow.rawValue)".padded(12) + what + " (\(time) s)"
  }
}

/// The moving line: stage, bar, percent, time left.
enum ProgressLine {
  static func text(
    _ arrow: ShareArrow, fraction: Double?, elapsed: Duration, detail: String?, name: String, width: Int
  ) -> String {
    var line = "  \(arrow.rawValue)".padded(12)
    if let fraction {
      let cells = max(8, min(28, width - 50))
      let filled = Int((fraction * Double(cells)).rounded())
      line += String(repeating: "█", count: filled) + String(repeating: "░", count: cells - filled)
      line += " \(Int(fraction * 100)) %"
      let seconds = elapsed.seconds
      if fraction > 0.03, fraction < 1, seconds > 0.5 {
        line += ", \(time(seconds / fraction - seconds)) left"
      }
    } else {
      line += "…"
    }
    if let detail { line += "  \(detail)" }
    // One column stays free: some terminals wrap when the last one is written.
    return String(line.prefix(max(width - 1, 10)))
  }

  private static func time(_ seconds: Double) -> String {
    let whole = Int(seconds.rounded(.up))
    return whole < 60 ? "\(whole) s" : "\(whole / 60):\(whole % 60 < 10 ? "0" : "")\(whole % 60)"
  }
}

/// An event as JSON, one per line on stderr.
private struct EventDocument: Encodable {
  var event: String
  var job: String
  var stage: String?
  var fraction: Double?
  var detail: String?

  init(_ event: ShareEvent) {
    switch event {
    case .opened(let opened, let isContinued):
      self.event = isContinued ? "continued" : "opened"
      job = opened.id.uuidString.lowercased()
      stage = opened.stage.name
    case .began(let id, let arrow):
      self.event = "began"
      job = id.uuidString.lowercased()
      stage = arrow.rawValue
    case .progressed(let id, let arrow, let fraction, let detail):
      self.event = "progress"
      job = id.uuidString.lowercased()
      stage = arrow.rawValue
      self.fraction = fraction
      self.detail = detail
    case .ended(let ended, let arrow):
      self.event = "ended"
      job = ended.id.uuidString.lowercased()
      stage = arrow.rawValue
      detail = ended.stage.name
    case .noted(let id, let text):
      self.event = "note"
      job = id.uuidString.lowercased()
      detail = text
    }
  }
}
