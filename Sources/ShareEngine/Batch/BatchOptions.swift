/// The options of a batch run.
package struct BatchOptions: Sendable {
  /// Creates all results, even if they exist.
  package var force = false
  /// Results replace their sources, which move to the trash.
  package var replaces = false
  /// Retries files that an earlier run could not process.
  package var retriesFailed = false
  /// The first failure stops the run.
  package var failsFast = false
  /// The number of codec threads.
  package var coreCount = MachineCores.count
  /// The number of files that are processed at the same time.
  package var jobLimit = Int.max
  /// The memory needed per file: a 4K source with one thread per codec (Docs/performance.md).
  package static let jobByteCount: Int64 = 512 << 20
  /// The time of day when files may be started.
  package var window: DailyWindow?
  /// Disk space to leave free after each result.
  package var minimumFreeByteCount: Int64 = 0
  /// Waits while the disk is full; otherwise the file fails.
  package var waitsForSpace = true
  /// The time between two checks of a full disk.
  var spaceCheckInterval = Duration.seconds(5)
  /// The pauses before retries after an input or output error.
  var retryPauses: [Duration] = [.seconds(1), .seconds(5)]

  package init() {}
}
