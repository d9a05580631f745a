/// Decides which file of a batch starts next, and how many of the machine's cores it gets. It is pure, so it can be
/// tested with any costs.
///
/// The largest files start first, so that none of them runs alone at the end. While there are more files than cores,
/// each file gets one core, which is the most efficient use. The last files share the free cores, and a file that would
/// take longer than all the others combined gets more cores from the start.
package struct BatchSchedule: Sendable {
  package struct Start: Equatable, Sendable {
    /// The index of the file in `costs`.
    package var index: Int
    /// The number of codec threads.
    package var coreCount: Int
  }

  /// More threads per codec make little difference at 1080p.
  private static let coreLimit = 8

  private let costs: [Double]
  private let coreCount: Int
  private let jobLimit: Int
  private var queue: ArraySlice<Int>
  private var running: [Int: Int] = [:]
  private var queuedCost: Double

  /// - Parameters:
  ///   - costs: the cost of each file, in any unit.
  ///   - coreCount: at least 1.
  ///   - jobLimit: the maximum number of files that are processed at the same time.
  package init(costs: [Double], coreCount: Int, jobLimit: Int) {
    self.costs = costs
    self.coreCount = max(coreCount, 1)
    self.jobLimit = max(jobLimit, 1)
    queue = costs.indices.sorted { (costs[$1], $0) < (costs[$0], $1) }[...]
    queuedCost = costs.reduce(0, +)
  }

  /// Whether no file is being processed.
  package var isIdle: Bool { running.isEmpty }

  package var isFinished: Bool { queue.isEmpty && running.isEmpty }

  /// The next file to start; `nil` if no file may start now.
  package mutating func next() -> Start? {
    let used = running.values.reduce(0, +)
    guard let index = queue.first, running.count < jobLimit, used < coreCount || running.isEmpty else { return nil }
    let free = max(coreCount - used, 1)
    // The files that can start now share the free cores. A file that would take longer than the rest gets more of them.
    let fair = max(1, free / min(queue.count, jobLimit - running.count))
    let needed = queuedCost > 0 ? Int((costs[index] / queuedCost * Double(coreCount)).rounded(.up)) : 1
    let cores = min(max(fair, needed), free, Self.coreLimit)
    queue = queue.dropFirst()
    queuedCost -= costs[index]
    running[index] = cores
    return Start(index: index, coreCount: cores)
  }

  package mutating func end(_ index: Int) { running[index] = nil }
}
