#if Recruiting
import ClipModel
import Foundation
import Hummingbird
import Recruiting

/// Syncs started by the page `/social`, and by `POST /api/social/sync`. The tokens for X and Instagram belong to the owner
/// of the server, so only the owner starts a sync.
struct SyncRoutes: Sendable {
  let site: RecruitingSite

  private var server: ServerDependencies { site.server }

  func add(to router: Router<BackendContext>) {
    router.post("social/sync") { request, context in
      let (member, _) = try await site.form(request, context)
      try member.visitor.requireOwner()
      switch try await sync(member.family.id) {
      case .success(let count): return PageSite.redirect(to: member.path("/social", [("synced", "\(count)")]))
      case .failure(let problem):
        return try await PostPages(site: site).list(member, problem: problem.text, status: problem.status)
      }
    }
    router.post("api/social/sync") { request, _ in
      let user = try await server.callers.user(of: request)
      guard user == Caller.localUserID else {
        throw BackendFailure(.forbidden, "not_allowed", "only the owner of the server can sync a family's posts")
      }
      let families: [FamilyUnit] = try await RecruitingRows(server: server, caller: .user(user)).all(
        "family_units", "select=*&order=created_at,id")
      let wanted = request.uri.queryParameters.get("family")?.lowercased()
      guard let family = families.first(where: { wanted == nil || $0.id == wanted }) else {
        throw BackendFailure(.notFound, "not_found", "the owner of the server is not a member of the family")
      }
      switch try await sync(family.id) {
      case .success(let count):
        let answer: JSONObject = [
          "success": true, "message": RecruitingTexts.synced(count), "newPostCount": count,
        ]
        return try Response.json(answer, keys: .useDefaultKeys)
      case .failure(let problem): throw BackendFailure(problem.status, "sync_failed", problem.text)
      }
    }
  }

  private struct Problem: Error {
    var status: HTTPResponse.Status
    var text: String
  }

  /// - Returns: the number of new posts, or why there was no sync.
  private func sync(_ family: String) async throws -> Result<Int, Problem> {
    guard let syncPosts = server.configuration.syncPosts else { throw PageFailure.notFound }
    do {
      return .success(try await syncPosts(family))
    } catch let error as RecruitingError where error.id == .rateLimited {
      return .failure(Problem(status: .tooManyRequests, text: RecruitingTexts.syncLimit))
    } catch let error as any ExplainedError {
      let status: HTTPResponse.Status = (error as? RecruitingError)?.id == .syncLost ? .conflict : .badGateway
      return .failure(Problem(status: status, text: RecruitingTexts.syncFailed(error.explanation.why)))
    }
  }
}
#endif
