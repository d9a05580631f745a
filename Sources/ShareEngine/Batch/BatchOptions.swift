/// How a batch is run.
package struct BatchOptions: Sendable {
  /// Make everything, whatever is there.
  package var force = false
  /// Results take their sources' places, and those go to the trash.
  package var replaces = false
  /// Try again what failed in an earlier run for reasons of its own.
  package var retriesFailed = false
  /// The first failure ends the run.
  package var failsFast = false
  /// Codec threads at once.
  package var coreCount = MachineCores.count
  /// Files at once.
  package var jobLimit = Int.max
  /// What one file at a time takes: a 4K source with one thread of each codec (Docs/performance.md).
  package static let jobByteCount: Int64 = 512 << 20
  /// Part of the day in which files are begun.
  package var window: DailyWindow?
  /// On the disk of the results, besides what a result needs.
  package var leastFreeByteCount: Int64 = 0
  /// A full disk is waited for; otherwise the file fails.
  package var waitsForRoom = true
  /// Between two looks at a full disk.
  package var roomInterval = Duration.seconds(5)
  /// Before further tries after an input or output error.
  package var retryPauses: [Duration] = [.seconds(1), .seconds(5)]

  package init() {}
}
