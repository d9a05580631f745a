/// An ICC profile for sRGB (ICC.1:2010). It is built here, because it needs only 480 bytes instead of the usual 3000.
enum ColorProfile {
  /// The primaries and white of sRGB, adapted to the profile's D50 (IEC 61966-2-1, Bradford's matrix).
  private static let tags: [(name: String, data: [UInt8])] = [
    ("desc", text("sRGB")),
    ("cprt", text("CC0")),
    ("wtpt", xyz(0.96420, 1, 0.82491)),
    ("rXYZ", xyz(0.43607, 0.22249, 0.01392)),
    ("gXYZ", xyz(0.38515, 0.71687, 0.09708)),
    ("bXYZ", xyz(0.14307, 0.06061, 0.71410)),
    ("rTRC", curve),
    ("gTRC", curve),
    ("bTRC", curve),
    (
      "chad",
      [UInt8]("sf32".utf8) + big(0)
        + [1.04788, 0.02292, -0.05022, 0.02959, 0.99048, -0.01707, -0.00925, 0.01508, 0.75168].flatMap(fixed)
    ),
  ]

  static let sRGB: [UInt8] = {
    var data: [UInt8] = []
    var offsets: [[UInt8]: UInt32] = [:]
    var table = big(UInt32(tags.count))
    let start = UInt32(128 + 4 + tags.count * 12)
    for tag in tags {
      // Equal data is stored only once.
      let offset = offsets[tag.data] ?? start + UInt32(data.count)
      if offsets[tag.data] == nil {
        offsets[tag.data] = offset
        data += tag.data
        data += [UInt8](repeating: 0, count: (4 - data.count % 4) % 4)
      }
      table += [UInt8](tag.name.utf8) + big(offset) + big(UInt32(tag.data.count))
    }
    // Version 4.3, display class, RGB, XYZ connection space, a fixed date, no manufacturer, perceptual intent, D50.
    var header = big(start + UInt32(data.count)) + big(0) + [4, 0x30, 0, 0] + [UInt8]("mntrRGB XYZ ".utf8)
    header += [0x07, 0xDA, 0, 1, 0, 1, 0, 0, 0, 0, 0, 0] + [UInt8]("acsp".utf8)
    header += [UInt8](repeating: 0, count: 28) + xyz(0.96420, 1, 0.82491)[8...]
    header += [UInt8](repeating: 0, count: 128 - header.count)
    return header + table + data
  }()

  /// Inserts the profile after the JFIF header, as one `APP2` segment.
  static func added(toJPEG file: [UInt8]) -> [UInt8] {
    // Start of image, then APP0 with its length.
    guard file.count > 6, file[0] == 0xFF, file[1] == 0xD8 else { return file }
    let isJFIF = file[2] == 0xFF && file[3] == 0xE0
    let offset = isJFIF ? 4 + (Int(file[4]) << 8 | Int(file[5])) : 2
    guard offset <= file.count else { return file }
    let payload = [UInt8]("ICC_PROFILE".utf8) + [0, 1, 1] + sRGB
    let count = payload.count + 2
    return file[..<offset] + [0xFF, 0xE2, UInt8(count >> 8), UInt8(count & 255)] + payload + file[offset...]
  }

  /// Inserts the profile before the image data. Converts simple files to the extended format.
  static func added(toWebP file: [UInt8]) -> [UInt8] {
    guard file.count > 30, file.starts(with: [UInt8]("RIFF".utf8)) else { return file }
    var head: [UInt8]
    var rest: ArraySlice<UInt8>
    // The flag for an ICC profile.
    let flag: UInt8 = 0x20
    if file[12..<16].elementsEqual("VP8X".utf8) {
      head = [UInt8](file[12..<30])
      head[8] |= flag
      rest = file[30...]
    } else {
      guard file[12..<16].elementsEqual("VP8 ".utf8) else { return file }
      // The frame header: three bytes of tag, three of start code, then the sizes in 14 bits each.
      let sizes = [file[26], file[27] & 0x3F, file[28], file[29] & 0x3F].map(Int.init)
      let (width, height) = (sizes[0] | sizes[1] << 8, sizes[2] | sizes[3] << 8)
      head = [UInt8]("VP8X".utf8) + [10, 0, 0, 0, flag, 0, 0, 0]
      for side in [width - 1, height - 1] { head += [UInt8(side & 255), UInt8(side >> 8 & 255), 0] }
      rest = file[12...]
    }
    let padding = [UInt8](repeating: 0, count: sRGB.count % 2)
    let body =
      [UInt8]("WEBP".utf8) + head + [UInt8]("ICCP".utf8) + little(UInt32(sRGB.count)) + sRGB + padding + rest
    return [UInt8]("RIFF".utf8) + little(UInt32(body.count)) + body
  }

  private static func text(_ words: String) -> [UInt8] {
    let characters = words.utf16.flatMap { [UInt8($0 >> 8), UInt8($0 & 255)] }
    return [UInt8]("mluc".utf8) + big(0) + big(1) + big(12) + [UInt8]("enUS".utf8) + big(UInt32(characters.count))
      + big(28) + characters
  }

  private static func xyz(_ x: Double, _ y: Double, _ z: Double) -> [UInt8] {
    [UInt8]("XYZ ".utf8) + big(0) + fixed(x) + fixed(y) + fixed(z)
  }

  /// The sRGB transfer curve as five parameters.
  private static let curve: [UInt8] =
    [UInt8]("para".utf8) + big(0) + [0, 3, 0, 0]
    + [2.4, 1 / 1.055, 0.055 / 1.055, 1 / 12.92, 0.04045].flatMap(fixed)

  /// A signed number with 16 fraction bits.
  private static func fixed(_ value: Double) -> [UInt8] {
    big(UInt32(bitPattern: Int32((value * 65536).rounded())))
  }

  private static func big(_ value: UInt32) -> [UInt8] { (0..<4).map { UInt8(value >> (24 - 8 * $0) & 255) } }
  private static func little(_ value: UInt32) -> [UInt8] { big(value).reversed() }
}
