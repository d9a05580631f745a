import Foundation

/// How many cores this process may use: what the scheduler allows, and no more than its control group gets.
enum MachineCores {
  static var count: Int {
    let quota = (try? String(contentsOfFile: "/sys/fs/cgroup/cpu.max", encoding: .utf8)).flatMap(quota)
    return max(min(ProcessInfo.processInfo.activeProcessorCount, quota ?? .max), 1)
  }

  /// Of `cpu.max`: microseconds of a period, or `max`, and the period. A part of a core is one.
  static func quota(_ text: String) -> Int? {
    let numbers = text.split(whereSeparator: \.isWhitespace).map { Double($0) }
    guard numbers.count == 2, let time = numbers[0], let period = numbers[1], time > 0, period > 0 else { return nil }
    return Int((time / period).rounded(.up))
  }
}
