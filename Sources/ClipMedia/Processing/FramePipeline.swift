import Foundation
import LibAV
import Synchronization

/// A decoded frame and the time at which the output shows it.
///
/// `@unchecked Sendable`: only one thread at a time uses the frame.
struct TimedFrame: @unchecked Sendable {
  var frame: Frame
  /// The time in ticks of the source's time base.
  var ticks: Int64
  /// The number of source frames that were dropped before this frame.
  var droppedCount = 0
  /// Whether this is the first frame after the seam of an encode that continues.
  var isAtSeam = false
}

/// Scales, encodes and writes decoded frames. One or more threads scale and another thread encodes and writes, while
/// the caller decodes. Short queues block the faster stages to limit memory use.
///
/// Call `push`, `finish` and `cancel` on the same thread. Always end a pipeline with `finish` or `cancel`.
final class FramePipeline: Sendable {
  private struct ScalingStage {
    /// A queue that doesn't buffer any frames. A decoded 4K frame takes 12 MB (25 MB at 10 bits), the decoder's threads
    /// already hold several frames, and buffering more wouldn't be faster.
    let input = BoundedQueue<TimedFrame>(capacity: 0)
    /// A scaled 1080p frame takes 3 MB. Encoding takes longer than scaling, so one frame keeps the encoder busy.
    let output = BoundedQueue<TimedFrame>(capacity: 1)
  }

  private let scalings: [ScalingStage]
  private let threads: [StageThread]
  private let pushedCount = Atomic(0)

  /// Returns the number of scaling threads for a machine. Scaling is a tenth of the work, or a fifth with tone mapping.
  static func scalerCount(cores: Int) -> Int { min(max(cores / 4, 1), 4) }

  /// - Parameters:
  ///   - track: used only by the encoding thread, until `finish` or `cancel` returns.
  ///   - makeScaler: called once on each scaling thread.
  init(
    scalerCount: Int, track: EncodedTrack, makeScaler: @escaping @Sendable () throws -> FrameScaler
  ) {
    let scalings = (0..<max(scalerCount, 1)).map { _ in ScalingStage() }
    self.scalings = scalings
    let stop: @Sendable (any Error) -> Void = { error in FramePipeline.stop(scalings, with: error) }
    threads =
      scalings.map { scaling in
        StageThread(named: "bsc scale", onFailure: stop) {
          let scaler = try makeScaler()
          while let timed = try scaling.input.pop() {
            var scaled = timed
            scaled.frame = try scaler.scale(timed.frame)
            try scaling.output.push(scaled)
          }
          scaling.output.end()
        }
      } + [
        StageThread(named: "bsc encode", onFailure: stop) {
          // Frames are distributed to the scalers in rotation, so reading from the scalers in rotation preserves the
          // order.
          var index = 0
          while let timed = try scalings[index % scalings.count].output.pop() {
            index += 1
            try track.encode(timed)
          }
          try track.finish()
        }
      ]
  }

  private static func stop(_ scalings: [ScalingStage], with error: any Error) {
    for scaling in scalings {
      scaling.input.fail(error)
      scaling.output.fail(error)
    }
  }

  /// Adds a frame to the pipeline, and blocks while the stages are busy. Don't use the frame after this call.
  /// - Throws: the error of a stage that has failed.
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

  /// Stops all stages and waits until their threads have ended.
  func cancel() {
    FramePipeline.stop(scalings, with: CancellationError())
    for thread in threads { try? thread.join() }
  }
}
