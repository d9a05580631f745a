import ClipModel
import Foundation
import GRDB
import Hummingbird

/// The route `/sign-up`, which creates an account with a date of birth, and signs it in.
struct SignUpRoutes: Sendable {
  let server: ServerDependencies

  private var site: PageSite { server.site }

  func add(to router: Router<BackendContext>) {
    router.get("sign-up") { request, _ in
      let next = LocalPath.redirectTarget(request.uri.queryParameters.get("next"))
      return page(["next": next], request, try await site.visitor(of: request))
    }
    router.post("sign-up") { request, context in
      let (visitor, fields) = try await site.form(request, context)
      // The sign-in page sends only the reaction.
      guard fields["email"] != nil else { return page(fields, request, visitor) }
      do {
        return try await signUp(fields, request, visitor)
      } catch let failure as AuthFailure {
        if failure.status == .tooManyRequests { throw PageFailure.tooManySignIns }
        return page(fields, request, visitor, notice: Self.reason(for: failure))
      } catch let failure as PostgRESTFailure where ["PT403", "22007", "23514"].contains(failure.code) {
        let reason =
          failure.code == "PT403"
          ? "You are too young for an account." : "Enter your date of birth, such as 2008-05-31."
        return page(fields, request, visitor, notice: reason)
      }
    }
  }

  private func signUp(
    _ fields: [String: String], _ request: Request, _ visitor: PageVisitor
  ) async throws -> Response {
    let email = (fields["email"] ?? "").trimmingCharacters(in: .whitespaces).lowercased()
    let data = JSONValue(
      .object([JSONMember(key: "full_name", value: JSONValue(.string(fields["name"] ?? ""), at: 0))]), at: 0)
    let user = try await server.auth.createAccount(
      email: email, password: fields["password"] ?? "", data,
      birthDate: try ColumnType.date.value(text: fields["born"] ?? ""))
    let next = LocalPath.redirectTarget(fields["next"])
    let response = try await site.beginSession(for: user.id, visitor, request, next: next)
    // A reaction that fails doesn't undo the sign-up.
    if let reaction = Reaction(fields) { try? await ReactionRoutes(site: site).perform(reaction, for: .user(user.id)) }
    return response
  }

  private static func reason(for failure: AuthFailure) -> String {
    switch failure.code {
    case AuthRoutes.alreadyRegistered.code: "This email address already has an account."
    case "weak_password": "The password needs at least \(PasswordHash.minimumLength) characters."
    default: "Check the email address, and use a password of at most \(PasswordHash.maximumByteCount) characters."
    }
  }

  private func page(
    _ fields: [String: String], _ request: Request, _ visitor: PageVisitor, notice: String? = nil
  ) -> Response {
    let reaction = Reaction(fields)
    return site.page(
      "signup",
      [
        "title": "Create an account", "next": LocalPath.redirectTarget(fields["next"]), "notice": notice,
        "name": fields["name"], "email": fields["email"], "born": fields["born"],
        "passwordLength": PasswordHash.minimumLength,
        "kept": (reaction?.fields ?? []).map { ["field": $0.name, "value": $0.value] },
      ], request, visitor, status: notice == nil ? .ok : .unprocessableContent)
  }
}
