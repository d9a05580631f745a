package import ClipModel
import DurableFiles
package import Foundation
import Highlights

/// An event during a `share` or `resume` run. Events can arrive on any thread.
package enum ShareActivity: Sendable {
  /// The progress of a single job.
  case job(ShareEvent)
  /// Processing of the job with this ID has ended, successfully or not.
  case closed(UUID)
  /// A note that doesn't concern a specific job.
  case note(String)
  /// The clips were already shared as this highlight, so nothing is uploaded.
  case existing([String], Highlight, HighlightLinks)
  /// The final result for a highlight, or for a single clip that was rejected.
  case result(ShareResult)
  /// A share has ended. If it was rejected, the associated value is the failure category.
  case finished(FailureCategory?)
  /// A share failed. `subject` is the clip's path as the user entered it, or an empty string.
  case failed(any ExplainedError, subject: String)
  /// A share was rejected before it started, because of `clips`. `subject` is the clip's path as the user entered it.
  case refused(ShareRefusal, clips: [String], subject: String)
  /// The clips were already shared with the same options.
  case alreadyShared([String])
  /// A clip is identical to an earlier clip in this run.
  case duplicate(String, of: String)
  /// The run has more highlights than the backend currently accepts.
  case rateLimited(ShareAllowance, count: Int)
  /// `resume` cannot reach the backend and retries after the given number of seconds.
  case waitingForNetwork(seconds: Int)

  /// Creates the event for a failed share. Its subject is the clip that the error mentions; otherwise, all clips of the
  /// share.
  static func makeFailureEvent(_ error: any ExplainedError, files: [String]) -> ShareActivity {
    .failed(error, subject: failureSubject(of: error.explanation, files: files))
  }

  static func failureSubject(of explanation: Explanation, files: [String]) -> String {
    guard let first = files.first, files.count > 1 else { return files.first ?? "" }
    let path = explanation.facts["file"].map(absolutePath)
    return files.first { absolutePath($0) == path }
      ?? files.first { ($0 as NSString).lastPathComponent == explanation.facts["file"] }
      ?? files.first(where: explanation.names) ?? "\(first) and \(files.count - 1) more"
  }
}

/// A link that a share has sent to a coach.
package struct CoachLink: Sendable {
  /// The coach's name.
  package let coach: String
  package let coachID: String
  package let linkID: String
  /// The address, which contains a secret; `nil` if the link was sent before.
  package let address: String?
  /// In the format of ISO 8601.
  package let expiresAt: String
}

/// The result for a highlight, or for a clip that did not become part of a highlight.
package struct ShareResult: Sendable {
  /// All jobs of a finished highlight, in order; otherwise, a single job.
  package var jobs: [ShareJob]
  /// The clip paths as the user entered them, in the same order as `jobs`.
  package var inputs: [String]
  /// The URLs of the finished highlight, or `nil` if there is none.
  package var links: HighlightLinks?
  /// Whether the URLs still work after this process exits.
  package var isReachable: Bool
  /// The links that were sent to coaches.
  package var coachLinks: [CoachLink] = []

  /// The category of the rejection, or `nil` if the clip was not rejected.
  package var refusal: FailureCategory? {
    switch jobs[0].stage {
    case .registered, .uploaded, .cancelled: nil
    case .rejected: .rejected
    case .queued, .probed, .planned, .processed, .uploading: .unexpected
    }
  }

  /// Returns one result for a finished highlight; otherwise, one result for each clip.
  static func makeResults(for jobs: [ShareJob], inputs: [String], connection: BackendConnection) async throws
    -> [ShareResult]
  {
    let isReachable = await !connection.isEmbedded
    if case .registered(let highlight, _)? = jobs.first?.stage, jobs.allSatisfy(\.stage.isRegistered) {
      let links = try await connection.links(to: highlight)
      return [ShareResult(jobs: jobs, inputs: inputs, links: links, isReachable: isReachable)]
    }
    return zip(jobs, inputs).map { ShareResult(jobs: [$0], inputs: [$1], isReachable: isReachable) }
  }
}
