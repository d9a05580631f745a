import CFFmpeg
import Synchronization

/// A flag that stops libav's blocking calls: they poll it through `AVIOInterruptCB` and answer `AVERROR_EXIT`.
public final class Interruption: Sendable {
  private let flag = Atomic<Bool>(false)

  public init() {}

  public func interrupt() { flag.store(true, ordering: .relaxed) }

  public var isInterrupted: Bool { flag.load(ordering: .relaxed) }

  /// Valid as long as the object lives: whoever hands it to libav keeps the object.
  var callback: AVIOInterruptCB {
    AVIOInterruptCB(
      callback: { opaque in
        guard let opaque else { return 0 }
        return Unmanaged<Interruption>.fromOpaque(opaque).takeUnretainedValue().isInterrupted ? 1 : 0
      },
      opaque: Unmanaged.passUnretained(self).toOpaque())
  }

  /// Throws `CancellationError` once interrupted; for loops between libav calls.
  public func check() throws(CancellationError) {
    if isInterrupted { throw CancellationError() }
  }
}
