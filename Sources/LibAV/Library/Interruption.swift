import CFFmpeg
import Synchronization

/// A flag that interrupts libav's blocking calls. libav polls the flag through `AVIOInterruptCB` and returns
/// `AVERROR_EXIT`.
public final class Interruption: Sendable {
  private let flag = Atomic<Bool>(false)

  public init() {}

  public func interrupt() { flag.store(true, ordering: .relaxed) }

  public var isInterrupted: Bool { flag.load(ordering: .relaxed) }

  /// The callback for libav, which is valid only while this object exists. Callers that pass the callback to libav must
  /// retain the object.
  var callback: AVIOInterruptCB {
    AVIOInterruptCB(
      callback: { opaque in
        guard let opaque else { return 0 }
        return Unmanaged<Interruption>.fromOpaque(opaque).takeUnretainedValue().isInterrupted ? 1 : 0
      },
      opaque: Unmanaged.passUnretained(self).toOpaque())
  }

  /// Throws `CancellationError` if interrupted. Call this method in loops, between libav calls.
  public func check() throws(CancellationError) {
    if isInterrupted { throw CancellationError() }
  }
}
