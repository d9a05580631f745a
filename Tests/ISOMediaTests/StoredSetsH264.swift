extension StoredSet {
  /// From x264 and from a phone.
  static let h264: [StoredSet] = [
    StoredSet(
      name: "h264-baseline",
      hex: "6742c00dda0507ec0440000003004000000f03c50aa8",
      probe: "Constrained Baseline, 13, yuv420p, 320x240, 1:1, -, -/-/-, 0",
      coded: "320x240"),
    StoredSet(
      name: "h264-high",
      hex: "6764000dacd94141fb0110000003001000000303c0f1429960",
      probe: "High, 13, yuv420p, 320x240, 1:1, -, -/-/-, 2",
      coded: "320x240"),
    StoredSet(
      name: "h264-high422-10",
      hex: "677a000db6cd94141fb0110000030001000003003c0f142996",
      probe: "High 4:2:2, 13, yuv422p10le, 320x240, 1:1, -, -/-/-, 2",
      coded: "320x240"),
    StoredSet(
      name: "h264-444-10",
      hex: "67f4000d90d9b28283f60220000003002000000781e28532c0",
      probe: "High 4:4:4 Predictive, 13, yuv444p10le, 320x240, 1:1, -, -/-/-, 2",
      coded: "320x240"),
    StoredSet(
      name: "h264-rgb",
      hex: "67f4000d919b28283f602dc0808010000003001000000303c0f1429960",
      probe: "High 4:4:4 Predictive, 13, gbrp, 320x240, 1:1, pc, -/-/gbr, 2",
      coded: "320x240"),
    StoredSet(
      name: "h264-gray",
      hex: "6764000df3650507ec05b2000003000200000300781e28532c",
      probe: "High, 13, yuvj420p, 320x240, 1:1, pc, -/-/-, 2",
      coded: "320x240"),
    StoredSet(
      name: "h264-intra10",
      hex: "676e100da6cb8283f6022000000300200000078080",
      probe: "High 10 Intra, 13, yuv420p10le, 320x240, 1:1, -, -/-/-, 0",
      coded: "320x240"),
    StoredSet(
      name: "h264-full-709",
      hex: "6764000dacd94141fb016e02020280000003008000001e078a14cb",
      probe: "High, 13, yuvj420p, 320x240, 1:1, pc, bt709/bt709/bt709, 2",
      coded: "320x240"),
    StoredSet(
      name: "h264-tff-1080i",
      hex: "67640028acd94078044fde0220000003004000000643e2c5b2c0",
      probe: "High, 40, yuv420p, 1920x1080, 1:1, -, -/-/-, 2",
      coded: "1920x1088"),
    StoredSet(
      name: "h264-sar-7-5",
      hex: "6764000dacd94141fbff0007000510000003001000000303c0f1429960",
      probe: "High, 13, yuv420p, 320x240, 7:5, -, -/-/-, 2",
      coded: "320x240"),
    StoredSet(
      name: "h264-size-334x190",
      hex: "6764000dacd941519eab0110000003001000000303c0f1429960",
      probe: "High, 13, yuv420p, 334x190, 1:1, -, -/-/-, 2",
      coded: "336x192"),
    StoredSet(
      name: "h264-hrd-picstruct",
      hex: "6764000dacd94141fb0ea4b70000030001000003003c60200124f000493e930c03e28532c0",
      probe: "High, 13, yuv420p, 320x240, 4:3, tv, -/-/-, 2",
      coded: "320x240"),
    StoredSet(
      name: "h264-colour-4-bt2020-arib-std-b67-bt2020nc",
      hex: "6764000dacd94141fb016a12241280000003008000001e078a14cb",
      probe: "High, 13, yuv420p, 320x240, 1:1, tv, bt2020/arib-std-b67/bt2020nc, 2",
      coded: "320x240"),
    StoredSet(
      name: "h264-level-1b",
      hex: "67640009acd9420db011000003000100000300140f122596",
      probe: "High, 9, yuv420p, 128x96, 1:1, -, -/-/-, 2",
      coded: "128x96"),
    StoredSet(
      name: "iphone5-1080p-gps-keys-udta",
      hex: "67640029ac5680780227e59a80808081",
      probe: "High, 41, yuv420p, 1920x1080, -, tv, bt709/bt709/bt709, -",
      coded: "1920x1088"),
  ]
}
