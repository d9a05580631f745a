public import ClipModel
import Highlights

/// A share of one to ten clips: nothing is sent before every clip is made, and nothing is registered before all are sent.
extension SharePipeline {
  /// Works on all clips of a share until they are final. The caller holds the locks, reports the result, and then calls
  /// `tidy`.
  /// - Returns: the jobs in their order; rejected ones carry the findings.
  /// - Throws: what stopped it; the jobs are stored as far as they got, with the reason.
  public func run(_ jobs: [ShareJob]) async throws -> [ShareJob] {
    let made = try await make(jobs)
    return made.contains(where: \.stage.isRejected) ? made : try await send(made)
  }

  /// The first half: probes, plans and processes all clips. It keeps the machine busy by itself, so one at a time is
  /// enough.
  /// - Returns: the jobs in their order, as far as they got: when one is refused, the others are cancelled.
  /// - Throws: what stopped the work; when that is a clip nobody can use, the others are cancelled too.
  public func make(_ jobs: [ShareJob]) async throws -> [ShareJob] {
    guard isWhole(jobs) else {
      try await takeBack(jobs)
      throw PostError.incomplete
    }
    // All are judged before work is spent on any of them.
    let judged = try await each(jobs) { try await judgeClip($0) }
    guard !judged.contains(where: \.stage.isRejected) else { return try await takeBack(judged) }
    let made = try await each(judged) { try await makeClip($0) }
    guard !made.contains(where: \.stage.isRejected) else { return try await takeBack(made) }
    return made
  }

  /// The second half: uploads all clips, so many at a time as `sending` allows, then waits for their highlight unless
  /// ``waitsForHighlight`` is false. Several shares may be sent at once, so that the next one is made meanwhile.
  /// - Throws: the first failure, after the other uploads have ended.
  public func send(_ jobs: [ShareJob]) async throws -> [ShareJob] {
    // One that is on its way has its place already.
    if jobs.count > 1, let first = jobs.first, jobs.allSatisfy({ $0.stage.uploadID == nil && !$0.stage.isFinal }) {
      try await paced(first, isPost: true) {}
    }
    let results = try await withThrowingTaskGroup(of: (Int, Result<ShareJob, any Error>).self) { group in
      for (index, job) in jobs.enumerated() {
        group.addTask {
          do {
            return (index, .success(try await sendClip(job, registers: false)))
          } catch let error as any ExplainedError {
            return (index, .failure(error))
          }
        }
      }
      return try await group.reduce(into: [:]) { $0[$1.0] = $1.1 }
    }
    let sent: [ShareJob]
    do {
      sent = try jobs.indices.map { index in try results[index]?.get() ?? jobs[index] }
    } catch {
      try await endTogether(jobs)
      throw error
    }
    return waitsForHighlight ? try await register(sent) : sent
  }

  /// One after the other: they become ready together.
  private func register(_ jobs: [ShareJob]) async throws -> [ShareJob] {
    var registered: [ShareJob] = []
    var failures: [any ExplainedError] = []
    for job in jobs {
      do {
        registered.append(try await sendClip(job, registers: true))
      } catch let error as HighlightsError {
        // The post has ended: each of its jobs has to hear of it.
        guard error.judgesClip || error.asksForNewUpload else { throw error }
        failures.append(error)
      }
    }
    // The clip that caused the failure has the most useful error.
    let reason = failures.first { $0.explanation.id != "highlight.post-failed" } ?? failures.first
    if let reason {
      try await endTogether(jobs)
      throw reason
    }
    return registered
  }

  /// Where one job of a post is over without a highlight, the others are too.
  private func endTogether(_ jobs: [ShareJob]) async throws {
    var current: [ShareJob] = []
    for job in jobs { current.append(try await journal.load(job.id) ?? job) }
    if current.contains(where: { $0.stage.isRejected || $0.stage == .cancelled }) { try await takeBack(current) }
  }

  private func isWhole(_ jobs: [ShareJob]) -> Bool {
    if jobs.allSatisfy({ $0.post == nil || $0.stage.isRegistered }) { return true }
    return jobs.count == jobs.first?.post?.count && !jobs.contains { $0.stage.isRejected || $0.stage == .cancelled }
  }

  /// - Throws: what `work` throws; a clip that nobody can use ends the post.
  private func each(_ jobs: [ShareJob], _ work: (ShareJob) async throws -> ShareJob) async throws -> [ShareJob] {
    var done: [ShareJob] = []
    for job in jobs {
      do {
        done.append(try await work(job))
      } catch let error as any ExplainedError {
        try await endTogether(jobs)
        throw error
      }
    }
    return done
  }

  /// The jobs as they are now: those that are not over are cancelled, here and at the backend.
  @discardableResult
  private func takeBack(_ jobs: [ShareJob]) async throws -> [ShareJob] {
    var ended: [ShareJob] = []
    for job in jobs {
      guard !job.stage.isFinal else {
        ended.append(job)
        tidy(job)
        continue
      }
      // The backend gives up by itself what it does not hear of.
      if let upload = job.stage.uploadID { try? await backend.cancelUpload(upload) }
      let cancelled = try await store(job, at: .cancelled)
      report(.noted(job.id, "taken back with its post"))
      tidy(cancelled)
      ended.append(cancelled)
    }
    return ended
  }
}

/// Why a post of several clips is not shared.
package enum PostError: ExplainedError {
  /// A clip of it was taken back, refused or forgotten.
  case incomplete
  /// The rules refuse so many of its clips.
  case refused(count: Int, of: Int)

  package var explanation: Explanation {
    switch self {
    case .incomplete:
      Explanation(
        id: "share.post-incomplete", what: "cannot continue with a post of several clips",
        why: "one of them was cancelled, refused or forgotten, so the others are cancelled too", category: .rejected)
    case .refused(let count, let total):
      Explanation(
        id: "share.post-refused", what: "cannot share \(total) clips together",
        why: "\(count == 1 ? "one of them is" : "\(count) of them are") refused; nothing was sent",
        facts: ["refused": "\(count)", "clips": "\(total)"], category: .rejected)
    }
  }
}
