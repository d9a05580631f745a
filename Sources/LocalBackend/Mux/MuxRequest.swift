import Foundation
import Hummingbird

/// What Mux's requests have in common.
enum MuxRequest {
  private static let bodyLimit = 64 * 1024

  /// - Throws: `BackendFailure`, 400 `invalid_parameters`.
  static func invalid(_ messages: [String]) -> BackendFailure {
    BackendFailure(status: .badRequest, type: "invalid_parameters", messages: messages)
  }

  /// A JSON body; an absent one counts as `{}`.
  static func body<Value: Decodable>(
    of request: Request, _ context: BackendContext, as type: Value.Type
  ) async throws -> Value {
    let buffer: ByteBuffer
    do {
      buffer = try await context.body(of: request, limit: bodyLimit)
    } catch is NIOTooManyBytesError {
      throw BackendFailure(
        status: .contentTooLarge, type: "invalid_parameters", messages: ["the body is larger than 64 KiB"])
    }
    let data = buffer.readableBytes == 0 ? Data("{}".utf8) : Data(buffer.readableBytesView)
    do {
      return try JSONDecoder().decode(type, from: data)
    } catch let error as DecodingError {
      throw invalid([text(of: error)])
    }
  }

  /// Which field is wrong and how, without the value.
  private static func text(of error: DecodingError) -> String {
    func name(_ path: [any CodingKey]) -> String {
      path.isEmpty ? "the body" : path.map(\.stringValue).joined(separator: ".")
    }
    switch error {
    case .keyNotFound(let key, let context): return "\(name(context.codingPath + [key])) is missing"
    case .valueNotFound(_, let context): return "\(name(context.codingPath)) is null"
    case .typeMismatch(_, let context): return "\(name(context.codingPath)) has the wrong type"
    case .dataCorrupted(let context):
      return context.codingPath.isEmpty ? "the body is no JSON" : "\(name(context.codingPath)) has no valid value"
    @unknown default: return "the body makes no sense"
    }
  }
}

/// Which part of a list is wanted.
struct MuxPage: Sendable {
  var limit: Int
  var offset: Int

  /// `limit` from 1 to 100, 25 when it is left out; `page` counts from 1.
  init(_ request: Request) throws(BackendFailure) {
    let limit = try Self.number("limit", request, default: 25, in: 1...100)
    let page = try Self.number("page", request, default: 1, in: 1...1_000_000)
    self.limit = limit
    offset = (page - 1) * limit
  }

  private static func number(
    _ name: Substring, _ request: Request, default usual: Int, in range: ClosedRange<Int>
  ) throws(BackendFailure) -> Int {
    guard let text = request.uri.queryParameters[name] else { return usual }
    guard let number = decimal(text), range.contains(Int(clamping: number)) else {
      throw MuxRequest.invalid(["\(name) must be \(range.lowerBound) to \(range.upperBound)"])
    }
    return Int(clamping: number)
  }
}

/// Mux's envelope.
struct MuxAnswer<Content: Encodable>: Encodable {
  var data: Content
}
