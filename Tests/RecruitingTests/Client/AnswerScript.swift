import Foundation
import Recruiting
import Synchronization

/// Answers each request with the next response, and records the requests.
final class AnswerScript: RecruitingTransport {
  private let requests = Mutex<[RecruitingRequest]>([])
  private let responses: Mutex<[RecruitingResponse]>

  init(_ responses: (Int, String)...) {
    self.responses = Mutex(responses.map { RecruitingResponse(status: $0.0, body: Data($0.1.utf8)) })
  }

  func send(_ request: RecruitingRequest) async throws -> RecruitingResponse {
    requests.withLock { $0.append(request) }
    return responses.withLock { $0.isEmpty ? RecruitingResponse(status: 500, body: Data()) : $0.removeFirst() }
  }

  var api: RecruitingAPI { RecruitingAPI(transport: self) }
  var sent: [RecruitingRequest] { requests.withLock { $0 } }
  /// The bodies of the requests, as text.
  var bodies: [String] { sent.map { $0.body.map { String(decoding: $0, as: UTF8.self) } ?? "" } }
}
