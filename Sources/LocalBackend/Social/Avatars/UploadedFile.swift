import Foundation

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
