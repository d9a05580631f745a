import ClipModel
import Foundation
import ShareEngine
import Synchronization

/// Shows the way of jobs on stderr: a line each that moves on a terminal, plain lines elsewhere, or JSON events.
final class Reporter: Sendable {
  private let style: ProgressStyle
  /// Several clips are worked on at once: each line names its clip.
  private let isMany: Bool
  private let state = Mutex(State())
  /// Turns the spinner of those that have no fraction.
  private let ticking = Mutex<Task<Void, Never>?>(nil)

  /// Ten times a second is smooth and does not flicker.
  private static let interval = Duration.milliseconds(100)

  private struct State {
    /// Those that are worked on, in the order they began.
    var jobs: [Work] = []
    var lastShown: ContinuousClock.Instant?
    var lines = MovingLines()
    var (sharedCount, refusedCount, failedCount) = (0, 0, 0)

    mutating func change(_ id: UUID, _ body: (inout Work) -> Void) {
      guard let place = jobs.firstIndex(where: { $0.id == id }) else { return }
      body(&jobs[place])
    }
  }

  private struct Work {
    var id: UUID
    var name: String
    var arrow: ShareArrow?
    var began = ContinuousClock.now
    var fraction: Double?
    /// Where this run began: an upload that goes on has most of it behind it.
    var firstFraction: Double?
    var detail: String?
  }

  /// - Parameter isMany: more than one job will come.
  init(style: ProgressStyle, isQuiet: Bool, isMany: Bool = false) {
    let isDumb = ProcessInfo.processInfo.environment["TERM"] == "dumb"
    self.isMany = isMany
    self.style =
      switch style {
      case .auto: isQuiet ? .none : Console.isErrorTerminal && !isDumb ? .bar : .plain
      case .bar, .plain, .json, .none: style
      }
    guard self.style == .bar else { return }
    let task = Task { [weak self] in
      while !Task.isCancelled {
        try? await Task.sleep(for: .milliseconds(250))
        guard let self else { return }
        self.tick()
      }
    }
    ticking.withLock { $0 = task }
  }

  deinit { ticking.withLock { $0?.cancel() } }

  func take(_ event: ShareEvent) {
    switch style {
    case .none: break
    case .json: Console.writeErrorJSON(EventDocument(event))
    case .bar, .plain, .auto: show(event)
    }
  }

  /// For work that has no job.
  func begin(_ name: String, as id: UUID) { state.withLock { $0.jobs.append(Work(id: id, name: name)) } }

  /// The job is no longer worked on, however it ended.
  func end(_ id: UUID) {
    state.withLock { state in
      state.jobs.removeAll { $0.id == id }
      state.lines.clear()
    }
  }

  /// One of several has come to its end.
  func count(_ refusal: FailureCategory?) {
    state.withLock { state in
      if refusal == nil { state.sharedCount += 1 } else { state.refusedCount += 1 }
    }
  }

  /// What became of several, once all are done.
  func summarize() {
    guard isMany, style == .bar || style == .plain else { return }
    state.withLock { state in
      state.lines.clear()
      let parts = [
        (state.sharedCount, "shared"), (state.refusedCount, "refused"), (state.failedCount, "failed"),
      ]
      let text = parts.filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }.joined(separator: ", ")
      if !text.isEmpty { Console.writeError(text + "\n") }
    }
  }

  /// Takes the moving lines away while somebody else writes to the terminal. They come back with the next progress.
  func interrupting(_ write: () -> Void) {
    state.withLock { state in
      state.lines.clear()
      write()
    }
  }

  /// Writes failures between the moving lines.
  func tell(asJSON: Bool) -> @Sendable (Explanation, String) -> Void {
    { explanation, subject in
      self.state.withLock { $0.failedCount += 1 }
      self.interrupting {
        ErrorOutput.write(
          explanation, subject: subject.isEmpty ? nil : subject, names: self.isMany, asJSON: asJSON)
      }
    }
  }

  private func show(_ event: ShareEvent) {
    state.withLock { state in
      switch event {
      case .opened(let job, let isContinued):
        state.jobs.append(Work(id: job.id, name: job.source.name))
        if isContinued, job.stage != .queued {
          let id = job.id.uuidString.lowercased().prefix(8)
          print("\(job.source.name): going on after \"\(job.stage.name)\" (job \(id))", &state)
        }
      case .began(let id, let arrow):
        state.change(id) { $0 = Work(id: id, name: $0.name, arrow: arrow) }
        draw(&state, isUrgent: true)
      case .progressed(let id, let arrow, let fraction, let detail):
        state.change(id) { work in
          work.firstFraction = work.firstFraction ?? fraction
          (work.arrow, work.fraction, work.detail) = (arrow, fraction, detail)
        }
        draw(&state, isUrgent: fraction.map { $0 >= 1 } ?? false)
      case .ended(let job, let arrow):
        // An opened upload is half an arrow; people hear of it when the bytes are there.
        if case .uploading = job.stage { return }
        let work = state.jobs.first { $0.id == job.id }
        let text = JobText.done(arrow, job: job, time: ContinuousClock.now - (work?.began ?? .now))
        print(isMany ? "\(job.source.name): \(text)" : "  \(text)", &state)
      case .noted(let id, let text): print("note: \(text)", about: id, &state)
      case .warned(let id, let text): print("warning: \(text)", about: id, &state)
      }
    }
  }

  private func print(_ line: String, about id: UUID, _ state: inout State) {
    let name = isMany ? state.jobs.first { $0.id == id }.map { "\($0.name): " } : nil
    print((name ?? "  ") + line, &state)
  }

  /// Time goes on, also where nothing is heard.
  private func tick() {
    state.withLock { state in
      guard state.jobs.contains(where: { $0.arrow != nil && $0.fraction == nil }) else { return }
      draw(&state, isUrgent: false)
    }
  }

  /// A line that stays.
  private func print(_ line: String, _ state: inout State) {
    state.lines.clear()
    Console.writeError(Console.printable(line).replacing("\n", with: "\u{FFFD}") + "\n")
  }

  /// All moving lines, in one write: a terminal shows it at once.
  private func draw(_ state: inout State, isUrgent: Bool) {
    guard style == .bar else { return }
    let now = ContinuousClock.now
    if !isUrgent, let last = state.lastShown, now - last < Self.interval { return }
    state.lastShown = now
    let screen = Console.errorSize
    var lines = state.jobs.compactMap { work in
      work.arrow.map { arrow in
        ProgressLine.text(
          arrow, fraction: work.fraction, since: work.firstFraction ?? 0, elapsed: now - work.began,
          detail: work.detail, name: isMany ? work.name : nil, width: screen.columns)
      }
    }
    // What is higher than the screen could not be taken away again.
    let room = max(screen.rows - 1, 1)
    if lines.count > room { lines = lines.prefix(room - 1) + ["  and \(lines.count - room + 1) more"] }
    state.lines.draw(lines)
  }
}
