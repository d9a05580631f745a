import ClipModel
import Foundation
import ShareEngine

extension ShareStep {
  /// Returns the result of a step on one line, for example `upload    4.9 MB sent (3.1 s)`.
  func summarize(_ job: ShareJob, time: Duration) -> String {
    let result =
      switch job.stage {
      case .probed(let probe):
        [
          probe.mainVideo.map { "\($0.codec) \($0.shownSize)" }, probe.durationSeconds.map { "\(decimal($0)) s" },
          ByteCount.text(probe.byteCount),
          probe.locationCarriers.isEmpty ? nil : "location in \(probe.locationCarriers.count.withNoun("place"))",
        ].compactMap(\.self).joined(separator: ", ")
      case .planned(let plan, _):
        // The line names only an early upload.
        (plan.decisions + [plan.placesIndexAtEnd == true ? plan.upload : nil].compactMap(\.self))
          .map(\.what).joined(separator: "; ")
      case .processed(let clip), .uploading(let clip, _):
        "\(ByteCount.text(job.source.byteCount)) became \(ByteCount.text(clip.byteCount))"
      case .uploaded(_, let receipt): "\(ByteCount.text(receipt.byteCount)) sent"
      case .registered(let highlight, _): "highlight \(highlight.id.uuidString.lowercased())"
      case .rejected: "rejected"
      case .cancelled: "canceled"
      case .queued: ""
      }
    return rawValue.padded(10) + result + " (\(decimal(time.seconds)) s)"
  }
}
