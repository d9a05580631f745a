import ClipModel

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
    // `a:b.mp4` would begin with a scheme, so all of it is encoded. No empty or idle segments: readers join the parts by text.
    let segments = path.split(separator: "/").filter { $0 != "." }.map { String($0).percentEncoded }
    let encoded = segments.joined(separator: "/")
    physicalLocation = Physical(
      artifactLocation: isAbsolute
        ? Artifact(uri: "file:///" + encoded) : Artifact(uri: encoded, uriBaseId: Self.workingFolder))
  }
}
