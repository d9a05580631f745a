/// Determines which file in a batch starts next, and how many CPU cores the file gets. The schedule has no side
/// effects, so tests can use any costs.
///
/// The largest files start first, so that no large file runs alone at the end. As long as there are more files than
/// cores, each file gets one core, which is most efficient. The last files share the free cores. A file that would take
/// longer than all other files combined gets more cores from the start.
package struct BatchSchedule: Sendable {
  package struct FileStart: Equatable, Sendable {
    /// The file's index in `costs`.
    package var index: Int
    /// The number of cores to use for codec threads.
    package var coreCount: Int
  }

  /// The maximum number of cores per file. At 1080p, more codec threads make little difference.
  private static let coreLimit = 8

  private let costs: [Double]
  private let coreCount: Int
  private let jobLimit: Int
  private var queue: ArraySlice<Int>
  private var running: [Int: Int] = [:]
  private var queuedCost: Double

  /// - Parameters:
  ///   - costs: the processing cost of each file, in any unit.
  ///   - coreCount: the number of available cores, at least 1.
  ///   - jobLimit: the maximum number of files to process at the same time.
  package init(costs: [Double], coreCount: Int, jobLimit: Int) {
    self.costs = costs
    self.coreCount = max(coreCount, 1)
    self.jobLimit = max(jobLimit, 1)
    queue = costs.indices.sorted { (costs[$1], $0) < (costs[$0], $1) }[...]
    queuedCost = costs.reduce(0, +)
  }

  /// Whether no files are being processed.
  package var isIdle: Bool { running.isEmpty }

  package var isFinished: Bool { queue.isEmpty && running.isEmpty }

  /// Returns the next file to start, or `nil` if no file can start now.
  package mutating func startNextFile() -> FileStart? {
    let used = running.values.reduce(0, +)
    guard let index = queue.first, running.count < jobLimit, used < coreCount || running.isEmpty else { return nil }
    let free = max(coreCount - used, 1)
    // The files that can start now share the free cores. A file that would take longer than all remaining files
    // combined gets more cores.
    let fair = max(1, free / min(queue.count, jobLimit - running.count))
    let needed = queuedCost > 0 ? Int((costs[index] / queuedCost * Double(coreCount)).rounded(.up)) : 1
    let cores = min(max(fair, needed), free, Self.coreLimit)
    queue = queue.dropFirst()
    queuedCost -= costs[index]
    running[index] = cores
    return FileStart(index: index, coreCount: cores)
  }

  package mutating func markFinished(_ index: Int) { running[index] = nil }
}
