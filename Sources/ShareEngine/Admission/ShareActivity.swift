package import ClipModel
package import Foundation
import Highlights

/// An event in a run of `share` or `resume`. Events are reported on any thread.
package enum ShareActivity: Sendable {
  /// Progress of a job.
  case job(ShareEvent)
  /// Work on the job has ended, successfully or not.
  case closed(UUID)
  /// A note that is not about a specific job.
  case note(String)
  /// The clips are already shared as this highlight. Nothing is sent.
  case existing([String], Highlight, HighlightLinks)
  /// The final result of a highlight or of one clip.
  case result(ShareResult)
  /// A share has ended. The category is set if it was rejected.
  case finished(FailureCategory?)
  /// A share failed. `subject` is its clip as the user wrote it, or empty.
  case failed(any ExplainedError, subject: String)
  /// A share was rejected before it started, because of these clips. `subject` as in `failed`.
  case refused(ShareRefusal, clips: [String], subject: String)
  /// The clips were already shared with the same options.
  case alreadyShared([String])
  /// A clip has the same contents as an earlier one of this run.
  case duplicate(String, of: String)
  /// The run has more highlights than the backend currently accepts.
  case rateLimited(ShareAllowance, count: Int)
  /// `resume` cannot reach the backend and retries after this time.
  case waitingForNetwork(seconds: Int)

  /// Creates the event for a failed share. Its subject is the clip that the error names, or all clips of the share.
  static func failure(_ error: any ExplainedError, files: [String]) -> ShareActivity {
    .failed(error, subject: subject(of: error.explanation, files: files))
  }

  static func subject(of explanation: Explanation, files: [String]) -> String {
    guard let first = files.first, files.count > 1 else { return files.first ?? "" }
    let names = files.filter { explanation.what.contains(($0 as NSString).lastPathComponent) }
    // The longest match wins, because `a.mp4` is also a part of `aa.mp4`.
    return names.max { ($0 as NSString).lastPathComponent.count < ($1 as NSString).lastPathComponent.count }
      ?? "\(first) and \(files.count - 1) more"
  }
}

/// The result of a highlight, or of one of its clips that was rejected.
package struct ShareResult: Sendable {
  /// For a finished highlight, all of its jobs in order; otherwise one job.
  package var jobs: [ShareJob]
  /// The paths as the user wrote them, in the order of the jobs.
  package var inputs: [String]
  /// The URLs of a finished highlight.
  package var links: HighlightLinks?
  /// Whether the URLs work after this process has ended.
  package var isReachable: Bool

  /// Why the clip was rejected, if it was.
  package var refusal: FailureCategory? {
    switch jobs[0].stage {
    case .registered, .uploaded, .cancelled: nil
    case .rejected: .rejected
    case .queued, .probed, .planned, .processed, .uploading: .unexpected
    }
  }

  /// One result for a finished highlight, otherwise one for each clip.
  static func all(of jobs: [ShareJob], inputs: [String], connection: BackendConnection) async throws -> [ShareResult] {
    let isReachable = await !connection.isEmbedded
    if case .registered(let highlight, _)? = jobs.first?.stage, jobs.allSatisfy(\.stage.isRegistered) {
      let links = try await connection.links(to: highlight)
      return [ShareResult(jobs: jobs, inputs: inputs, links: links, isReachable: isReachable)]
    }
    return zip(jobs, inputs).map { ShareResult(jobs: [$0], inputs: [$1], isReachable: isReachable) }
  }
}
