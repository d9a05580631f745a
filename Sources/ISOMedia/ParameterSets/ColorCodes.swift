/// Color code points (ITU-T H.273) and their libav names.
package struct ColorCodes: Equatable, Sendable {
  package var primaries: Int
  package var transfer: Int
  package var matrix: Int

  package init(primaries: Int, transfer: Int, matrix: Int) {
    (self.primaries, self.transfer, self.matrix) = (primaries, transfer, matrix)
  }

  /// Reads `colour_primaries`, `transfer_characteristics` and `matrix_coefficients`.
  init(_ reader: inout BitReader) throws(BitReader.InvalidData) {
    self.init(primaries: try reader.readBits(8), transfer: try reader.readBits(8), matrix: try reader.readBits(8))
  }

  /// The libav name of the color primaries (H.273, table 2); `nil` for 2 ("unspecified") and unnamed codes.
  package var primariesName: String? { Self.lookUpName(primaries, Self.primariesNames) }
  /// The libav name of the transfer characteristics (H.273, table 3); `nil` for 2 ("unspecified") and unnamed codes.
  package var transferName: String? { Self.lookUpName(transfer, Self.transferNames) }
  /// The libav name of the matrix coefficients (H.273, table 4). Code 0 is RGB.
  package var matrixName: String? { Self.lookUpName(matrix, Self.matrixNames) }

  private static func lookUpName(_ code: Int, _ names: [String?]) -> String? {
    names.indices.contains(code) ? names[code] : nil
  }

  private static let primariesNames: [String?] = [
    "reserved", "bt709", nil, "reserved", "bt470m", "bt470bg", "smpte170m", "smpte240m", "film", "bt2020", "smpte428",
    "smpte431", "smpte432", nil, nil, nil, nil, nil, nil, nil, nil, nil, "ebu3213",
  ]

  private static let transferNames: [String?] = [
    "reserved", "bt709", nil, "reserved", "bt470m", "bt470bg", "smpte170m", "smpte240m", "linear", "log100", "log316",
    "iec61966-2-4", "bt1361e", "iec61966-2-1", "bt2020-10", "bt2020-12", "smpte2084", "smpte428", "arib-std-b67",
  ]

  private static let matrixNames: [String?] = [
    "gbr", "bt709", nil, "reserved", "fcc", "bt470bg", "smpte170m", "smpte240m", "ycgco", "bt2020nc", "bt2020c",
    "smpte2085", "chroma-derived-nc", "chroma-derived-c", "ictcp",
  ]
}
