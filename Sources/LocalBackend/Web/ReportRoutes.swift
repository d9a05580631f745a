import ClipModel
import Crypto
import Foundation
import Hummingbird

/// The pages `/batches` and `/batches/{number}`, which show the batch reports that the server was started with. Only
/// the owner can access them.
struct ReportRoutes: Sendable {
  let site: PageSite
  let reports: [ServedReport]

  func add(to router: Router<BackendContext>) {
    router.get("batches") { request, _ in
      let visitor = try await site.visitor(of: request)
      try visitor.requireOwner()
      let links = reports.enumerated().map { ["number": $0 + 1, "reportName": $1.name] as [String: Any] }
      return site.page("batches", ["title": "Batches", "reports": links], request, visitor)
    }
    router.get("batches/:number") { request, context in
      try (try await site.visitor(of: request)).requireOwner()
      guard let number = parseDecimal(try context.parameters.require("number")[...]), number >= 1,
        number <= reports.count
      else {
        throw PageFailure.notFound
      }
      do {
        let text = try await reports[Int(number) - 1].html()
        var response = PageSite.html(text)
        response.headers[.contentSecurityPolicy] = Self.policy(for: text)
        return response
      } catch let error as any ExplainedError {
        throw PageFailure(
          status: .internalServerError, heading: "Cannot read this report", text: error.explanation.why)
      }
    }
  }

  /// Returns the content security policy for a document with an embedded style sheet, which the policy allows by its
  /// digest.
  private static func policy(for html: String) -> String {
    var style = "'none'"
    if let begin = html.range(of: "<style>"), let end = html.range(of: "</style>") {
      let digest = SHA256.hash(data: Data(html[begin.upperBound..<end.lowerBound].utf8))
      style = "'sha256-\(Data(digest).base64EncodedString())'"
    }
    return """
      default-src 'none'; style-src \(style); img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'
      """
  }
}
