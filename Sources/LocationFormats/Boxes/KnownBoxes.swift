internal import ISOMedia

/// Cameras' boxes by name, with what they tell when there is no position in them as text or Exif.
enum KnownBoxes {
  static func find(_ box: Box) -> PayloadFinding? {
    if box.type == "uuid" { return profiles.first { $0.userType == box.userType }?.finding }
    for (disclosure, kinds) in boxes {
      for (kind, types) in kinds where types.contains(box.type) {
        return PayloadFinding(kind: kind, disclosure: disclosure)
      }
    }
    return nil
  }

  private static let boxes: [(PayloadFinding.Disclosure, [(kind: String, types: Set<FourCC>)])] = [
    // Ricoh writes Apple's name with an @.
    (.location, [("ricoh-xyz", ["@xyz"])]),
    (
      .identity,
      [
        ("gopro-serial", ["CAME", "LENS", "MUID", "BCID", "GUMI"]), ("panasonic-pana", ["PANA", "LEIC"]),
        ("pentax-makernote", ["PENT", "PXMN"]), ("olympus-olym", ["OLYM"]), ("minolta-mma", ["MMA0", "MMA1"]),
        ("kodak-dcmd", ["DcMD", "KVAR", "SNum"]), ("casio-qvmi", ["QVMI"]), ("fujifilm-ffmv", ["FFMV"]),
        ("ricoh-makernote", ["RMKN"]), ("samsung-info", ["INFO", "@sec", "smta"]), ("canon-data", ["CNDB", "CNDA"]),
        ("tomtom-id", ["TTID"]),
      ]
    ),
    (.date, [("sony-usmt", ["USMT", "MTDT"])]),
    (
      .motion,
      [
        ("parrot-ardrone", ["ardt", "prrt"]), ("samsung-vrot", ["vrot"]), ("kodak-level", ["ptch", "_yaw", "roll"]),
        ("ricoh-sensors", ["RDTA", "RDTB", "RDTC", "RDTD", "RDTG", "RDTI"]),
      ]
    ),
    (
      .harmless,
      [
        ("gopro-settings", ["FIRM", "SETT", "HMMT", "GoPr"]), ("canon-info", ["CNCV", "CNFV", "CNMN", "CNDM", "CNTH"]),
        ("samsung-info", ["smrd", "SDLN", "vndr", "cver"]), ("microsoft-xtra", ["Xtra"]),
        ("thumbnail", ["thmb", "thum", "thm ", "scrn", "PXTH", "RTHU", "mcvr", "frea"]),
      ]
    ),
  ]

  /// `uuid` boxes: Sony's profile and user data, the serial numbers of FLIR's cameras and their parts.
  private static let profiles: [(userType: [UInt8], finding: PayloadFinding)] = [
    (Array("PROF".utf8) + sony, PayloadFinding(kind: "sony-prof", disclosure: .harmless)),
    (Array("USMT".utf8) + sony, PayloadFinding(kind: "sony-usmt", disclosure: .date)),
    (
      [0x57, 0xF5, 0xB9, 0x3E, 0x51, 0xE4, 0x48, 0xAF, 0xA0, 0xD9, 0xC3, 0xEF, 0x1B, 0x37, 0xF7, 0x12],
      PayloadFinding(kind: "flir-serial", disclosure: .identity)
    ),
    (
      [0x43, 0xC3, 0x99, 0x3B, 0x0F, 0x94, 0x42, 0x4B, 0x82, 0x05, 0x6B, 0x66, 0x51, 0x3F, 0x48, 0x5D],
      PayloadFinding(kind: "flir-parts", disclosure: .identity)
    ),
  ]

  private static let sony: [UInt8] = [0x21, 0xD2, 0x4F, 0xCE, 0xBB, 0x88, 0x69, 0x5C, 0xFA, 0xC9, 0xC7, 0x40]
}
