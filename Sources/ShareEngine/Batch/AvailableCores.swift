import Foundation

/// The number of CPU cores that this process can use: the cores in its scheduler affinity mask, limited by its control
/// group.
enum AvailableCores {
  static var count: Int {
    let quota = (try? String(contentsOfFile: "/sys/fs/cgroup/cpu.max", encoding: .utf8)).flatMap(parseQuota)
    return max(min(ProcessInfo.processInfo.activeProcessorCount, quota ?? .max), 1)
  }

  /// Parses a control group's `cpu.max`, which contains the quota in microseconds, or `max`, followed by the period.
  /// Fractions of a core are rounded up.
  static func parseQuota(_ text: String) -> Int? {
    let numbers = text.split(whereSeparator: \.isWhitespace).map { Double($0) }
    guard numbers.count == 2, let time = numbers[0], let period = numbers[1], time > 0, period > 0 else { return nil }
    return Int((time / period).rounded(.up))
  }
}
