/// How a batch is run.
public struct BatchOptions: Sendable {
  /// Make everything, whatever is there.
  public var force = false
  /// Results take their sources' places, and those go to the trash.
  public var replaces = false
  /// Try again what failed in an earlier run for reasons of its own.
  public var retriesFailed = false
  /// The first failure ends the run.
  public var failsFast = false
  /// Codec threads at once.
  public var coreCount = MachineCores.count
  /// Files at once.
  public var jobLimit = Int.max
  /// What one file at a time takes: a 4K source with one thread of each codec (Docs/performance.md).
  public static let jobByteCount: Int64 = 512 << 20
  /// Part of the day in which files are begun.
  public var window: DayWindow?
  /// On the disk of the results, besides what a result needs.
  public var leastFreeByteCount: Int64 = 0
  /// A full disk is waited for; otherwise the file fails.
  public var waitsForRoom = true
  /// Between two looks at a full disk.
  public var roomInterval = Duration.seconds(5)
  /// Before further tries after an input or output error.
  public var retryPauses: [Duration] = [.seconds(1), .seconds(5)]

  public init() {}
}
