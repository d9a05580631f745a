extension StoredSet {
  /// From x265 and from a phone.
  static let hevc: [StoredSet] = [
    StoredSet(
      name: "hevc-main",
      hex: "42010101600000030090000003000003003ca00a080f16595952930bc05a020000030002000003003c10",
      probe: "Main, 60, yuv420p, 320x240, 1:1, tv, -/-/-, 2",
      coded: "320x240"),
    StoredSet(
      name: "hevc-hdr10",
      hex: "42010102200000030090000003000003003ca00a080f136595952930bc05a848804db080000003008000000f04",
      probe: "Main 10, 60, yuv420p10le, 320x240, 1:1, tv, bt2020/smpte2084/bt2020nc, 2",
      coded: "320x240"),
    StoredSet(
      name: "hevc-lowpass-dct",
      hex: "42010201600000030090000003000003003c0000a00a080f1659598acc94985e02d010000003001000000301e080",
      probe: "Main, 60, yuv420p, 320x240, 1:1, tv, -/-/-, 2",
      coded: "320x240"),
    StoredSet(
      name: "hevc-yuv422p12le",
      hex: "420101040800000300990800000300003cb00a080f114a595952930bc05a020000030002000003003c10",
      probe: "Rext, 60, yuv422p12le, 320x240, 1:1, tv, -/-/-, 2",
      coded: "320x240"),
    StoredSet(
      name: "hevc-gbrp10le",
      hex: "4201010408000003009c0800000300003c90014101e26cb2b2a5261780b7020200040000030004000003007820",
      probe: "Rext, 60, gbrp10le, 320x240, 1:1, pc, -/-/gbr, 2",
      coded: "320x240"),
    StoredSet(
      name: "hevc-gray10le",
      hex: "4201010408000003009dc800000300003cc028203c4d965654a4c2f016c080000003008000000f04",
      probe: "Rext, 60, gray10le, 320x240, 1:1, pc, -/-/-, 2",
      coded: "320x240"),
    StoredSet(
      name: "hevc-full",
      hex: "42010101600000030090000003000003003ca00a080f16595952930bc05b020000030002000003003c10",
      probe: "Main, 60, yuvj420p, 320x240, 1:1, pc, -/-/-, 2",
      coded: "320x240"),
    StoredSet(
      name: "hevc-display-window",
      hex: "42010101600000030090000003000003003ca00a080f16595952930bc05a044844a360000003002000000303c1",
      probe: "Main, 60, yuv420p, 320x240, 1:1, tv, -/-/-, 2",
      coded: "320x240"),
    StoredSet(
      name: "hevc-hrd",
      hex: "42010101600000030090000003000003003ca00a080f16595952930bc05a020000030002000003003cc0192cdc003d08000f"
        + "4244",
      probe: "Main, 60, yuv420p, 320x240, 1:1, tv, -/-/-, 2",
      coded: "320x240"),
    StoredSet(
      name: "hevc-size-1918x1078",
      hex: "420101016000000300900000030000030078a003c0801107536595952930bc05a020000003002000000303c1",
      probe: "Main, 120, yuv420p, 1918x1078, 1:1, tv, -/-/-, 2",
      coded: "1920x1088"),
    StoredSet(
      name: "hevc-sar-7-5",
      hex: "42010101600000030090000003000003003ca00a080f16595952930bffc001c0015a020000030002000003003c10",
      probe: "Main, 60, yuv420p, 320x240, 7:5, tv, -/-/-, 2",
      coded: "320x240"),
    StoredSet(
      name: "hevc-field-tff",
      hex: "42010101600000030040000003000003003ca00a080f165959a4932bc05a1a0000030002000003003c10",
      probe: "Main, 60, yuv420p, 320x240, 1:1, tv, -/-/-, 2",
      coded: "320x240"),
    StoredSet(
      name: "hevc-high-tier",
      hex: "42010121600000030090000003000003007ba00a080f16595952930bc05a020000030002000003003c10",
      probe: "Main, 123, yuv420p, 320x240, 1:1, tv, -/-/-, 2",
      coded: "320x240"),
    StoredSet(
      name: "iphone14pro-dovi-hlg-1080p-rot90-gps",
      hex: "420101022000000300b00000030000030078a003c0801107cad8815ee45954d424482402",
      probe: "Main 10, 120, yuv420p10le, 1920x1080, -, tv, bt2020/arib-std-b67/bt2020nc, 2",
      coded: "1920x1088"),
    StoredSet(
      name: "phone-4k-hevc-portrait-9s",
      hex: "420101016000000300900000030000030096a0010e2003c0596566924cae680800001f480003a98040",
      probe: "Main, 150, yuv420p, 2160x3840, -, tv, -/-/-, 2",
      coded: "2160x3840"),
  ]
}
