/// An HTTP request. Its URL can be a secret: it is never printed, and errors contain only the host.
public struct HTTPRequest: Sendable {
  /// The method.
  public var method: HTTPMethod
  /// An absolute URL, `http` or `https`.
  public var url: String
  /// The headers other than those that libcurl adds.
  public var headers: HTTPHeaders
  /// The body.
  public var body: HTTPBody
  /// The maximum number of bytes in the response's body. A longer body is truncated.
  public var maximumResponseByteCount: Int
  /// Set this to false for a server whose reused connections have failed.
  public var reusesConnection = true
  /// Uses HTTP/1.1, which is faster than HTTP/2 for long bodies: it doesn't wait for windows.
  public var isUploadChunk = false
  /// The longest time for the response's body after its headers. After it, the body is truncated. `nil` means no limit.
  public var responseTimeout: Duration?

  public init(
    _ method: HTTPMethod, url: String, headers: HTTPHeaders = [:], body: HTTPBody = .none,
    maximumResponseByteCount: Int = 1 << 20
  ) {
    (self.method, self.url, self.headers, self.body) = (method, url, headers, body)
    self.maximumResponseByteCount = maximumResponseByteCount
  }
}

/// The methods of RFC 9110, section 9, and RFC 5789.
public enum HTTPMethod: String, Sendable {
  /// Reads a resource.
  case get = "GET"
  /// Replaces a resource.
  case put = "PUT"
  /// Submits data to a resource.
  case post = "POST"
  /// Changes part of a resource.
  case patch = "PATCH"
  /// Deletes a resource.
  case delete = "DELETE"
}

/// The body of a request.
public enum HTTPBody: Sendable {
  /// Fills the buffer from its start with the body's bytes from the zero-based `offset`, and returns their number, at
  /// least one. Called on the transfer thread, in order and once for each byte. An error ends the transfer and is rethrown
  /// unchanged.
  public typealias Reader = @Sendable (_ buffer: UnsafeMutableRawBufferPointer, _ offset: Int64) throws -> Int

  /// No body and no `Content-Length`.
  case none
  /// Bytes in memory; an empty array sends `Content-Length: 0`.
  case data([UInt8])
  /// Bytes that are read when libcurl sends them. `byteCount` is the `Content-Length`.
  case stream(byteCount: Int64, read: Reader)
}

/// The final response to a request. Redirects are not followed.
public struct HTTPResponse: Equatable, Sendable {
  /// 200 to 599.
  public var status: Int
  /// The headers, in order.
  public var headers: HTTPHeaders
  /// The body: at most ``HTTPRequest/maximumResponseByteCount`` bytes.
  public var body: [UInt8]
  /// The body is incomplete. The status and headers are valid.
  public var isBodyTruncated: Bool
  /// The number of bytes of the request's body that were not sent because the server responded first.
  public var unsentByteCount: Int64

  public init(
    status: Int, headers: HTTPHeaders = [:], body: [UInt8] = [], isBodyTruncated: Bool = false,
    unsentByteCount: Int64 = 0
  ) {
    (self.status, self.headers, self.body) = (status, headers, body)
    (self.isBodyTruncated, self.unsentByteCount) = (isBodyTruncated, unsentByteCount)
  }

  /// The body as UTF-8, with replacement characters for invalid bytes.
  public var text: String { String(decoding: body, as: UTF8.self) }
}

/// Header fields, in order. Names are case-insensitive.
public struct HTTPHeaders: Equatable, Sendable, ExpressibleByDictionaryLiteral {
  /// A header line.
  public struct Field: Equatable, Sendable {
    /// The name as written.
    public var name: String
    /// The value without surrounding white space.
    public var value: String
  }

  /// The fields, in order. Several fields can have the same name.
  public private(set) var fields: [Field]

  public init(dictionaryLiteral elements: (String, String)...) {
    fields = elements.map { Field(name: $0.0, value: $0.1) }
  }

  /// The value of the first field with this name. Setting replaces all fields of the name; `nil` removes them.
  public subscript(name: String) -> String? {
    get { fields.first { $0.name.lowercased() == name.lowercased() }?.value }
    set {
      fields.removeAll { $0.name.lowercased() == name.lowercased() }
      if let newValue { add(name: name, value: newValue) }
    }
  }

  /// Appends a field. Fields with the same name stay.
  public mutating func add(name: String, value: String) { fields.append(Field(name: name, value: value)) }
}
