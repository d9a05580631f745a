package import ClipModel
package import Foundation

/// The clips of one highlight with their jobs, ready to be worked on.
package struct AdmittedShare: Sendable {
  /// As they were named, in the order of the jobs.
  var files: [String]
  var jobs: [ShareJob]
  var isContinued: Bool

  /// For a message: the clip that it is about, where its words name one, else all of them.
  static func name(of files: [String], in explanation: Explanation) -> String {
    guard let first = files.first, files.count > 1 else { return files.first ?? "" }
    // `a.mp4` is a part of `aa.mp4`, which says more.
    let named = files.filter { explanation.what.contains(($0 as NSString).lastPathComponent) }
    return named.max { ($0 as NSString).lastPathComponent.count < ($1 as NSString).lastPathComponent.count }
      ?? "\(first) and \(files.count - 1) more"
  }

  /// The shares of jobs that can continue, each once and whole.
  static func all(of jobs: [ShareJob], in journal: Journal) async throws -> [AdmittedShare] {
    var shares: [AdmittedShare] = []
    var seen: Set<UUID> = []
    for job in jobs where !seen.contains(job.id) {
      let all = try await journal.post(of: job)
      seen.formUnion(all.map(\.id))
      shares.append(AdmittedShare(files: all.map(\.source.path), jobs: all, isContinued: true))
    }
    return shares
  }
}

/// What a highlight came to, or one of its clips that was refused.
package struct ShareResult: Sendable {
  /// All jobs of a finished highlight, in order; else one.
  package var jobs: [ShareJob]
  /// As they were named, in the order of the jobs.
  package var inputs: [String]
  /// Of a finished highlight.
  package var links: HighlightLinks?
  /// The addresses can be opened after this process has ended.
  package var isReachable: Bool

  /// Why the clip was refused, if it was.
  package var refusal: FailureCategory? {
    switch jobs[0].stage {
    case .registered, .uploaded, .cancelled: nil
    case .rejected: .rejected
    case .queued, .probed, .planned, .processed, .uploading: .unexpected
    }
  }

  /// One result for a finished highlight, else one for each clip.
  static func all(of jobs: [ShareJob], inputs: [String], link: BackendConnection) async throws -> [ShareResult] {
    let isReachable = await !link.isEmbedded
    if case .registered(let highlight, _)? = jobs.first?.stage, jobs.allSatisfy(\.stage.isRegistered) {
      let links = try await link.links(to: highlight)
      return [ShareResult(jobs: jobs, inputs: inputs, links: links, isReachable: isReachable)]
    }
    return zip(jobs, inputs).map { ShareResult(jobs: [$0], inputs: [$1], isReachable: isReachable) }
  }
}

/// What happens while highlights are shared, on any thread.
package enum ShareActivity: Sendable {
  /// Progress of a job.
  case job(ShareEvent)
  /// A job is no longer worked on, however it ended.
  case closed(UUID)
  /// A note that belongs to no job.
  case note(String)
  /// The clips are a highlight already; nothing is sent.
  case existing([String], Highlight, HighlightLinks)
  /// One highlight or clip has come to its end.
  case result(ShareResult)
  /// A share has ended, and why it was refused, if it was.
  case finished(FailureCategory?)
  /// A share failed; `subject` is its clip as it was named, or empty.
  case failed(any ExplainedError, subject: String)
  /// A share is refused before it starts, because of these of its clips; `subject` as in `failed`.
  case refused(ShareRefusal, clips: [String], subject: String)
  /// The clips are a highlight with the same request already.
  case sharedBefore([String])
  /// A clip has the same contents as an earlier one of this run.
  case repeated(String, of: String)
  /// The highlights of this run need more than the backend accepts now.
  case paced(ShareAllowance, count: Int)
  /// Of a resumed run: the backend cannot be reached, and is tried again after these seconds.
  case waiting(seconds: Int)
}
