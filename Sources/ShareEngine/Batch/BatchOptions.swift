/// The options of a batch run.
package struct BatchOptions: Sendable {
  /// Whether to create all results again, even if they already exist.
  package var force = false
  /// Whether results replace their sources. The sources are moved to the trash.
  package var replaces = false
  /// Whether to retry files that failed in an earlier run.
  package var retriesFailed = false
  /// Whether the run stops at the first failure.
  package var failsFast = false
  /// The number of cores to use for codec threads.
  package var coreCount = AvailableCores.count
  /// The maximum number of files to process at the same time.
  package var jobLimit = Int.max
  /// The memory required per file, in bytes. It was measured with a 4K source and one thread per codec
  /// (Docs/performance.md).
  package static let jobByteCount: Int64 = 512 << 20
  /// The time of day during which processing of a file may start.
  package var window: DailyWindow?
  /// The minimum free disk space after each result, in bytes.
  package var minimumFreeByteCount: Int64 = 0
  /// Whether the batch waits while the disk is full. If false, the current file fails.
  package var waitsForSpace = true
  /// The interval between checks of a full disk.
  var spaceCheckInterval = Duration.seconds(5)
  /// The delays before retries after an I/O error.
  var retryPauses: [Duration] = [.seconds(1), .seconds(5)]

  package init() {}
}
