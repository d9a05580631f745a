import ClipModel
import Foundation
import Reports
import ShareEngine
import Synchronization

/// Work under way, on stderr: the one place that draws it. Lines that move on a terminal; elsewhere a line now and then
/// about what takes long.
final class ProgressBoard<Key: Hashable & Sendable>: Sendable {
  let mode: ProgressMode
  private let output: ProgressOutput
  private let patience: Duration
  private let namesWork: Bool
  private let titles: Bool
  private let state: Mutex<State>
  private let ticking = Mutex<Task<Void, Never>?>(nil)

  private struct Work {
    var key: Key
    var name: String
    var stage: String?
    var began: ContinuousClock.Instant
    var fraction: Double?
    var detail: ProgressDetail?
    /// When what is waited for is over.
    var isHeldUntil: ContinuousClock.Instant?
    var estimate = Estimate()
    var reminder: Reminder

    /// What waits for its turn has nothing to tell.
    var isShown: Bool { stage != nil || fraction != nil }
  }

  private struct State {
    /// In the order they began.
    var works: [Work] = []
    var sum: (value: ProgressSum, estimate: Estimate, reminder: Reminder)?
    var lines: LiveLines
    var lastDrawn: ContinuousClock.Instant?
    var title = TerminalTitle()
  }

  /// - Parameters:
  ///   - namesWork: each line names what it is about.
  ///   - patience: what takes no longer is not shown.
  ///   - titles: the terminal's title tells the sum, too.
  ///   - ticks: time goes on by itself; a test calls `tick`.
  init(
    _ mode: ProgressMode, namesWork: Bool, patience: Duration = .zero, titles: Bool = false, ticks: Bool = true,
    output: ProgressOutput = .standardError
  ) {
    self.mode = mode
    self.output = output
    self.patience = patience
    self.namesWork = namesWork
    self.titles = titles
    state = Mutex(State(lines: LiveLines(isColored: output.isColored)))
    guard ticks, mode == .moving || mode == .plain else { return }
    let interval: Duration = mode == .moving ? progressInterval : .seconds(1)
    let task = Task { [weak self] in
      while !Task.isCancelled {
        try? await Task.sleep(for: interval)
        guard let self else { return }
        self.tick()
      }
    }
    ticking.withLock { $0 = task }
  }

  deinit { ticking.withLock { $0?.cancel() } }

  // MARK: Work

  func begin(_ key: Key, _ name: String, stage: String? = nil) {
    state.withLock { state in
      let now = output.now()
      let work = Work(key: key, name: name, stage: stage, began: now, reminder: Reminder(since: now))
      if let place = state.works.firstIndex(where: { $0.key == key }) {
        state.works[place] = work
      } else {
        state.works.append(work)
      }
      draw(&state)
    }
  }

  /// The next thing is done with the same; `nil` while it only waits for its turn, and is not shown.
  /// - Returns: how long the last one took.
  @discardableResult
  func turn(_ key: Key, to stage: String?) -> Duration {
    state.withLock { state in
      guard let place = state.works.firstIndex(where: { $0.key == key }) else { return .zero }
      let (last, now) = (state.works[place], output.now())
      state.works[place] = Work(
        key: key, name: last.name, stage: stage, began: now, reminder: Reminder(since: now))
      draw(&state)
      return now - last.began
    }
  }

  func name(of key: Key) -> String? { state.withLock { state in state.works.first { $0.key == key }?.name } }

  /// - Parameters:
  ///   - fraction: 0 to 1; `nil` while nobody knows.
  ///   - stage: where that may be another one than before.
  func move(_ key: Key, _ fraction: Double?, _ detail: ProgressDetail? = nil, stage: String? = nil) {
    state.withLock { state in
      guard let place = state.works.firstIndex(where: { $0.key == key }) else { return }
      let now = output.now()
      if let stage, state.works[place].stage != stage {
        state.works[place] = Work(
          key: key, name: state.works[place].name, stage: stage, began: now, reminder: Reminder(since: now))
      }
      if case .pause(_, let duration) = detail {
        state.works[place].isHeldUntil = now + duration
        state.works[place].estimate.pause(at: now)
      } else {
        if state.works[place].isHeldUntil != nil { state.works[place].estimate.pause(at: now) }
        state.works[place].isHeldUntil = nil
        // The exact sizes, where there are some: percentages of what is sent stop before its end.
        if let done = detail?.fraction ?? fraction { state.works[place].estimate.add(done, at: now) }
      }
      state.works[place].fraction = fraction
      state.works[place].detail = detail
      draw(&state)
    }
  }

  /// It is no longer worked on, however it ended.
  func end(_ key: Key) {
    state.withLock { state in
      state.works.removeAll { $0.key == key }
      // At once: whoever comes after it writes below.
      if state.works.isEmpty, state.sum == nil { clear(&state) } else { draw(&state) }
    }
  }

  func set(_ sum: ProgressSum) {
    state.withLock { state in
      let now = output.now()
      var estimate = state.sum?.estimate ?? Estimate()
      if sum.pause == nil, state.sum?.value.pause == nil {
        estimate.add(sum.fraction, at: now)
      } else {
        estimate.pause(at: now)
      }
      state.sum = (sum, estimate, state.sum?.reminder ?? Reminder(since: now))
      draw(&state)
    }
  }

  /// Nothing is drawn any more, unless something begins.
  func end() {
    state.withLock { state in
      state.works = []
      state.sum = nil
      clear(&state)
      state.title.end()
    }
  }

  // MARK: What stays

  /// A line that stays.
  /// - Parameter indent: of what does not fit on a terminal, and goes on below.
  func print(_ line: StyledText, indent: Int = 4) {
    guard mode == .moving || mode == .plain else { return }
    interrupting {
      let line = mode == .moving ? line.wrapped(columns: output.size().columns - 1, indent: indent) : line
      output.write(line.rendered(isColored: output.isColored) + "\n")
    }
  }

  /// Takes the moving lines away while somebody else writes to the terminal.
  func interrupting(_ write: () throws -> Void) rethrows {
    try state.withLock { state in
      let wereShown = !state.lines.isEmpty
      clear(&state)
      try write()
      // They come back at once: where line follows line, they would flicker.
      guard wereShown else { return }
      state.lastDrawn = nil
      draw(&state)
    }
  }

  /// How it stands, for somebody who asks: the sum, and all that is worked on.
  func tell() {
    state.withLock { state in
      clear(&state)
      let now = output.now()
      var lines: [String] = []
      if var sum = state.sum {
        let (speed, left) = (sum.estimate.speed(at: now), sum.estimate.secondsLeft(at: now))
        lines.append(sum.value.text(speed: speed, left: left))
        state.sum = sum
      }
      lines += state.works.indices.map { "  " + line(&state.works[$0], now).plain }
      let text = lines.map { $0 + "\n" }.joined()
      if mode == .json { Console.writeError(text) } else { output.write(text.printable) }
    }
  }

  // MARK: Drawing

  /// Time goes on, also where nothing is heard.
  func tick() {
    state.withLock { state in
      switch mode {
      case .moving: draw(&state)
      case .plain: remind(&state)
      case .json, .none: break
      }
    }
  }

  private func remind(_ state: inout State) {
    let now = output.now()
    if var sum = state.sum {
      if sum.reminder.isDue(at: now) {
        let left = sum.estimate.secondsLeft(at: now)
        output.write(sum.value.text(speed: sum.estimate.speed(at: now), left: left) + "\n")
      }
      state.sum = sum
      return
    }
    for place in state.works.indices where state.works[place].isShown && state.works[place].reminder.isDue(at: now) {
      let text = line(&state.works[place], now).plain
      output.write((namesWork ? text : "  \(text)").printable + "\n")
    }
  }

  private func line(_ work: inout Work, _ now: ContinuousClock.Instant) -> ProgressLine {
    let held = work.isHeldUntil.map { max(($0 - now).seconds, 0) }
    // A bar that is full, and whose work goes on, has nothing more to say of time.
    let left = held == nil && work.fraction.map { $0 < 1 } ?? false ? work.estimate.secondsLeft(at: now) : nil
    return ProgressLine(
      name: namesWork ? work.name : nil, stage: work.stage, fraction: work.fraction, left: left,
      elapsed: (now - work.began).seconds,
      details: work.detail?.texts(speed: work.estimate.speed(at: now), held: held, times: output.glyphs.times) ?? [],
      isHeldUp: held != nil)
  }

  /// All moving lines, at most ten times a second: that is smooth and does not flicker.
  private func draw(_ state: inout State) {
    guard mode == .moving else { return }
    let now = output.now()
    if let last = state.lastDrawn, now - last < progressInterval { return }
    state.lastDrawn = now
    let screen = output.size()
    let works = state.works.indices.filter { place in
      state.works[place].isShown && now - state.works[place].began >= patience
    }
    // What is higher than the screen could not be taken away again.
    let room = max(screen.rows - (state.sum == nil ? 1 : 2), 1)
    let isCut = works.count > room
    let drawn = isCut ? Array(works.prefix(max(room - 1, 1))) : works
    let layout = ProgressLayout(
      columns: screen.columns,
      longestName: namesWork ? drawn.map { TextColumns.count(state.works[$0].name.onOneLine) }.max() : nil,
      hasStage: drawn.contains { state.works[$0].stage != nil })
    var lines = drawn.map { line(&state.works[$0], now).text(layout, output.glyphs) }
    if isCut, room > 1 {
      lines.append(StyledText(TextColumns.prefix("  and \(works.count - drawn.count) more", layout.width)))
    }
    if var sum = state.sum, sum.value.fileCount > 1, screen.rows > 1 || lines.isEmpty {
      let (speed, left) = (sum.estimate.speed(at: now), sum.estimate.secondsLeft(at: now))
      let text = sum.value.text(speed: speed, left: left, columns: layout.width)
      lines.append(StyledText(TextColumns.prefix(text, layout.width)))
      if titles { state.title.show(sum.value.text(speed: nil, left: left, columns: 60)) }
      state.sum = sum
    }
    write(state.lines.drawing(lines, columns: screen.columns))
  }

  private func clear(_ state: inout State) {
    guard mode == .moving else { return }
    write(state.lines.clearing(columns: output.size().columns))
  }

  private func write(_ text: String) {
    if !text.isEmpty { output.write(text) }
  }
}

/// Between two drawings.
let progressInterval = Duration.milliseconds(100)
