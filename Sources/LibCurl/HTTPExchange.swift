/// One HTTP request. The URL is a secret by default: it is never printed, and errors name its host only.
public struct HTTPRequest: Sendable {
  /// What is done.
  public var method: HTTPMethod
  /// Absolute, `http` or `https`.
  public var url: String
  /// Those that libcurl does not write by itself.
  public var headers: HTTPHeaders
  /// Sent along, or none.
  public var body: HTTPBody
  /// Bytes of the answer's body to keep; an answer that is longer is cut there and marked as truncated.
  public var maximumAnswerByteCount: Int
  /// False for a server whose kept connections have broken before.
  public var mayReuseConnection = true
  /// One of many with long bodies, which share a connection: HTTP/1.1 fills a link where HTTP/2 has to wait for windows.
  public var isOfUpload = false
  /// How long the answer's body may take once its head is there; what came until then counts. `nil` for as long as it
  /// moves.
  public var answerPatience: Duration?

  public init(
    _ method: HTTPMethod, url: String, headers: HTTPHeaders = [:], body: HTTPBody = .none,
    maximumAnswerByteCount: Int = 1 << 20
  ) {
    self.method = method
    self.url = url
    self.headers = headers
    self.body = body
    self.maximumAnswerByteCount = maximumAnswerByteCount
  }
}

/// RFC 9110, section 9; `PATCH` is RFC 5789.
public enum HTTPMethod: String, Sendable {
  /// Read.
  case get = "GET"
  /// Replace.
  case put = "PUT"
  /// Have it processed.
  case post = "POST"
  /// Change a part.
  case patch = "PATCH"
  /// Remove.
  case delete = "DELETE"
  /// Read without the body.
  case head = "HEAD"
}

/// The body of a request.
public enum HTTPBody: Sendable {
  /// No body and no `Content-Length`.
  case none
  /// Bytes in memory, possibly none (`Content-Length: 0`).
  case data([UInt8])
  /// Bytes that are read when libcurl is ready to send them; nothing is held in memory.
  case stream(HTTPBodyStream)
}

/// A body of known length whose bytes are fetched when they go out, in order, each once.
public struct HTTPBodyStream: Sendable {
  /// Fills the buffer, from its start, with the body's bytes from `offset` (zero-based, of the body) and returns how
  /// many it put there: at least one. Called on the transfer's thread; what it throws ends the transfer and is thrown
  /// to the caller as it is.
  public typealias Reader = @Sendable (_ buffer: UnsafeMutableRawBufferPointer, _ offset: Int64) throws -> Int

  /// Of the whole body: its `Content-Length`.
  public let byteCount: Int64
  let read: Reader

  /// - Parameters:
  ///   - byteCount: of the whole body, known before it goes out.
  ///   - read: gives its bytes; see ``Reader``.
  public init(byteCount: Int64, read: @escaping Reader) {
    self.byteCount = byteCount
    self.read = read
  }
}

/// The answer to a request: any status from 200 on, redirects included (none is followed).
public struct HTTPResponse: Equatable, Sendable {
  /// 200 to 599.
  public var status: Int
  /// As they came, in their order.
  public var headers: HTTPHeaders
  /// At most ``HTTPRequest/maximumAnswerByteCount`` bytes.
  public var body: [UInt8]
  /// The body broke off, or was longer than the request allows. The status and headers hold all the same.
  public var isBodyTruncated: Bool
  /// Bytes of the request's body that never left: the server answered before it had them all.
  public var unsentByteCount: Int64

  public init(
    status: Int, headers: HTTPHeaders = [:], body: [UInt8] = [], isBodyTruncated: Bool = false,
    unsentByteCount: Int64 = 0
  ) {
    self.status = status
    self.headers = headers
    self.body = body
    self.isBodyTruncated = isBodyTruncated
    self.unsentByteCount = unsentByteCount
  }

  /// The body read as UTF-8, with replacement characters for what is not.
  public var text: String { String(decoding: body, as: UTF8.self) }
}

/// Header fields in their order; names compare without regard to case.
public struct HTTPHeaders: Equatable, Sendable, ExpressibleByDictionaryLiteral {
  /// One line.
  public struct Field: Equatable, Sendable {
    /// As written; compared without regard to case.
    public var name: String
    /// Without white space around it.
    public var value: String
  }

  /// In their order; a name may be there more than once.
  public private(set) var fields: [Field]

  /// No fields.
  public init() { fields = [] }

  public init(dictionaryLiteral elements: (String, String)...) {
    fields = elements.map { Field(name: $0.0, value: $0.1) }
  }

  /// The first field of that name; setting replaces all of them, `nil` removes them.
  public subscript(name: String) -> String? {
    get { fields.first { $0.name.lowercased() == name.lowercased() }?.value }
    set {
      fields.removeAll { $0.name.lowercased() == name.lowercased() }
      if let newValue { fields.append(Field(name: name, value: newValue)) }
    }
  }

  /// Puts a field behind the others; those of the same name stay.
  public mutating func add(name: String, value: String) { fields.append(Field(name: name, value: value)) }

  mutating func removeAll() { fields = [] }
}
