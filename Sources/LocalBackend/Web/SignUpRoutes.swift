import ClipModel
import Foundation
import GRDB
import Hummingbird
import Social

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
    let name = (fields["name"] ?? "").trimmingCharacters(in: .whitespacesAndNewlines)
    if name.isEmpty { return page(fields, request, visitor, notice: "Enter your name.") }
    let email = (fields["email"] ?? "").trimmingCharacters(in: .whitespaces).lowercased()
    guard AuthRoutes.isEmailAddress(email) else {
      return page(fields, request, visitor, notice: "Enter an email address, such as ann@example.org.")
    }
    let born = try ColumnType.date.value(text: fields["born"] ?? "")
    // Before the password is hashed, which is expensive.
    try await site.rows.store.database.read { db in try AgeRules.requireAge(born, db) }
    let shownName = JSONValue(.string(String(name.prefix(SocialLimits.displayNameLength))), at: 0)
    let user = try await server.auth.createAccount(
      email: email, password: fields["password"] ?? "",
      JSONValue(.object([JSONMember(key: "full_name", value: shownName)]), at: 0), birthDate: born)
    let next = LocalPath.redirectTarget(fields["next"])
    if let reaction = Reaction(fields) {
      do {
        try await ReactionRoutes(site: site).perform(reaction, for: .user(user.id))
      } catch {
        // The sign-in must not repeat a reaction that is refused.
        return site.signInPage(
          request, visitor, next: next, email: email,
          notice: "Your account was created, but \(reaction.noun) was rejected. Sign in to continue.")
      }
    }
    return try await site.beginSession(for: user.id, visitor, request, next: next)
  }

  private static func reason(for failure: AuthFailure) -> String {
    switch failure.code {
    case AuthRoutes.alreadyRegistered.code: "This email address already has an account."
    case "weak_password": "The password needs at least \(PasswordHash.minimumLength) characters."
    default: "The password can have at most \(PasswordHash.maximumByteCount) bytes."
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
