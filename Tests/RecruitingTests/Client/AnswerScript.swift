import Foundation
import Recruiting
import RowRequests
import Synchronization

/// Answers each request with the next response, and records the requests.
final class AnswerScript: RowTransport {
  private let requests = Mutex<[RowRequest]>([])
  private let responses: Mutex<[RowResponse]>

  init(_ responses: (Int, String)...) {
    self.responses = Mutex(responses.map { RowResponse(status: $0.0, body: Data($0.1.utf8)) })
  }

  func send(_ request: RowRequest) async throws -> RowResponse {
    requests.withLock { $0.append(request) }
    return responses.withLock { $0.isEmpty ? RowResponse(status: 500, body: Data()) : $0.removeFirst() }
  }

  var api: RecruitingAPI { RecruitingAPI(transport: self) }
  var sent: [RowRequest] { requests.withLock { $0 } }
  /// The bodies of the requests, as text.
  var bodies: [String] { sent.map { $0.body.map { String(decoding: $0, as: UTF8.self) } ?? "" } }
}
