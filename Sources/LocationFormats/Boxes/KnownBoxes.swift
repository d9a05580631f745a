internal import ISOMedia

/// Camera boxes that can be identified by name, and the kind of data that they contain if no text or Exif position is
/// found in them.
enum KnownBoxes {
  static func lookUp(_ box: Box) -> PayloadFinding? {
    if let userType = box.userType { return userTypes[userType] }
    let known = boxes.first { $0.types.contains(box.type) }
    return known.map { PayloadFinding(kind: $0.kind, disclosure: $0.disclosure) }
  }

  private static let boxes: [(disclosure: PayloadFinding.Disclosure, kind: String, types: Set<FourCC>)] = [
    // Ricoh uses Apple's box name with @ instead of ©.
    (.location, "ricoh-xyz", ["@xyz"]),
    (.identity, "gopro-serial", ["CAME", "LENS", "MUID", "BCID", "GUMI"]),
    (.identity, "panasonic-pana", ["PANA", "LEIC"]),
    (.identity, "pentax-makernote", ["PENT", "PXMN"]),
    (.identity, "olympus-olym", ["OLYM"]),
    (.identity, "minolta-mma", ["MMA0", "MMA1"]),
    (.identity, "kodak-dcmd", ["DcMD", "KVAR", "SNum"]),
    (.identity, "casio-qvmi", ["QVMI"]),
    (.identity, "fujifilm-ffmv", ["FFMV"]),
    (.identity, "ricoh-makernote", ["RMKN"]),
    (.identity, "samsung-info", ["INFO", "@sec", "smta"]),
    (.identity, "canon-data", ["CNDB", "CNDA"]),
    (.identity, "tomtom-id", ["TTID"]),
    (.date, "sony-usmt", ["USMT", "MTDT"]),
    (.motion, "parrot-ardrone", ["ardt", "prrt"]),
    (.motion, "samsung-vrot", ["vrot"]),
    (.motion, "kodak-level", ["ptch", "_yaw", "roll"]),
    (.motion, "ricoh-sensors", ["RDTA", "RDTB", "RDTC", "RDTD", "RDTG", "RDTI"]),
    (.harmless, "gopro-settings", ["FIRM", "SETT", "HMMT", "GoPr"]),
    (.harmless, "canon-info", ["CNCV", "CNFV", "CNMN", "CNDM", "CNTH"]),
    (.harmless, "samsung-info", ["smrd", "SDLN", "vndr", "cver"]),
    (.harmless, "microsoft-xtra", ["Xtra"]),
    (.harmless, "thumbnail", ["thmb", "thum", "thm ", "scrn", "PXTH", "RTHU", "mcvr", "frea"]),
  ]

  /// The `uuid` boxes of Sony (profile and user data) and FLIR (serial numbers of cameras and their parts).
  private static let userTypes: [[UInt8]: PayloadFinding] = [
    [UInt8](hexadecimal: "50524F46-21D2-4FCE-BB88-695CFAC9C740"):
      PayloadFinding(kind: "sony-prof", disclosure: .harmless),
    [UInt8](hexadecimal: "55534D54-21D2-4FCE-BB88-695CFAC9C740"): PayloadFinding(kind: "sony-usmt", disclosure: .date),
    [UInt8](hexadecimal: "57F5B93E-51E4-48AF-A0D9-C3EF1B37F712"):
      PayloadFinding(kind: "flir-serial", disclosure: .identity),
    [UInt8](hexadecimal: "43C3993B-0F94-424B-8205-6B66513F485D"):
      PayloadFinding(kind: "flir-parts", disclosure: .identity),
  ]
}
