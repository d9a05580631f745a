/// Which file of a batch is worked on next, and with how many of the machine's cores: pure, so that it can be tried with
/// costs that are made up.
///
/// The biggest begin first, so that none of them is left for the end. As long as there are more files than cores each gets
/// one core: that wastes least. The last ones share the cores that are free, and a file so big that it would outlast all
/// others gets more of them at once.
package struct BatchSchedule: Sendable {
  package struct Start: Equatable, Sendable {
    /// Of the file, as `costs` has it.
    package var index: Int
    /// Threads of a codec.
    package var coreCount: Int
  }

  /// More threads of one codec than this make little difference at 1080p.
  static let coreLimit = 8

  private let costs: [Double]
  private let coreCount: Int
  private let jobLimit: Int
  private var queue: ArraySlice<Int>
  private var running: [Int: Int] = [:]
  private var waitingCost: Double

  /// - Parameters:
  ///   - costs: what each file takes, in any unit.
  ///   - coreCount: at least 1.
  ///   - jobLimit: files at once at most.
  package init(costs: [Double], coreCount: Int, jobLimit: Int) {
    self.costs = costs
    self.coreCount = max(coreCount, 1)
    self.jobLimit = max(jobLimit, 1)
    queue = costs.indices.sorted { (costs[$1], $0) < (costs[$0], $1) }[...]
    waitingCost = costs.reduce(0, +)
  }

  /// Nothing is worked on now.
  package var isIdle: Bool { running.isEmpty }

  package var isOver: Bool { queue.isEmpty && running.isEmpty }

  /// The next file, or `nil` while nothing may begin.
  package mutating func next() -> Start? {
    let used = running.values.reduce(0, +)
    guard let index = queue.first, running.count < jobLimit, used < coreCount || running.isEmpty else { return nil }
    let free = max(coreCount - used, 1)
    // Those that could begin now share what is free; and whoever would outlast the rest gets its part of the work.
    let fair = max(1, free / min(queue.count, jobLimit - running.count))
    let needed = waitingCost > 0 ? Int((costs[index] / waitingCost * Double(coreCount)).rounded(.up)) : 1
    let cores = min(max(fair, needed), free, Self.coreLimit)
    queue = queue.dropFirst()
    waitingCost -= costs[index]
    running[index] = cores
    return Start(index: index, coreCount: cores)
  }

  package mutating func end(_ index: Int) { running[index] = nil }
}
