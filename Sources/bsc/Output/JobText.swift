import ClipModel
import Foundation
import ShareEngine

/// What an arrow came to, in a line.
enum JobText {
  /// `upload    4.9 MB confirmed (3.1 s)`.
  static func done(_ arrow: ShareStep, job: ShareJob, time: Duration) -> String {
    let seconds = decimal(time.seconds)
    let what: String
    switch job.stage {
    case .probed(let probe):
      let video = probe.mainVideo
      what = [
        video.map { "\($0.codec) \($0.shownSize)" }, probe.durationSeconds.map { "\(decimal($0)) s" },
        ByteCount.text(probe.byteCount),
        probe.locationCarriers.isEmpty ? nil : "location in \(probe.locationCarriers.count.counting("place"))",
      ].compactMap { $0 }.joined(separator: ", ")
    case .planned(let plan, _): what = plan.decisions.map(\.what).joined(separator: "; ")
    case .processed(let clip): what = "\(ByteCount.text(job.source.byteCount)) became \(ByteCount.text(clip.byteCount))"
    case .uploaded(_, let receipt): what = "\(ByteCount.text(receipt.byteCount)) confirmed"
    case .registered(let highlight, _): what = "highlight \(highlight.id.uuidString.lowercased())"
    case .rejected: what = "refused"
    case .cancelled: what = "cancelled"
    case .queued, .uploading: what = ""
    }
    return arrow.rawValue.padded(10) + what + " (\(seconds) s)"
  }
}
