internal import ISOMedia

/// Reads RIFF chunks after the last box, as written by Auto-Vox: a name, a little-endian length, and records.
enum RIFFTrailer {
  /// - Returns: the findings, one for each kind, and the end of the chunks.
  static func examine(
    _ range: Range<Int64>, in source: any ByteSource
  ) throws(ISOMediaError) -> (findings: [PayloadFinding], end: Int64) {
    var findings = FindingList()
    var offset = range.lowerBound
    for _ in 0..<1024 {
      let header = try source.fields(in: offset..<min(offset + 8, range.upperBound))
      guard let type = header.fourCC(at: 0), type.isPrintable, let size = header.little(UInt32.self, at: 4) else {
        break
      }
      let payload = offset + 8..<min(offset + 8 + Int64(size), range.upperBound)
      switch type {
      case "gpsa": findings.add(.location("autovox-gps"))
      case "gsen", "gsea": findings.add(PayloadFinding(kind: "autovox-gsensor", disclosure: .motion))
      default:
        findings.add(
          try DashCamBoxes.examineLog(type, payload, in: source)
            ?? PayloadFinding(kind: "riff-trailer", disclosure: .opaque))
      }
      offset = payload.upperBound
    }
    return (findings.findings, offset)
  }
}
