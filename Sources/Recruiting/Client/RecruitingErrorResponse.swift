internal import RowRequests

extension RecruitingError {
  /// The error of a response whose status isn't 2xx.
  init(_ response: RowResponse, of request: RowRequest) {
    let body = ErrorBody(response.body)
    let facts = ["operation": request.operation, "reason": body.reason]
    switch response.status {
    case 401: self.init(.notAuthorized, facts)
    // PostgreSQL's text contains only the name of the table.
    case 403 where body.reason.contains("row-level security"):
      self.init(.forbidden, ["operation": request.operation, "reason": "your role in the family doesn't allow it"])
    case 403: self.init(.forbidden, facts)
    case 404 where !body.isMissingFeature: self.init(.notFound, ["operation": request.operation])
    // The row that the new row refers to doesn't exist.
    case 409 where body.code == "23503": self.init(.notFound, ["operation": request.operation])
    case 409 where body.hint == "sync_lost": self.init(.syncLost, ["operation": request.operation])
    case 409: self.init(.conflict, facts)
    case 410: self.init(.gone, facts)
    case 429:
      self.init(.rateLimited, ["operation": request.operation, "seconds": "\(body.hint.flatMap { Int($0) } ?? 300)"])
    case 408, 425, 500...599:
      let reason = "the backend responded with \(response.status): \(body.reason)"
      self.init(.unreachable, ["operation": request.operation, "reason": reason])
    case 400, 422: self.init(.invalid, facts)
    default: self.init(.refused, facts.merging(["status": "\(response.status)"]) { $1 })
    }
  }
}
