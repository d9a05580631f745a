internal import Foundation

/// Reads all boxes of a file and combines their content into an `ISOFile`.
struct ISOFileReader {
  /// The maximum number of top-level boxes. A file with more is damaged or contains a full day of fragments.
  private static let boxLimit = 1 << 20

  private let source: any ByteSource
  private var file = ISOFile()
  private var fragments: FragmentReader

  init(source: any ByteSource) {
    self.source = source
    fragments = FragmentReader(source: source)
  }

  mutating func read() throws(ISOMediaError) -> ISOFile {
    file.byteCount = source.byteCount
    try readTopLevelBoxes()
    let movie = file.topLevelBoxes.first { $0.type == "moov" }
    let tracks = try movie.map { box throws(ISOMediaError) in try readMovie(box) } ?? []
    for box in file.topLevelBoxes where box.type == "moof" {
      file.isFragmented = true
      try fragments.readFragment(box)
    }
    file.anomalies += fragments.anomalies
    for box in tracks {
      var reader = TrackReader(source: source, box: box, movieTimescale: file.movieTimescale)
      file.tracks.append(try reader.read(fragments: fragments.totals))
      file.anomalies += reader.anomalies
      file.tableProblems += reader.tableProblems
    }
    file.fragmentDefaults = fragments.defaults
    checkLayout(hasMovie: movie != nil)
    return file
  }

  private mutating func readTopLevelBoxes() throws(ISOMediaError) {
    var reader = BoxReader(source: source)
    while file.topLevelBoxes.count < Self.boxLimit, let box = try reader.next() {
      file.topLevelBoxes.append(box)
      if box.type == "ftyp", file.majorBrand == nil { try readBrands(box) }
    }
    file.trailer = try TrailerReader.read(source: source, rest: reader.rest)
    if file.trailer == nil || file.trailer?.kind == .unknown, let problem = reader.problem {
      file.anomalies.append(problem)
    }
  }

  private mutating func readBrands(_ box: Box) throws(ISOMediaError) {
    var cursor = try source.cursor(in: box.payload, atMost: 1024)
    file.majorBrand = cursor.fourCC()
    _ = cursor.u32()  // minor version
    while let brand = cursor.fourCC() { file.compatibleBrands.append(brand) }
  }

  /// Reads the `moov` box and returns the boxes of its tracks, which must be read after the fragments.
  private mutating func readMovie(_ movie: Box) throws(ISOMediaError) -> [Box] {
    var tracks: [Box] = []
    var reader = BoxReader(source: source, childrenOf: movie)
    while let box = try reader.next() {
      if box.overrun > 0 {
        file.anomalies.append("\(box.path) extends \(box.overrun) bytes past the end of its parent")
      }
      switch box.type {
      case "mvhd": readMovieHeader(try source.cursor(in: box.payload))
      case "mvex":
        file.isFragmented = true
        try fragments.readDefaults(box)
      // A damaged file may declare millions of tracks.
      case "trak" where tracks.count < 1000: tracks.append(box)
      case "cmov": file.anomalies.append("the movie header is compressed (cmov), so its tracks cannot be read")
      default: break
      }
    }
    if let problem = reader.problem { file.anomalies.append(problem) }
    return tracks
  }

  private mutating func readMovieHeader(_ cursor: ByteCursor) {
    var cursor = cursor
    guard let is64Bit = cursor.fullBoxHeader()?.is64Bit, let created = cursor.unsigned(is64Bit: is64Bit),
      cursor.skip(is64Bit ? 8 : 4), let timescale = cursor.u32()
    else { return }
    file.movieTimescale = timescale
    // QuickTime counts seconds since 1904, as the classic Mac OS did. Dates before 1970 are always wrong.
    let unixSeconds = Int64(clamping: created).addingSaturated(-2_082_844_800)
    if unixSeconds > 0, unixSeconds < 1 << 40 { file.creationDate = Date(timeIntervalSince1970: Double(unixSeconds)) }
  }

  private mutating func checkLayout(hasMovie: Bool) {
    let boxes = file.topLevelBoxes
    let data = boxes.first { $0.type == "mdat" }
    if let movie = boxes.first(where: { $0.type == "moov" }), let data {
      file.isFastStart = movie.range.lowerBound < data.range.lowerBound
    }
    if !hasMovie { file.anomalies.append("the moov box is missing: the file is unfinished or truncated") }
    if boxes.count(where: { $0.type == "moov" }) > 1 { file.anomalies.append("the file has more than one moov box") }
    if boxes.count == Self.boxLimit { file.anomalies.append("the file has more than \(Self.boxLimit) boxes") }
    for box in boxes where box.overrun > 0 {
      file.anomalies.append("\(box.path) extends \(box.overrun) bytes past the end of the file")
    }
    for track in file.tracks where track.sampleCount > 0 && track.sampleEntries.isEmpty {
      guard let kind = ["vide": "video", "soun": "audio"][track.handlerType] else { continue }
      file.anomalies.append("\(kind) track \(track.trackID) cannot be decoded: it has no sample description")
    }
    if file.missingByteCount > 0 {
      file.anomalies.append("the file is truncated: \(file.missingByteCount) bytes are missing")
    }
  }
}
