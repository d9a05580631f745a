/// The options of a batch run.
package struct BatchOptions: Sendable {
  /// Whether all results are created again, even if they exist.
  package var force = false
  /// Whether results replace their sources, which are moved to the trash.
  package var replaces = false
  /// Whether files that failed in an earlier run are retried.
  package var retriesFailed = false
  /// Whether the first failure stops the run.
  package var failsFast = false
  /// The number of codec threads.
  package var coreCount = MachineCores.count
  /// The maximum number of files that are processed at the same time.
  package var jobLimit = Int.max
  /// The memory needed per file, measured with a 4K source and one thread per codec (Docs/performance.md).
  package static let jobByteCount: Int64 = 512 << 20
  /// The time of day during which files may be started.
  package var window: DailyWindow?
  /// The number of bytes of disk space to leave free after each result.
  package var minimumFreeByteCount: Int64 = 0
  /// Whether the batch waits while the disk is full. If false, the file fails.
  package var waitsForSpace = true
  /// The time between two checks of a full disk.
  var spaceCheckInterval = Duration.seconds(5)
  /// The pauses before retries after an I/O error.
  var retryPauses: [Duration] = [.seconds(1), .seconds(5)]

  package init() {}
}
