import Testing

@testable import ShareEngine

@Suite struct BatchScheduleTests {
  /// Simulates a schedule with made-up costs, and measures how busy the cores were until the last file ended.
  ///
  /// With n threads, a file takes 1/speedup(n) of its time: encoders don't use all threads all the time.
  private func simulate(_ costs: [Double], cores: Int, jobs: Int) -> (busy: Double, most: Int, order: [Int]) {
    var schedule = BatchSchedule(costs: costs, coreCount: cores, jobLimit: jobs)
    var running: [(index: Int, cores: Int, end: Double)] = []
    var (now, used, most) = (0.0, 0.0, 0)
    var order: [Int] = []
    while !schedule.isFinished {
      while let start = schedule.startNextFile() {
        let speedup = Double(start.coreCount) * (1 - 0.03 * Double(start.coreCount - 1))
        let time = costs[start.index] / speedup
        running.append((start.index, start.coreCount, now + time))
        order.append(start.index)
        used += Double(start.coreCount) * time
        most = max(most, running.reduce(0) { $0 + $1.cores })
      }
      guard let next = running.indices.min(by: { running[$0].end < running[$1].end }) else { break }
      now = running[next].end
      schedule.markFinished(running.remove(at: next).index)
    }
    return (used / (now * Double(cores)), most, order)
  }

  private struct Numbers: RandomNumberGenerator {
    var state: UInt64
    mutating func next() -> UInt64 {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return state ^ (state >> 29)
    }
  }

  @Test(arguments: [2, 4, 8, 16, 32, 64, 128], [1, 2, 3] as [UInt64])
  func manyCoresAreKeptBusy(cores: Int, seed: UInt64) {
    var numbers = Numbers(state: seed)
    // Mostly rallies, some sets and a few matches: sizes across three orders of magnitude.
    let costs = (0..<max(1000, cores * 20)).map { _ in
      let kind = Double.random(in: 0...1, using: &numbers)
      return Double.random(in: 5...60, using: &numbers) * (kind > 0.995 ? 30 : kind > 0.97 ? 8 : 1)
    }
    let result = simulate(costs, cores: cores, jobs: cores)
    #expect(result.busy > 0.9, "\(result.busy), seed \(seed)")
    #expect(result.most <= cores)
    #expect(Set(result.order).count == costs.count)
  }

  @Test func largestFilesStartFirst() {
    let result = simulate([1, 5, 3, 4, 2], cores: 1, jobs: 1)
    #expect(result.order == [1, 3, 2, 4, 0])
  }

  @Test func moreFilesThanCoresGetOneCoreEach() {
    var schedule = BatchSchedule(costs: [Double](repeating: 1, count: 10), coreCount: 4, jobLimit: 4)
    #expect((0..<4).map { _ in schedule.startNextFile()?.coreCount } == [1, 1, 1, 1])
    #expect(schedule.startNextFile() == nil)
  }

  @Test func lastFilesShareFreeCores() {
    var schedule = BatchSchedule(costs: [1, 1], coreCount: 8, jobLimit: 8)
    #expect(schedule.startNextFile()?.coreCount == 4)
    #expect(schedule.startNextFile()?.coreCount == 4)
    var alone = BatchSchedule(costs: [1], coreCount: 2, jobLimit: 2)
    #expect(alone.startNextFile()?.coreCount == 2)
  }

  @Test func fewerSimultaneousFilesGetMoreCores() {
    var schedule = BatchSchedule(costs: [1, 1, 1, 1], coreCount: 8, jobLimit: 2)
    #expect(schedule.startNextFile()?.coreCount == 4)
    #expect(schedule.startNextFile()?.coreCount == 4)
    #expect(schedule.startNextFile() == nil)
  }

  @Test func emptyScheduleIsFinished() {
    var schedule = BatchSchedule(costs: [], coreCount: 2, jobLimit: 2)
    #expect(schedule.isFinished && schedule.startNextFile() == nil)
  }
}
