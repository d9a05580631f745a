import Foundation
import LibAV
import Synchronization

/// A decoded picture with the time at which it is shown in the output.
///
/// `@unchecked Sendable`: it belongs to the one thread that has it, and is handed on whole.
struct TimedPicture: @unchecked Sendable {
  var frame: Frame
  /// In the source's time base.
  var ticks: Int64
}

/// From decoded pictures to written packets: scaling on one thread or more, encoding and writing on another, while the
/// caller decodes. Short queues between them hold back whoever is ahead, so that memory stays flat.
///
/// `push`, `finish` and `abandon` belong to the caller's thread; one of the last two has to be called.
final class PictureLine: Sendable {
  private struct Scaling {
    /// A decoded 4K picture has 12 MB, one with 10 bits 25 MB. None waits: the decoder's own threads hold some already,
    /// and more would not be faster.
    let input = BoundedQueue<TimedPicture>(capacity: 0)
    let output = BoundedQueue<TimedPicture>(capacity: 2)
  }

  private let scalings: [Scaling]
  private let threads: [StageThread]
  private let pushedCount = Mutex(0)

  /// Threads that scale, of those a machine has: it is a tenth of the work, with tone mapping a fifth.
  static func scalerCount(cores: Int) -> Int { min(max(cores / 4, 1), 4) }

  /// - Parameters:
  ///   - makeScaler: called once on each scaling thread.
  ///   - track: belongs to the encoding thread from now on, until `finish` or `abandon` has returned.
  init(
    scalerCount: Int, track: EncodedTrack, makeScaler: @escaping @Sendable () throws -> FrameScaler
  ) {
    let scalings = (0..<max(scalerCount, 1)).map { _ in Scaling() }
    self.scalings = scalings
    let stop: @Sendable (any Error) -> Void = { error in PictureLine.stop(scalings, with: error) }
    threads =
      scalings.map { scaling in
        StageThread(named: "bsc scale", onFailure: stop) {
          let scaler = try makeScaler()
          while let picture = try scaling.input.pop() {
            try scaling.output.push(TimedPicture(frame: try scaler.scale(picture.frame), ticks: picture.ticks))
          }
          scaling.output.end()
        }
      } + [
        StageThread(named: "bsc encode", onFailure: stop) {
          // Each scaler gets every n-th picture, so taking from each in turn keeps the order.
          var turn = 0
          while let picture = try scalings[turn % scalings.count].output.pop() {
            turn += 1
            try track.encode(picture.frame, ticks: picture.ticks)
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

  /// Hands on a picture; waits while the stages behind are busy. The frame is the line's from now on.
  /// - Throws: what went wrong in a stage.
  func push(_ picture: TimedPicture) throws {
    let turn = pushedCount.withLock { count in
      defer { count += 1 }
      return count % scalings.count
    }
    try scalings[turn].input.push(picture)
  }

  /// Waits until everything that was pushed is written.
  /// - Throws: the first thing that went wrong in a stage.
  func finish() throws {
    for scaling in scalings { scaling.input.end() }
    var failure: (any Error)?
    for thread in threads {
      do { try thread.join() } catch { failure = failure ?? error }
    }
    if let failure { throw failure }
  }

  /// Stops all stages and waits until they have.
  func abandon() {
    PictureLine.stop(scalings, with: CancellationError())
    for thread in threads { try? thread.join() }
  }
}
