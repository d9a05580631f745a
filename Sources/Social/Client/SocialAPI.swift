public import Foundation
public import RowRequests

/// The HTTP API of Supabase and the local backend: PostgREST's rows and functions.
///
/// A repeated request changes nothing: rows are inserted with a key that makes a second insert fail, which counts as
/// success, and a decision about content has an ID. The transport doesn't repeat requests that succeed
/// only once, such as the withdrawal of a report.
public struct SocialAPI: SocialClient {
  private let transport: any RowTransport
  private let account: @Sendable () async throws -> UUID

  /// - Parameters:
  ///   - transport: sends the requests.
  ///   - account: returns the ID of the signed-in account, or throws an error if there is none. Called only for
  ///     operations that need an account.
  public init(transport: any RowTransport, account: @escaping @Sendable () async throws -> UUID) {
    (self.transport, self.account) = (transport, account)
  }

  // MARK: Requests

  /// Sends a request and returns the body of a response with status 2xx.
  @discardableResult
  func send(_ request: RowRequest) async throws -> Data {
    let response = try await exchange(request)
    guard (200..<300).contains(response.status) else { throw SocialError(response, of: request) }
    return response.body
  }

  private func exchange(_ request: RowRequest) async throws -> RowResponse {
    do { return try await transport.send(request) } catch let error as UnreachableError {
      throw SocialError.unreachable(operation: request.operation, reason: error.reason)
    }
  }

  func sendAndDecode<Value: Decodable>(_ request: RowRequest, as: Value.Type = Value.self) async throws -> Value {
    try Self.decode(try await send(request), request.operation)
  }

  static func decode<Value: Decodable>(_ body: Data, _ operation: String) throws(SocialError) -> Value {
    do {
      return try JSONDecoder().decode(Value.self, from: body)
    } catch {
      throw .unreadableAnswer(operation: operation, reason: describe(error))
    }
  }

  /// Inserts a row. If the row exists, an earlier attempt inserted it.
  func insertOnce(_ operation: String, into table: String, _ row: [String: RowValue]) async throws {
    let request = RowRequest.rows(
      operation, table, [], method: .post, headers: ["Prefer": "return=minimal"], body: try RowRequest.encodeJSON(row))
    let response = try await exchange(request)
    if (200..<300).contains(response.status) { return }
    if response.status == 409, ErrorBody(response.body).code == "23505" { return }
    throw SocialError(response, of: request)
  }

  /// Inserts a row that consists of its key, or deletes the row with this key.
  func setRow(
    _ operation: String, in table: String, _ key: [(String, String)], isOn: Bool
  ) async throws {
    if isOn {
      try await insertOnce(operation, into: table, Dictionary(uniqueKeysWithValues: key.map { ($0, .text($1)) }))
    } else {
      try await delete(operation, from: table, where: key.map { ($0, "eq.\($1)") })
    }
  }

  /// Inserts a row, or replaces the row with the same key.
  func upsert(_ operation: String, into table: String, on key: String, _ row: some Encodable) async throws {
    try await send(
      .rows(
        operation, table, [("on_conflict", key)], method: .post,
        headers: ["Prefer": "resolution=merge-duplicates,return=minimal"], body: try RowRequest.encodeJSON(row)))
  }

  /// Deletes the rows that match, if there are any.
  func delete(_ operation: String, from table: String, where query: [(String, String)]) async throws {
    try await send(.rows(operation, table, query, method: .delete))
  }

  /// The ID of the signed-in account.
  var me: UUID {
    get async throws { try await account() }
  }

  /// Describes where decoding failed, without revealing any values.
  private static func describe(_ error: any Error) -> String {
    let path = { (context: DecodingError.Context) in context.codingPath.map(\.stringValue).joined(separator: ".") }
    return switch error as? DecodingError {
    case .keyNotFound(let key, _): "the key \(key.stringValue) is missing"
    case .typeMismatch(_, let context): "\(path(context)) has the wrong type"
    case .valueNotFound(_, let context): "\(path(context)) is null"
    case .dataCorrupted(let context) where !context.codingPath.isEmpty: "\(path(context)) has an unknown value"
    default: "the body is not JSON"
    }
  }
}
