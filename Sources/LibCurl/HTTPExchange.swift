/// An HTTP request. The URL can be secret, so bsc never prints it, and errors contain only the host.
public struct HTTPRequest: Sendable {
  /// The method.
  public var method: HTTPMethod
  /// The absolute URL, with the scheme `http` or `https`.
  public var url: String
  /// The request's headers, in addition to the headers that libcurl adds.
  public var headers: HTTPHeaders
  /// The body.
  public var body: HTTPBody
  /// The maximum size of the response's body in bytes. A longer body is truncated.
  public var maximumResponseByteCount: Int
  /// Whether the request may reuse an open connection. Set this to `false` if a reused connection to the server has
  /// failed.
  public var reusesConnection = true
  /// Whether the request uploads a chunk. Chunks are sent with HTTP/1.1, which is faster than HTTP/2 for long bodies
  /// because it has no flow-control windows.
  public var isUploadChunk = false
  /// The maximum time to wait for the response's body after its headers have arrived. After that time, the body is
  /// truncated. `nil` means no limit.
  public var responseTimeout: Duration?

  public init(
    _ method: HTTPMethod, url: String, headers: HTTPHeaders = [:], body: HTTPBody = .none,
    maximumResponseByteCount: Int = 1 << 20
  ) {
    (self.method, self.url, self.headers, self.body) = (method, url, headers, body)
    self.maximumResponseByteCount = maximumResponseByteCount
  }
}

/// An HTTP method (RFC 9110, section 9, and RFC 5789).
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

/// The body of an HTTP request.
public enum HTTPBody: Sendable {
  /// Copies bytes of the body, starting at the zero-based `offset`, to the start of the buffer. Returns the number of
  /// bytes copied, which must be at least one. Called on the transfer thread, sequentially and only once for each byte.
  /// If it throws an error, the transfer ends and rethrows the error unchanged.
  public typealias Reader = @Sendable (_ buffer: UnsafeMutableRawBufferPointer, _ offset: Int64) throws -> Int

  /// No body and no `Content-Length`.
  case none
  /// Bytes in memory. An empty array sends `Content-Length: 0`.
  case data([UInt8])
  /// Bytes that are read when libcurl is ready to send them. `byteCount` is the `Content-Length`.
  case stream(byteCount: Int64, read: Reader)
}

/// The final response to an HTTP request. Redirects aren't followed.
public struct HTTPResponse: Equatable, Sendable {
  /// The status code, from 200 to 599.
  public var status: Int
  /// The response's headers, in order.
  public var headers: HTTPHeaders
  /// The response's body, with at most ``HTTPRequest/maximumResponseByteCount`` bytes.
  public var body: [UInt8]
  /// Whether the body is incomplete. The status and headers are valid in either case.
  public var isBodyTruncated: Bool
  /// The number of bytes of the request's body that weren't sent because the server responded early.
  public var unsentByteCount: Int64

  public init(
    status: Int, headers: HTTPHeaders = [:], body: [UInt8] = [], isBodyTruncated: Bool = false,
    unsentByteCount: Int64 = 0
  ) {
    (self.status, self.headers, self.body) = (status, headers, body)
    (self.isBodyTruncated, self.unsentByteCount) = (isBodyTruncated, unsentByteCount)
  }

  /// The body decoded as UTF-8, with replacement characters for invalid bytes.
  public var text: String { String(decoding: body, as: UTF8.self) }
}

/// An ordered list of header fields. Field names are case-insensitive.
public struct HTTPHeaders: Equatable, Sendable, ExpressibleByDictionaryLiteral {
  /// A single HTTP header field.
  public struct Field: Equatable, Sendable {
    /// The name of the field, with its original capitalization.
    public var name: String
    /// The value of the field, without surrounding whitespace.
    public var value: String
  }

  /// The header fields, in order. Multiple fields can have the same name.
  public private(set) var fields: [Field]

  public init(dictionaryLiteral elements: (String, String)...) {
    fields = elements.map { Field(name: $0.0, value: $0.1) }
  }

  /// The value of the first field with the given name. Setting a value replaces all fields with that name, and setting
  /// `nil` removes them.
  public subscript(name: String) -> String? {
    get { fields.first { $0.name.lowercased() == name.lowercased() }?.value }
    set {
      fields.removeAll { $0.name.lowercased() == name.lowercased() }
      if let newValue { add(name: name, value: newValue) }
    }
  }

  /// Appends a field. Existing fields with the same name are kept.
  public mutating func add(name: String, value: String) { fields.append(Field(name: name, value: value)) }
}
