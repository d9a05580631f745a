internal import Foundation

extension RecruitingError {
  /// The error of a response whose status isn't 2xx.
  init(_ response: RecruitingResponse, of request: RecruitingRequest) {
    let body = ErrorBody(response.body)
    let facts = ["operation": request.operation, "reason": body.reason]
    switch response.status {
    case 401: self.init(.notAuthorized, facts)
    // PostgreSQL's text contains only the name of the table.
    case 403 where body.reason.contains("row-level security"):
      self.init(.forbidden, ["operation": request.operation, "reason": "your role in the family doesn't allow it"])
    case 403: self.init(.forbidden, facts)
    // A missing function or table is a backend without recruiting, not a missing row.
    case 404 where body.code?.hasPrefix("PGRST2") != true && body.code != "42P01" && body.code != "42883":
      self.init(.notFound, ["operation": request.operation])
    // The row that the new row refers to doesn't exist.
    case 409 where body.code == "23503": self.init(.notFound, ["operation": request.operation])
    case 409: self.init(.conflict, facts)
    case 410: self.init(.gone, facts)
    case 429: self.init(.rateLimited, ["operation": request.operation, "seconds": body.hint ?? "300"])
    case 408, 425, 500...599:
      let reason = "the backend responded with \(response.status): \(body.reason)"
      self.init(.unreachable, ["operation": request.operation, "reason": reason])
    case 400, 422: self.init(.invalid, facts)
    default: self.init(.refused, facts.merging(["status": "\(response.status)"]) { $1 })
    }
  }
}

/// The error in a response's body, in PostgREST's format.
private struct ErrorBody {
  let code: String?
  let hint: String?
  /// For display, with at most 300 characters and no control characters.
  let reason: String

  init(_ body: Data) {
    let json = try? JSONSerialization.jsonObject(with: body) as? [String: Any]
    code = json?["code"] as? String
    hint = (json?["hint"] as? String).flatMap { Int($0) == nil ? nil : $0 }
    let text = json?["message"] as? String ?? "no reason given"
    let scalars = text.unicodeScalars.filter { $0.value >= 32 && !(127..<160).contains($0.value) }
    reason = String(String.UnicodeScalarView(scalars.prefix(300)))
  }
}
