import ClipModel
import Foundation
import ShareEngine

/// A share whose clip is there, and whose highlight nobody waited for.
struct PendingDocument: Encodable {
  var schema = "bsc.share/1"
  var status = "uploaded"
  var input: String
  var job: String
  /// The id that the highlight will have; on the backend mux the beginning of the asset's `passthrough`.
  var highlightID: String
  /// The backend's id of the upload.
  var uploadID: String
  /// A command that waits for it and shows it.
  var look: String
  var bytes: ShareDocument.Sizes
  var removed: [String]
  var notes: [String]

  init(job: ShareJob, clip: ProcessedClip, receipt: UploadReceipt, input: String) {
    self.input = input
    self.job = job.id.uuidString.lowercased()
    highlightID = job.highlightID.uuidString.lowercased()
    uploadID = receipt.uploadID
    look = "bsc resume \(self.job.prefix(8))"
    bytes = ShareDocument.Sizes(before: job.source.byteCount, after: clip.byteCount)
    removed = clip.removed
    notes = clip.notes
  }

  var text: StyledText {
    var lines: [StyledText] = ["\("uploaded \(highlightID)", .strong), not waited for"]
    lines += [
      .fact("clip", .whole(input.onOneLine)), .fact("size", StyledText(bytes.text)), .fact("look", StyledText(look)),
    ]
    return lines.lines
  }
}
