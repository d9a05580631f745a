import ClipModel
import Testing

@testable import ISOMedia

/// A sequence parameter set from a file, and ffprobe's description of the file.
struct StoredSet: CustomTestStringConvertible {
  var name: String
  var hex: String
  /// Profile, level, pixel format, size, sample aspect ratio, range, primaries/transfer/matrix, `has_b_frames`.
  var probe: String
  /// The size from `trace_headers`. For H.264, ffprobe shows the size after cropping.
  var coded: String

  var bytes: [UInt8] { [UInt8](hex: hex) }
  var testDescription: String { name }
}

extension [UInt8] {
  init(hex: String) {
    let digits = hex.compactMap(\.hexDigitValue)
    self = stride(from: 0, to: digits.count - 1, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) }
  }
}

extension SequenceParameters {
  /// A description in the format of `StoredSet.probe`.
  var summary: String {
    let ratio = usability?.sampleAspectRatio.map { "\($0.numerator):\($0.denominator)" }
    let color = usability?.color
    let colors = [color?.primariesName, color?.transferName, color?.matrixName].map { $0 ?? "-" }
    // If HEVC does not state the range, ffprobe reports limited range.
    let range = usability?.isFullRange.map { $0 ? "pc" : "tv" } ?? (codec == .hevc ? "tv" : nil)
    let parts: [String?] = [
      profileName, "\(level)", pixelFormat, "\(size)", ratio, range, colors.joined(separator: "/"),
      reorderDepth.map { "\($0)" },
    ]
    return parts.map { $0 ?? "-" }.joined(separator: ", ")
  }
}

@Suite struct SequenceParametersTests {
  @Test(arguments: StoredSet.h264) func h264MatchesFFprobe(set: StoredSet) throws {
    let parameters = try #require(SequenceParameters(.h264, unit: set.bytes))
    #expect(parameters.summary == set.probe)
    #expect("\(parameters.codedSize)" == set.coded)
    #expect(SequenceParameters(.hevc, unit: set.bytes) == nil)
  }

  @Test(arguments: StoredSet.hevc) func hevcMatchesFFprobe(set: StoredSet) throws {
    let parameters = try #require(SequenceParameters(.hevc, unit: set.bytes))
    #expect(parameters.summary == set.probe)
    #expect("\(parameters.codedSize)" == set.coded)
    #expect(SequenceParameters(.h264, unit: set.bytes) == nil)
  }

  static func h264(_ name: String) throws -> SequenceParameters {
    let set = try #require(StoredSet.h264.first { $0.name == name })
    return try #require(SequenceParameters(.h264, unit: set.bytes))
  }

  static func hevc(_ name: String) throws -> SequenceParameters {
    let set = try #require(StoredSet.hevc.first { $0.name == name })
    return try #require(SequenceParameters(.hevc, unit: set.bytes))
  }

  @Test func fieldsAreNotProgressive() throws {
    let interlaced = try Self.h264("h264-tff-1080i")
    #expect(!interlaced.isFrameOnly)
    #expect(interlaced.isProgressive == nil)
    #expect(try Self.h264("h264-high").isProgressive == true)
    let fields = try Self.hevc("hevc-field-tff")
    #expect(fields.usability?.isFieldSequence == true)
    #expect(fields.isProgressive == false)
    #expect(try Self.hevc("hevc-main").isProgressive == true)
  }

  @Test func timingAndBufferingAreRead() throws {
    let limited = try Self.h264("h264-hrd-picstruct")
    #expect(limited.usability?.timing == .init(unitsInTick: 1, timeScale: 60))
    #expect(limited.usability?.hasBufferingModel == true)
    #expect(limited.reorderDepth == 2)
    #expect(limited.chromaLocationName == "topleft")
    let hevc = try Self.hevc("hevc-hrd")
    #expect(hevc.usability?.timing == .init(unitsInTick: 1, timeScale: 30))
    #expect(hevc.usability?.hasBufferingModel == true)
  }

  @Test func layersAndReferencesAreRead() throws {
    #expect(try Self.hevc("hevc-lowpass-dct").temporalLayerCount == 2)
    #expect(try Self.h264("h264-high").referenceCount == 4)
    #expect(try Self.h264("h264-baseline").referenceCount == 1)
    #expect(try Self.h264("h264-high").pictureOrderType == 0)
    #expect(try Self.hevc("hevc-main").pictureOrderType == nil)
  }

  /// As in libav, the area outside the display window is decoded and shown.
  @Test func displayWindowDoesNotCrop() throws {
    let set = try Self.hevc("hevc-display-window")
    #expect(set.usability?.defaultDisplayWindow == CroppingWindow(left: 16, right: 32, top: 8, bottom: 24))
    #expect("\(set.size)" == "320x240")
    #expect(set.usability?.timing?.timeScale == 30)
  }

  /// Some writers only state the size in the container.
  @Test(arguments: [
    (1910, 1078, "1910x1078"), (1904, 1080, "1920x1080"), (1922, 1080, "1920x1080"), (0, 0, "1920x1080"),
  ])
  func containerSizeIsUsedWithinABlock(width: Int, height: Int, size: String) throws {
    let set = try Self.h264("h264-tff-1080i")
    #expect("\(set.size(inContainer: PictureSize(width: width, height: height)))" == size)
    let hevc = try Self.hevc("hevc-size-1918x1078")
    #expect("\(hevc.size(inContainer: PictureSize(width: 1910, height: 1070)))" == "1918x1078")
  }

  @Test func chromaFormatAndBitDepthsAreRead() throws {
    #expect(try Self.h264("h264-gray").chromaFormat == .monochrome)
    #expect(try Self.h264("h264-high422-10").chromaFormat == .yuv422)
    #expect(try Self.hevc("hevc-yuv422p12le").lumaBitDepth == 12)
    #expect(try Self.hevc("hevc-yuv422p12le").chromaBitDepth == 12)
  }
}
