import ClipModel
import Foundation
import Hummingbird

/// The file in a request body. Clients send the bytes, or a form (`multipart/form-data`, RFC 7578) that contains them.
struct UploadedFile: Sendable, Equatable {
  var contentType: String
  var bytes: [UInt8]

  init(_ body: [UInt8], contentType: String) throws(StorageError) {
    guard contentType.lowercased().hasPrefix("multipart/form-data") else {
      self.contentType = contentType
      bytes = body
      return
    }
    guard let part = FormPart.parts(of: body, contentType: contentType)?.first(where: { $0.contentType != nil }) else {
      throw .invalidForm
    }
    self.contentType = part.contentType ?? ""
    bytes = Array(part.content)
  }
}

extension StillPicture {
  /// The boundaries and headers of a form that contains the file.
  private static let formOverhead = 16 << 10

  /// Returns the picture in a request's body, without its metadata.
  /// - Parameter limit: the maximum size in bytes.
  /// - Throws: `StorageError`.
  static func received(
    in request: Request, _ context: BackendContext, limit: Int
  ) async throws -> StillPicture {
    let body = try await context.body(of: request, limit: limit + formOverhead, excess: StorageError.tooLarge)
    let upload = try UploadedFile(Array(body.readableBytesView), contentType: request.headers[.contentType] ?? "")
    return try AvatarStore.picture(
      upload.bytes, type: upload.contentType.prefix { $0 != ";" }.lowercased(), limit: limit)
  }
}

/// A field of a form.
struct FormPart: Sendable, Equatable {
  var name: String
  /// The media type of a file; `nil` for a text field.
  var contentType: String?
  var content: ArraySlice<UInt8>

  private static let lineBreak = Array("\r\n".utf8)

  /// Parses a form. Returns `nil` if the body is not a complete form.
  static func parts(of body: [UInt8], contentType: String) -> [FormPart]? {
    guard let match = contentType.firstMatch(of: /(?i)boundary=("?)([^";]{1,70})\1/) else { return nil }
    let boundary = lineBreak + Array("--\(match.output.2)".utf8)
    // The first boundary has no line break before it.
    var rest = (lineBreak + body)[...]
    guard let start = rest.firstRange(of: boundary) else { return nil }
    rest = rest[start.upperBound...]
    var parts: [FormPart] = []
    while rest.starts(with: lineBreak) {
      guard let end = rest.firstRange(of: boundary), let part = FormPart(rest[..<end.lowerBound]) else { return nil }
      parts.append(part)
      rest = rest[end.upperBound...]
    }
    return rest.starts(with: Array("--".utf8)) ? parts : nil
  }

  /// Parses the headers and content of a part.
  private init?(_ bytes: ArraySlice<UInt8>) {
    guard let gap = bytes.firstRange(of: Self.lineBreak + Self.lineBreak) else { return nil }
    let headers = String(decoding: bytes[..<gap.lowerBound], as: UTF8.self).split(whereSeparator: \.isNewline)
    func value(of header: String) -> String? {
      headers.first { $0.lowercased().hasPrefix(header + ":") }
        .map { $0.dropFirst(header.count + 1).trimmingCharacters(in: .whitespaces) }
    }
    guard let disposition = value(of: "content-disposition"),
      let match = disposition.firstMatch(of: /[; ]name="([^"]*)"/)
    else { return nil }
    name = String(match.output.1)
    contentType = value(of: "content-type")
    content = bytes[gap.upperBound...]
  }
}
