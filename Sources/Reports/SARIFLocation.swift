import ClipModel

/// The location of a file.
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
    // Everything is encoded, because `a:b.mp4` would start with a scheme. Empty and `.` segments are removed, because
    // readers join the parts as text.
    let segments = path.split(separator: "/").filter { $0 != "." }.map { String($0).percentEncoded }
    let encoded = segments.joined(separator: "/")
    physicalLocation = Physical(
      artifactLocation: isAbsolute
        ? Artifact(uri: "file:///" + encoded) : Artifact(uri: encoded, uriBaseId: Self.workingFolder))
  }
}
