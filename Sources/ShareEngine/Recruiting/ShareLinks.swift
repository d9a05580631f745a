#if Recruiting
package import ClipModel
import Foundation
package import Recruiting

extension RecruitingSession {
  /// Finds the coaches to whom a share sends its highlight. Fails like `send`, but before any work is done.
  /// - Parameters:
  ///   - names: the coaches' names or IDs.
  ///   - family: the family's name or ID, or `nil` for the active family.
  /// - Returns: the coaches without repetitions, by last name.
  /// - Throws: `ShareEngineError` if links have no public address or the family is ambiguous, and `RecruitingError` if
  ///   the account is not an athlete of the family, or if a coach is unknown or ambiguous.
  package func recipients(
    named names: [String], in family: String?, by channel: HighlightLink.Channel
  ) async throws -> (recipients: HighlightRecipients, coaches: [Coach]) {
    try await requireBaseURL()
    let family = try await self.family(family)
    let account = try await account
    let member = try await api.members(of: family.id).first { $0.userId.lowercased() == account }
    guard member?.role == .athlete else {
      throw RecruitingError(
        .forbidden, ["operation": "send the highlight", "reason": "only members with the role athlete may do this"])
    }
    let all = try await api.coaches(of: family.id)
    let ids = Set(try names.map { try Self.findCoach($0, in: all).id })
    return (
      HighlightRecipients(familyID: family.id, coachIDs: ids, channel: channel.rawValue),
      all.filter { ids.contains($0.id) }
    )
  }
}

extension ShareSession {
  /// Sends the highlight of finished jobs to their recipients, if it was not sent yet.
  ///
  /// The journal records the links after `confirmed` has returned, and the tokens are removed last. A process that is
  /// killed earlier is resumed with the same links.
  /// - Parameters:
  ///   - files: the clips as the user entered them, for errors.
  ///   - confirmed: shows the links to the user. It is also called if there are none.
  /// - Returns: the failure category of the first rejected link, or `nil` if none was rejected.
  func sendLinks(
    to jobs: [ShareJob], of files: [String], confirmed: ([CoachLink]) -> Void
  ) async throws -> FailureCategory? {
    guard let lead = jobs.first, lead.awaitsLinks, case .registered(let highlight, _) = lead.stage,
      let recipients = lead.request.recipients, let channel = HighlightLink.Channel(rawValue: recipients.channel)
    else {
      confirmed([])
      return nil
    }
    do {
      let recruiting = RecruitingSession(environment, connection: connection, transport: transport)
      let coaches = try await recruiting.api.coaches(of: recipients.familyID)
      let names = Dictionary(coaches.map { ($0.id, $0.fullName) }) { $1 }
      // In the order of the family's list.
      let known = coaches.map(\.id).filter(recipients.coachIDs.contains)
      let requests = (known + recipients.coachIDs.filter { !known.contains($0) }).map {
        LinkRequest(highlight, family: recipients.familyID, coach: $0, channel: channel)
      }
      return try await recruiting.send(requests, isOnce: true) { outcomes in
        func name(_ outcome: LinkOutcome) -> String { names[outcome.request.coach] ?? RecruitingTexts.unknownCoach }
        confirmed(
          outcomes.compactMap { outcome in
            (try? outcome.result.get()).map { sent in
              CoachLink(
                coach: name(outcome), coachID: sent.link.coachId, linkID: sent.link.id, address: sent.address,
                expiresAt: RecruitingDate.format(sent.link.expiresAt))
            }
          })
        var failures: [FailureCategory] = []
        for outcome in outcomes {
          guard case .failure(let error) = outcome.result else { continue }
          let operation = ["operation": "send the highlight to \(name(outcome))"]
          report(.makeFailureEvent(RecruitingError(error.id, error.facts.merging(operation) { $1 }), files: files))
          failures.append(error.explanation.category)
        }
        try await journal.save(jobs.map { $0.withLinksSent(at: SharePipeline.currentTimestamp()) })
        return failures.first
      }
    } catch let error as any ExplainedError {
      // Ignores further errors, because the journal itself may have failed.
      let failure = JobFailure(reason: error.explanation.why, at: SharePipeline.currentTimestamp())
      try? await journal.save(jobs.map { $0.stopped(by: failure) })
      throw error
    }
  }
}

extension ShareJob {
  fileprivate func withLinksSent(at seconds: Int64) -> ShareJob {
    var job = self
    (job.linksSentAt, job.setback, job.updatedAt) = (seconds, nil, seconds)
    return job
  }

  fileprivate func stopped(by failure: JobFailure) -> ShareJob {
    var job = self
    job.setback = failure
    return job
  }
}
#endif
