import ClipModel

/// The location of a file in a SARIF report.
struct SARIFLocation: Encodable {
  static let workingFolder = "SRCROOT"

  var physicalLocation: PhysicalLocation

  struct PhysicalLocation: Encodable { var artifactLocation: ArtifactLocation }

  struct ArtifactLocation: Encodable {
    var uri: String
    var uriBaseId: String?
  }

  /// Creates a location. Absolute paths become `file:` URIs, and relative paths stay relative.
  init(path: String) {
    let isAbsolute = path.hasPrefix("/")
    // Every segment is percent-encoded because `a:b.mp4` would otherwise start with a URI scheme. Empty and `.`
    // segments are removed because report readers join paths as text.
    let segments = path.split(separator: "/").filter { $0 != "." }.map { String($0).percentEncoded }
    let encoded = segments.joined(separator: "/")
    physicalLocation = PhysicalLocation(
      artifactLocation: isAbsolute
        ? ArtifactLocation(uri: "file:///" + encoded) : ArtifactLocation(uri: encoded, uriBaseId: Self.workingFolder))
  }
}
