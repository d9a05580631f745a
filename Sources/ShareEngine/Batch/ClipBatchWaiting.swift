import ClipModel
import DurableFiles
import Foundation

/// Waiting for disk space and for the scheduled time of day.
extension ClipBatch {
  func requireSpace(_ item: BatchItem, for byteCount: Int64) async throws {
    let needed = options.minimumFreeByteCount + byteCount
    do {
      try DiskSpace.require(
        needed, at: item.destination, operation: "write \(item.destination)", folder: "the results")
    } catch let error as ShareEngineError where options.waitsForSpace {
      try await waitForSpace(item, needed: needed, why: error.explanation.why)
    }
  }

  /// - Parameter needed: the number of bytes needed; 0 when unknown.
  func waitForSpace(_ item: BatchItem, needed: Int64, why: String) async throws {
    report(.paused(item, reason: why))
    // If the needed space is unknown, it is worth retrying with slightly more space than before.
    let before = try FreeSpace.bytes(at: item.destination)
    let sufficient = needed > 0 ? needed : before + (1 << 20)
    repeat {
      try await Task.sleep(for: options.spaceCheckInterval)
    } while try FreeSpace.bytes(at: item.destination) < sufficient
    report(.resumed(item))
  }

  var isWindowOpen: Bool { options.window.map { $0.secondsUntilOpen(at: Date()) <= 0 } ?? true }

  /// Checks the time every minute, because the system clock can be changed.
  func wait(for window: DailyWindow) async throws {
    guard !isWindowOpen else { return }
    report(.paused(nil, reason: "the schedule does not allow work now (--schedule \(window))"))
    while case let seconds = window.secondsUntilOpen(at: Date()), seconds > 0 {
      try await Task.sleep(for: .seconds(min(seconds, 60)))
    }
    report(.resumed(nil))
  }
}
