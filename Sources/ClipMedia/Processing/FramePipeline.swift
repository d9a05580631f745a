import Foundation
import LibAV
import Synchronization

/// A decoded frame with the time at which the output shows it.
///
/// `@unchecked Sendable`: only one thread at a time uses the frame.
struct TimedFrame: @unchecked Sendable {
  var frame: Frame
  /// The time in the source's time base.
  var ticks: Int64
}

/// Turns decoded frames into written packets: one or more threads scale, and another one encodes and writes, while the
/// caller decodes. Short queues block the faster stages, so that memory stays flat.
///
/// Call `push`, `finish` and `cancel` on one thread. Each pipeline needs `finish` or `cancel`.
final class FramePipeline: Sendable {
  private struct Scaling {
    /// A decoded 4K frame takes 12 MB, or 25 MB with 10 bits. No frames are queued: the decoder's own threads already
    /// hold some, and a queue wouldn't make it faster.
    let input = BoundedQueue<TimedFrame>(capacity: 0)
    let output = BoundedQueue<TimedFrame>(capacity: 2)
  }

  private let scalings: [Scaling]
  private let threads: [StageThread]
  private let pushedCount = Atomic(0)

  /// The number of scaling threads for a machine: scaling is a tenth of the work, or a fifth with tone mapping.
  static func scalerCount(cores: Int) -> Int { min(max(cores / 4, 1), 4) }

  /// - Parameters:
  ///   - track: used only by the encoding thread, until `finish` or `cancel` returns.
  ///   - makeScaler: called once on each scaling thread.
  init(
    scalerCount: Int, track: EncodedTrack, makeScaler: @escaping @Sendable () throws -> FrameScaler
  ) {
    let scalings = (0..<max(scalerCount, 1)).map { _ in Scaling() }
    self.scalings = scalings
    let stop: @Sendable (any Error) -> Void = { error in FramePipeline.stop(scalings, with: error) }
    threads =
      scalings.map { scaling in
        StageThread(named: "bsc scale", onFailure: stop) {
          let scaler = try makeScaler()
          while let timed = try scaling.input.pop() {
            try scaling.output.push(TimedFrame(frame: try scaler.scale(timed.frame), ticks: timed.ticks))
          }
          scaling.output.end()
        }
      } + [
        StageThread(named: "bsc encode", onFailure: stop) {
          // Scalers receive frames in rotation, so reading them in rotation keeps the order.
          var index = 0
          while let timed = try scalings[index % scalings.count].output.pop() {
            index += 1
            try track.encode(timed.frame, ticks: timed.ticks)
          }
          try track.finish()
        }
      ]
  }

  private static func stop(_ scalings: [Scaling], with error: any Error) {
    for scaling in scalings {
      scaling.input.fail(error)
      scaling.output.fail(error)
    }
  }

  /// Adds a frame, and blocks while the stages are busy. Don't use the frame afterwards.
  /// - Throws: the error of a stage.
  func push(_ timed: TimedFrame) throws {
    let index = pushedCount.add(1, ordering: .relaxed).oldValue
    try scalings[index % scalings.count].input.push(timed)
  }

  /// Waits until all frames are written.
  /// - Throws: the first error of a stage.
  func finish() throws {
    for scaling in scalings { scaling.input.end() }
    var failure: (any Error)?
    for thread in threads {
      do { try thread.join() } catch { failure = failure ?? error }
    }
    if let failure { throw failure }
  }

  /// Stops all stages and waits for their end.
  func cancel() {
    FramePipeline.stop(scalings, with: CancellationError())
    for thread in threads { try? thread.join() }
  }
}
