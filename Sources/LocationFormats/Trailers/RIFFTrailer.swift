internal import ISOMedia

/// Reads the RIFF chunks that Auto-Vox cameras write after the last box: a name, a little-endian length, and records.
enum RIFFTrailer {
  /// Reads the chunks at the start of a range.
  /// - Returns: one finding per kind, and the end of the last chunk.
  static func examine(
    _ range: Range<Int64>, in source: any ByteSource
  ) throws(ISOMediaError) -> (findings: [PayloadFinding], end: Int64) {
    var findings = FindingList()
    var offset = range.lowerBound
    for _ in 0..<1024 {
      let header = try source.fields(in: offset..<min(offset + 8, range.upperBound))
      guard let type = header.fourCC(at: 0), type.isPrintable, let size = header.littleEndian(UInt32.self, at: 4) else {
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
