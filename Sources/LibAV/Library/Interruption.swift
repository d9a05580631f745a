import CFFmpeg
import Synchronization

/// A flag that interrupts libav's blocking calls: they poll it through `AVIOInterruptCB` and return `AVERROR_EXIT`.
public final class Interruption: Sendable {
  private let flag = Atomic<Bool>(false)

  public init() {}

  public func interrupt() { flag.store(true, ordering: .relaxed) }

  public var isInterrupted: Bool { flag.load(ordering: .relaxed) }

  /// Valid as long as this object lives; callers that pass it to libav must keep the object.
  var callback: AVIOInterruptCB {
    AVIOInterruptCB(
      callback: { opaque in
        guard let opaque else { return 0 }
        return Unmanaged<Interruption>.fromOpaque(opaque).takeUnretainedValue().isInterrupted ? 1 : 0
      },
      opaque: Unmanaged.passUnretained(self).toOpaque())
  }

  /// Throws `CancellationError` once interrupted. Call this in loops between libav calls.
  public func check() throws(CancellationError) {
    if isInterrupted { throw CancellationError() }
  }
}
