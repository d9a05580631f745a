import ClipModel
import DurableFiles
import Foundation

/// Waits for disk space and for the scheduled time of day.
extension ClipBatch {
  func requireDiskSpace(_ item: BatchItem, for byteCount: Int64) async throws {
    let needed = options.minimumFreeByteCount + byteCount
    do {
      try DiskSpace.requireFreeSpace(
        needed, at: item.destination, operation: "write \(item.destination)", folder: "the results")
    } catch let error as ShareEngineError where options.waitsForSpace {
      try await waitForSpace(item, needed: needed, why: error.explanation.why)
    }
  }

  /// - Parameter needed: the number of required bytes, or 0 if it is unknown.
  func waitForSpace(_ item: BatchItem, needed: Int64, why: String) async throws {
    report(.paused(item, reason: why))
    // If the required space is unknown, retry when there is slightly more space than before.
    let before = try FreeSpace.availableBytes(at: item.destination)
    let sufficient = needed > 0 ? needed : before + (1 << 20)
    repeat {
      try await Task.sleep(for: options.spaceCheckInterval)
    } while try FreeSpace.availableBytes(at: item.destination) < sufficient
    report(.resumed(item))
  }

  var isWindowOpen: Bool { options.window.map { $0.secondsUntilOpen(at: Date()) <= 0 } ?? true }

  /// Waits for the scheduled time. Checks the time every minute, because the system clock can be changed.
  func waitForWindow(_ window: DailyWindow) async throws {
    guard !isWindowOpen else { return }
    report(.paused(nil, reason: "outside the scheduled hours (\(window))"))
    while case let seconds = window.secondsUntilOpen(at: Date()), seconds > 0 {
      try await Task.sleep(for: .seconds(min(seconds, 60)))
    }
    report(.resumed(nil))
  }
}
