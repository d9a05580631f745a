/// A file.
struct SARIFLocation: Encodable {
  static let workingFolder = "SRCROOT"

  var physicalLocation: Physical

  struct Physical: Encodable { var artifactLocation: Artifact }

  struct Artifact: Encodable {
    var uri: String
    var uriBaseId: String?
  }

  /// Absolute paths become `file:` URIs, others stay relative.
  init(path: String) {
    let isAbsolute = path.hasPrefix("/")
    // No empty or idle segments: readers join the parts by text.
    let segments = path.split(separator: "/").filter { $0 != "." }.map { Self.encoded(String($0)) }
    let encoded = segments.joined(separator: "/")
    physicalLocation = Physical(
      artifactLocation: isAbsolute
        ? Artifact(uri: "file:///" + encoded) : Artifact(uri: encoded, uriBaseId: Self.workingFolder))
  }

  /// Everything but what RFC 3986 leaves alone everywhere: `a:b.mp4` would begin with a scheme.
  private static func encoded(_ segment: String) -> String {
    segment.utf8.map { byte in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
        UInt8(ascii: "~"):
        String(UnicodeScalar(byte))
      default:
        "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
      }
    }.joined()
  }
}
