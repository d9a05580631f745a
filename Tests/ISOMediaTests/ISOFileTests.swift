import ClipModel
import Foundation
import ISOMedia
import TestSupport
import Testing

@Suite struct ISOFileTests {
  @Test func contentOfTheBoxesIsRead() throws {
    var movie = SampleMovie()
    movie.creationTime = 2_082_844_800 + 1_700_000_000
    movie.tracks[0].entryBoxes = { entry in
      entry.box("colr") { box in
        box.fourCC("nclx")
        box.u16(9)
        box.u16(18)
        box.u16(9)
        box.u8(0x80)
      }
      entry.box("dvvC") { box in
        box.u8(1)
        box.u8(0)
        box.u16(8 << 9 | 5 << 3 | 5)
        box.u8(4 << 4)
        box.zeros(19)
      }
    }
    let file = try #require(try ISOFile.read(movie.bytes))
    #expect(file.majorBrand == "isom")
    #expect(file.compatibleBrands == ["isom", "mp41"])
    #expect(file.isFastStart == true)
    #expect(!file.isFragmented)
    #expect(file.creationDate == Date(timeIntervalSince1970: 1_700_000_000))
    #expect(file.anomalies.isEmpty)

    let track = try #require(file.tracks.first)
    #expect(track.trackID == 1)
    #expect(track.handlerType == "vide")
    #expect(track.handlerName == "A handler")
    #expect(track.sampleEntries.map(\.format) == ["avc1"])
    #expect(track.timescale == 30_000)
    #expect(track.mediaDurationTicks == 4000)
    #expect(track.sampleCount == 4)
    #expect(track.syncSampleCount == 1)
    #expect(track.byteEnd == file.byteCount)
    #expect(track.averageFrameRate == 30)
    #expect(track.sampleEntries[0].color?.transfer == 18)
    #expect(track.sampleEntries[0].color?.isFullRange == true)
    #expect(track.sampleEntries[0].dolbyVision?.profile == 8)
    #expect(track.sampleEntries[0].dolbyVision?.level == 5)
    #expect(track.sampleEntries[0].dolbyVision?.compatibilityID == 4)
  }

  /// The duration is that of the samples, or that in the header if it is shorter.
  @Test(arguments: [(UInt32(150_000), 4000, true), (4000, 4000, false), (3900, 3900, false), (4100, 4000, false)])
  func headerDurationIsComparedWithTheSamples(headerTicks: UInt32, expected: Int64, isReported: Bool) throws {
    var movie = SampleMovie()
    movie.tracks[0].headerTicks = headerTicks
    let file = try #require(try ISOFile.read(movie.bytes))
    #expect(file.tracks[0].mediaDurationTicks == expected)
    #expect(file.tableProblems.isEmpty != isReported, "\(file.tableProblems)")
  }

  @Test func sampleTimesAreRead() throws {
    var movie = SampleMovie()
    movie.tracks[0].compositionOffsets = [(1, 2000), (1, 4000), (2, -1000)]
    movie.tracks[0].syncSamples = [1, 3]
    let source = MemoryBytes(movie.bytes)
    let file = try #require(try ISOFile.read(from: source))
    let samples = try #require(try file.samples(of: file.tracks[0], in: source))
    #expect(samples.map(\.decodeTicks) == [0, 1000, 2000, 3000])
    #expect(samples.map(\.presentationTicks) == [2000, 5000, 1000, 2000])
    #expect(samples.map(\.isSync) == [true, false, true, false])
    #expect(samples.map(\.range.count) == [10, 20, 30, 40])
    // The first and the last sample have the same presentation time.
    #expect(samples.stalledCount == 1)
    #expect(samples.durationTicks == 4000)
  }

  @Test(arguments: [([(4, 0)], 3), ([(3, 0), (1, 1000)], 3), ([(4, 1000)], 0)] as [([(UInt32, UInt32)], Int)])
  func samplesWithoutADurationAreCounted(durations: [(UInt32, UInt32)], count: Int) throws {
    var movie = SampleMovie()
    movie.tracks[0].durations = durations
    let source = MemoryBytes(movie.bytes)
    let file = try #require(try ISOFile.read(from: source))
    #expect(try file.samples(of: file.tracks[0], in: source)?.stalledCount == count)
    #expect(file.tracks[0].stalledSampleCount == count)
  }

  @Test func emptySamplesAreReported() throws {
    var movie = SampleMovie()
    movie.tracks[0].sizes = [0, 0, 0, 0]
    #expect(
      try #require(try ISOFile.read(movie.bytes)).tableProblems.contains { $0.contains(/\b4 \w+ 4 \w/) })
  }

  @Test func withoutASyncTableEverySampleIsASyncSample() throws {
    var movie = SampleMovie()
    movie.tracks[0].syncSamples = nil
    #expect(try ISOFile.read(movie.bytes)?.tracks.first?.syncSampleCount == 4)
  }

  @Test(arguments: [true, false])
  func fastStartDependsOnTheOrderOfTheBoxes(isFastStart: Bool) throws {
    var movie = SampleMovie()
    movie.isFastStart = isFastStart
    #expect(try ISOFile.read(movie.bytes)?.isFastStart == isFastStart)
  }

  @Test(
    arguments: [
      ([], 4.0 / 30), ([(100, 0)], 0.1), ([(500, -1), (100, 1000)], 0.6), ([(0, 1000)], 0.1), ([(0, 9000)], 0),
      // Longer than the media, after its end, and only an empty edit.
      ([(9000, 0)], 4.0 / 30), ([(9000, 9000)], 0), ([(500, -1)], 0.5 + 4.0 / 30),
    ] as [([(UInt32, Int32)], Double)])
  func editsDetermineThePresentation(edits: [(UInt32, Int32)], seconds: Double) throws {
    var movie = SampleMovie()
    movie.tracks[0].edits = edits
    let track = try #require(try ISOFile.read(movie.bytes)?.tracks.first)
    #expect(track.edits.count == edits.count)
    #expect(track.edits.map(\.mediaTime) == edits.map { $0.1 < 0 ? nil : Int64($0.1) })
    #expect(abs((track.presentationSeconds ?? -1) - seconds) < 1e-9)
  }

  @Test(
    arguments: [
      ([(4, 1000)], false), ([(2, 1000), (1, 1001), (1, 1000)], false), ([(3, 1000), (1, 5000)], false),
      ([(2, 1000), (2, 2000)], true), ([(1, 1000), (1, 1200), (2, 1000)], true),
      // 30 Hz in a timescale of milliseconds.
      ([(1, 33), (1, 34), (2, 33)], false),
    ] as [([(UInt32, UInt32)], Bool)])
  func variableFrameRateExceedsRounding(durations: [(UInt32, UInt32)], isVariable: Bool) throws {
    var movie = SampleMovie()
    movie.tracks[0].durations = durations
    #expect(try ISOFile.read(movie.bytes)?.tracks.first?.hasVariableFrameRate == isVariable)
  }

  @Test(arguments: [false, true])
  func missingBytesOfATruncatedFileAreCounted(uses64BitOffsets: Bool) throws {
    var movie = SampleMovie()
    movie.tracks[0].uses64BitOffsets = uses64BitOffsets
    let file = try #require(try ISOFile.read(movie.bytes.dropLast(15)))
    #expect(file.missingByteCount == 15)
    #expect(file.anomalies.count == 2 && file.anomalies.allSatisfy { $0.contains("15 bytes") }, "\(file.anomalies)")
  }

  @Test func missingMovieBoxIsReported() throws {
    var writer = BoxWriter()
    writer.box("ftyp") { $0.fourCC("isom") }
    writer.box("mdat") { $0.zeros(9) }
    let file = try #require(try ISOFile.read(writer.bytes))
    #expect(file.anomalies.count == 1 && file.anomalies[0].contains("moov"), "\(file.anomalies)")
    #expect(file.isFastStart == nil)
  }

  @Test(arguments: ["", "{\"a\": 1}", "RIFF....AVI LIST", "\u{1A}E\u{DF}\u{A3}", "moov"])
  func otherFormatsAreNotRead(text: String) throws {
    #expect(try ISOFile.read(Array(text.utf8)) == nil)
  }

  @Test func fragmentsAreAddedToTheirTrack() throws {
    var movie = SampleMovie()
    movie.movieBoxes = { moov in
      moov.box("mvex") { mvex in
        mvex.fullBox("trex") { box in
          for value in [1, 1, 1000, 8, 0x1_0000] as [UInt32] { box.u32(value) }
        }
      }
    }
    movie.after = { writer in
      // Individual sizes, a key frame first, data after the header.
      writer.box("moof") { moof in
        moof.box("traf") { traf in
          traf.fullBox("tfhd", flags: 0x20000) { $0.u32(1) }
          traf.fullBox("trun", flags: 0x205) { box in
            box.u32(3)
            box.u32(76)
            box.u32(0)
            for size in [5, 6, 7] as [UInt32] { box.u32(size) }
          }
        }
      }
      writer.box("mdat") { $0.zeros(18) }
    }
    let file = try #require(try ISOFile.read(movie.bytes))
    let track = try #require(file.tracks.first)
    #expect(file.isFragmented)
    #expect(track.sampleCount == 7)
    #expect(track.syncSampleCount == 2)
    #expect(track.mediaDurationTicks == 7000)
    #expect(track.byteEnd == file.byteCount)
    #expect(file.anomalies.isEmpty)
  }

  @Test func trailerIsRecognized() throws {
    var movie = SampleMovie()
    movie.after = { writer in
      writer.zeros(38)
      writer.append([78, 0, 0, 0, 3, 0, 0, 0])
      writer.text("8db42d694ccc418790edff439fe026bf")
    }
    let file = try #require(try ISOFile.read(movie.bytes))
    #expect(file.trailer?.kind == .insta360)
    #expect(file.trailer?.range == file.byteCount - 78..<file.byteCount)
  }
}
