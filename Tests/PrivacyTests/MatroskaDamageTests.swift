import ClipModel
import Testing

@testable import Privacy

/// Audits of hostile and damaged Matroska files must not crash, hang, or report ranges outside the file.
@Suite struct MatroskaDamageTests {
  typealias Sample = MatroskaSample

  @Test func sampleContainsEveryCarrier() throws {
    let found = try MatroskaAuditTests.audit(Sample.rich)
    #expect(
      found.carriers.map(\.kind) == [
        "matroska-date", "iso6709-text", "unknown-attachment", "void-leftovers", "position-text", "matroska-data-track",
      ])
    #expect(found.unread == [])
  }

  @Test func auditsTruncatedFiles() throws {
    for length in 0..<Sample.rich.count {
      let found = try MatroskaAuditTests.audit(Array(Sample.rich[..<length]))
      try expectRangesInside(found.carriers, length)
      // Every truncation after the segment's header is reported.
      if length > Sample.header.count + 12 { #expect(!found.unread.isEmpty, "cut to \(length)") }
    }
  }

  @Test(arguments: [0x00, 0x01, 0x40, 0x7F, 0x80, 0xFE, 0xFF] as [UInt8])
  func auditsFilesWithDamagedBytes(value: UInt8) throws {
    for offset in Sample.rich.indices {
      var bytes = Sample.rich
      bytes[offset] = value
      try expectRangesInside(MatroskaAuditTests.audit(bytes).carriers, bytes.count)
    }
  }

  @Test func limitsNesting() throws {
    var inner = Sample.tag("LOCATION", Sample.position)
    for _ in 0..<2000 { inner = Sample.element(0x67C8, inner) }
    #expect(try MatroskaAuditTests.audit(Sample.file([Sample.tags([inner])])).carriers.map(\.disclosure) == [.location])
  }

  @Test func limitsTheNumberOfCarriers() throws {
    let many = [[UInt8]](repeating: Sample.tag("LOCATION", "x"), count: 5000)
    let found = try MatroskaAuditTests.audit(Sample.file([Sample.tags(many)]))
    #expect(found.carriers.count == 4096)
    #expect(found.unread.count == 1)
  }

  private func expectRangesInside(_ carriers: [PrivacyCarrier], _ count: Int) throws {
    #expect(carriers.compactMap(\.byteRange).allSatisfy { $0.lowerBound >= 0 && $0.upperBound <= count })
  }
}
