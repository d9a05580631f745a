import ClipModel
import Foundation
import Reports
import ShareEngine
import Synchronization

/// Shows running tasks on stderr: on a terminal, as lines that are redrawn in place; otherwise, as an occasional line
/// about long tasks.
final class ProgressBoard<Key: Hashable & Sendable>: Sendable {
  let mode: ProgressMode
  private let output: ProgressOutput
  private let delay: Duration
  private let namesTasks: Bool
  private let showsTitle: Bool
  private let state: Mutex<State>
  private let ticking = Mutex<Task<Void, Never>?>(nil)

  private struct TaskEntry {
    let key: Key
    let name: String
    var stage: String?
    var start: ContinuousClock.Instant
    var fraction: Double?
    var detail: ProgressDetail?
    /// When the current pause ends.
    var pausedUntil: ContinuousClock.Instant?
    var estimate = ProgressEstimate()
    var reminder: ReminderTimer

    init(_ key: Key, _ name: String, stage: String?, at now: ContinuousClock.Instant) {
      (self.key, self.name, self.stage, start) = (key, name, stage, now)
      reminder = ReminderTimer(since: now)
    }

    /// A task without a stage is waiting for its turn.
    var isShown: Bool { stage != nil || fraction != nil }

    mutating func restart(stage: String?, at now: ContinuousClock.Instant) {
      self = TaskEntry(key, name, stage: stage, at: now)
    }

    mutating func update(_ fraction: Double?, _ detail: ProgressDetail?, at now: ContinuousClock.Instant) {
      if case .pause(_, let duration) = detail {
        pausedUntil = now + duration
        estimate.pause(at: now)
      } else {
        if pausedUntil != nil { estimate.pause(at: now) }
        pausedUntil = nil
        // The fraction of an upload stops below 1, but the byte counts in its details are exact.
        if let done = detail?.fraction ?? fraction { estimate.add(done, at: now) }
      }
      (self.fraction, self.detail) = (fraction, detail)
    }
  }

  private struct BatchTotal {
    var sum: TotalProgress
    var estimate = ProgressEstimate()
    var reminder: ReminderTimer

    mutating func formatText(at now: ContinuousClock.Instant, columns: Int? = nil, withSpeed: Bool = true) -> String {
      let speed = withSpeed ? estimate.speed(at: now) : nil
      return sum.formatText(speed: speed, left: estimate.secondsLeft(at: now), columns: columns)
    }
  }

  private struct State {
    /// The tasks in the order in which they were started.
    var entries: [TaskEntry] = []
    var total: BatchTotal?
    var lines: LiveLines
    var lastDrawn: ContinuousClock.Instant?
    var title = TerminalTitle()
  }

  /// - Parameters:
  ///   - namesTasks: whether each line starts with the name of its task.
  ///   - delay: how long a task must run before it is shown.
  ///   - showsTitle: whether the terminal's title shows the total, too.
  ///   - ticks: whether the lines are redrawn periodically; otherwise, the caller must call `tick`.
  init(
    _ mode: ProgressMode, namesTasks: Bool, delay: Duration = .zero, showsTitle: Bool = false, ticks: Bool = true,
    output: ProgressOutput = .standardError
  ) {
    self.mode = mode
    self.output = output
    self.delay = delay
    self.namesTasks = namesTasks
    self.showsTitle = showsTitle
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

  // MARK: Tasks

  func begin(_ key: Key, _ name: String, stage: String? = nil) {
    state.withLock { state in
      let entry = TaskEntry(key, name, stage: stage, at: output.now())
      if let index = state.entries.firstIndex(where: { $0.key == key }) {
        state.entries[index] = entry
      } else {
        state.entries.append(entry)
      }
      draw(&state)
    }
  }

  /// Starts the next stage of a task. If the stage is `nil`, the task waits for its turn and is not shown.
  /// - Returns: how long the previous stage took.
  @discardableResult
  func restart(_ key: Key, stage: String?) -> Duration {
    changeEntry(key) { entry, now in
      let start = entry.start
      entry.restart(stage: stage, at: now)
      return now - start
    } ?? .zero
  }

  func taskName(of key: Key) -> String? { state.withLock { state in state.entries.first { $0.key == key }?.name } }

  /// Updates a task's progress.
  /// - Parameters:
  ///   - fraction: the completed fraction, 0 to 1; `nil` while it is unknown.
  ///   - stage: the stage to start if it is not the current one.
  func update(_ key: Key, _ fraction: Double?, _ detail: ProgressDetail? = nil, stage: String? = nil) {
    _ = changeEntry(key) { entry, now in
      if let stage, entry.stage != stage { entry.restart(stage: stage, at: now) }
      entry.update(fraction, detail, at: now)
    }
  }

  /// Changes the task's entry and redraws the lines.
  /// - Returns: `nil` for an unknown task.
  private func changeEntry<Result>(_ key: Key, _ body: (inout TaskEntry, ContinuousClock.Instant) -> Result) -> Result?
  {
    state.withLock { state in
      guard let index = state.entries.firstIndex(where: { $0.key == key }) else { return nil }
      let result = body(&state.entries[index], output.now())
      draw(&state)
      return result
    }
  }

  /// Removes the task. Must be called when the task has ended, for any reason.
  func end(_ key: Key) {
    state.withLock { state in
      state.entries.removeAll { $0.key == key }
      // The last task's line is cleared now, so that later output starts there.
      if state.entries.isEmpty, state.total == nil { clearLines(&state) } else { draw(&state) }
    }
  }

  func setTotal(_ sum: TotalProgress) {
    state.withLock { state in
      let now = output.now()
      var total = state.total ?? BatchTotal(sum: sum, reminder: ReminderTimer(since: now))
      if sum.pause == nil, total.sum.pause == nil {
        total.estimate.add(sum.fraction, at: now)
      } else {
        total.estimate.pause(at: now)
      }
      total.sum = sum
      state.total = total
      draw(&state)
    }
  }

  /// Ends all tasks and clears the lines.
  func end() {
    state.withLock { state in
      state.entries = []
      state.total = nil
      clearLines(&state)
      state.title.end()
    }
  }

  // MARK: Permanent lines

  /// Prints a line that stays on the screen.
  /// - Parameter indent: the indent of continuation lines on a terminal.
  func print(_ line: StyledText, indent: Int = 4) {
    guard mode == .moving || mode == .plain else { return }
    withProgressHidden {
      let line = mode == .moving ? line.wrapped(columns: output.size().columns - 1, indent: indent) : line
      output.write(line.rendered(isColored: output.isColored) + "\n")
    }
  }

  /// Hides the lines while `write` writes to the terminal.
  func withProgressHidden(_ write: () throws -> Void) rethrows {
    try state.withLock { state in
      let wereShown = !state.lines.isEmpty
      clearLines(&state)
      try write()
      // The lines are redrawn immediately, because they would otherwise flicker while several lines are printed.
      guard wereShown else { return }
      state.lastDrawn = nil
      draw(&state)
    }
  }

  /// Prints the total and all running tasks.
  func printStatus() {
    state.withLock { state in
      clearLines(&state)
      let now = output.now()
      var lines = [state.total?.formatText(at: now)].compactMap(\.self)
      lines += state.entries.indices.map { "  " + makeLine(&state.entries[$0], now).plain }
      let text = lines.map { $0 + "\n" }.joined()
      if mode == .json { Console.writeError(text) } else { output.write(text.printable) }
    }
  }

  // MARK: Drawing

  /// Redraws the lines or prints a reminder, because time has passed.
  func tick() {
    state.withLock { state in
      switch mode {
      case .moving: draw(&state)
      case .plain: printReminders(&state)
      case .json, .none: break
      }
    }
  }

  private func printReminders(_ state: inout State) {
    let now = output.now()
    guard state.total == nil else {
      if state.total?.reminder.isDue(at: now) == true, let text = state.total?.formatText(at: now) {
        output.write(text + "\n")
      }
      return
    }
    for index in state.entries.indices
    where state.entries[index].isShown && state.entries[index].reminder.isDue(at: now) {
      let text = makeLine(&state.entries[index], now).plain
      output.write((namesTasks ? text : "  \(text)").printable + "\n")
    }
  }

  private func makeLine(_ entry: inout TaskEntry, _ now: ContinuousClock.Instant) -> ProgressLine {
    let pause = entry.pausedUntil.map { max(($0 - now).seconds, 0) }
    let hasEstimate = pause == nil && entry.fraction.map { $0 < 1 } ?? false
    return ProgressLine(
      name: namesTasks ? entry.name : nil, stage: entry.stage, fraction: entry.fraction,
      left: hasEstimate ? entry.estimate.secondsLeft(at: now) : nil, elapsed: (now - entry.start).seconds,
      details: entry.detail?.makeDescriptions(
        speed: entry.estimate.speed(at: now), pause: pause, multiplicationSign: output.glyphs.multiplicationSign) ?? [],
      isPaused: pause != nil)
  }

  /// Draws all lines, at most ten times a second to avoid flicker.
  private func draw(_ state: inout State) {
    guard mode == .moving else { return }
    let now = output.now()
    if let last = state.lastDrawn, now - last < progressInterval { return }
    state.lastDrawn = now
    let screen = output.size()
    let visible = state.entries.indices.filter { index in
      state.entries[index].isShown && now - state.entries[index].start >= delay
    }
    // Lines above the top of the screen couldn't be cleared.
    let room = max(screen.rows - (state.total == nil ? 1 : 2), 1)
    let isCut = visible.count > room
    let drawn = isCut ? Array(visible.prefix(max(room - 1, 1))) : visible
    let layout = ProgressLayout(
      columns: screen.columns,
      longestName: namesTasks ? drawn.map { TextColumns.count(state.entries[$0].name.onOneLine) }.max() : nil,
      hasStage: drawn.contains { state.entries[$0].stage != nil })
    var lines = drawn.map { makeLine(&state.entries[$0], now).formatText(layout, output.glyphs) }
    if isCut, room > 1 {
      lines.append(StyledText(TextColumns.prefix("  and \(visible.count - drawn.count) more", layout.width)))
    }
    if let total = state.total, total.sum.fileCount > 1, screen.rows > 1 || lines.isEmpty {
      let text = state.total?.formatText(at: now, columns: layout.width) ?? ""
      lines.append(StyledText(TextColumns.prefix(text, layout.width)))
      if showsTitle { state.title.setTitle(state.total?.formatText(at: now, columns: 60, withSpeed: false) ?? "") }
    }
    write(state.lines.redraw(lines, columns: screen.columns))
  }

  private func clearLines(_ state: inout State) {
    guard mode == .moving else { return }
    write(state.lines.clear(columns: output.size().columns))
  }

  private func write(_ text: String) {
    if !text.isEmpty { output.write(text) }
  }
}

/// The minimum interval between two redraws.
let progressInterval = Duration.milliseconds(100)
