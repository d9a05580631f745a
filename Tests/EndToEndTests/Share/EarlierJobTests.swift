import ClipModel
import DurableFiles
import Foundation
import GRDB
import ShareEngine
import TestSupport
import Testing

extension EndToEnd {
  /// Jobs in a journal that commit 23cbbbb wrote are finished by this version.
  @Suite struct EarlierJobTests {
    enum Job: String, CaseIterable, Sendable {
      case planned
      case processed

      var id: String {
        self == .planned ? "417931a4-7275-48ba-8cd4-2612ae28467d" : "f6c12603-19f4-4545-b7a5-b2a4f6613d1b"
      }

      var highlight: String {
        self == .planned ? "88A3C669-B7BE-4001-AD94-B3777D265C92" : "3CAE48C4-9B50-45B8-8C18-D9C6E7D25894"
      }

      var document: String { self == .planned ? EarlierJobTests.planned : EarlierJobTests.processed }
    }

    @Test(arguments: Job.allCases) func jobOfEarlierVersionIsFinished(_ job: Job) async throws {
      let home = try BSCHome()
      let (places, clip) = (try home.places, try home.clip("rally-portrait"))
      let folder = places.jobsFolder + "/" + job.id
      try places.createStateFolders()
      try FileManager.default.createDirectory(
        atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
      let source = try Data(contentsOf: URL(filePath: clip))
      let digest = FileDigest.sha256(of: source)
      var text = job.document.replacing("{clip}", with: clip).replacing("{folder}", with: folder)
        .replacing("{source-size}", with: "\(source.count)").replacing("{source-digest}", with: digest)
        .replacing("{note}", with: Self.note)
      if job == .processed {
        let made = SharedMedia.sample("no-metadata.mp4")
        try FileManager.default.copyItem(atPath: made, toPath: folder + "/clip.mp4")
        try Data(count: 112_640).write(to: URL(filePath: folder + "/clip-poster.jpg"))
        let bytes = try Data(contentsOf: URL(filePath: made))
        text = text.replacing("{size}", with: "\(bytes.count)")
          .replacing("{digest}", with: FileDigest.sha256(of: bytes))
      }
      try await DatabaseQueue(path: places.journalFile).write { [text] database in
        try database.execute(sql: Self.schema)
        try database.execute(
          sql: "INSERT INTO job VALUES (?, ?, ?, 'local', ?, 0, 1795472300, 1795472301, ?)",
          arguments: [job.id, clip, digest, job.rawValue, text])
      }
      let resume = try await home.run("resume", "--json")
      #expect(resume.status == 0, "\(resume)")
      let notes = try #require(try ShareAnswer.all(in: resume.output).first?.notes)
      #expect(notes.contains(Self.note) == (job == .processed), "\(notes)")
      let highlights = try await home.highlights()
      #expect(highlights.map(\.id.uuidString) == [job.highlight])
      #expect(highlights.first?.caption == "Match point #spike")
    }

    /// The journal is unchanged, and the exit code is that of the setup.
    @Test func journalOfNewerVersionIsRefused() async throws {
      let home = try BSCHome()
      #expect(try await home.run("jobs").status == 0)
      let path = try home.places.journalFile
      try await DatabaseQueue(path: path).write {
        try $0.execute(sql: "INSERT INTO grdb_migrations VALUES ('9 from the future')")
      }
      for command in [["jobs"], ["resume"], ["share", try home.clip("rally-portrait")]] {
        #expect(try await home.run(command).status == 5, "\(command)")
      }
      let jobCount = try await DatabaseQueue(path: path).read { try Int.fetchOne($0, sql: "SELECT count(*) FROM job") }
      #expect(jobCount == 0)
    }

    private static let schema = """
      CREATE TABLE grdb_migrations (identifier TEXT NOT NULL PRIMARY KEY);
      INSERT INTO grdb_migrations VALUES ('1 jobs'), ('2 digests');
      CREATE TABLE "job" ("id" TEXT PRIMARY KEY NOT NULL, "sourcePath" TEXT NOT NULL, "sourceSHA256" TEXT NOT NULL,
        "backend" TEXT NOT NULL, "stage" TEXT NOT NULL, "isFinal" INTEGER NOT NULL, "createdAt" INTEGER NOT NULL,
        "updatedAt" INTEGER NOT NULL, "job" TEXT NOT NULL) STRICT;
      CREATE INDEX "job_on_sourceSHA256" ON "job"("sourceSHA256");
      CREATE TABLE "digest" ("device" INTEGER NOT NULL, "inode" INTEGER NOT NULL, "byteCount" INTEGER NOT NULL,
        "modifiedNanoseconds" INTEGER NOT NULL, "sha256" TEXT NOT NULL, "usedAt" INTEGER NOT NULL,
        PRIMARY KEY ("device", "inode", "byteCount", "modifiedNanoseconds")) STRICT, WITHOUT ROWID;
      """

    /// The job of `bsc share rally-portrait.mp4 --height 720 --caption "Match point #spike"`, killed after the plan.
    private static let planned = """
      {"attempt":0,"backend":"local","createdAt":1795472300,"highlightID":"88A3C669-B7BE-4001-AD94-B3777D265C92",\
      "id":"417931A4-7275-48BA-8CD4-2612AE28467D","rally":{"confidence":0.8731,"detectionCount":50,"index":0,\
      "quality":0.9124,"videoID":"415C8FFD-B051-56D0-8EC8-7C3F1E79F16A"},"request":{"caption":"Match point \
      #spike","hideLikes":false,"metadata":{"isOptional":false,"mode":"auto"},"privacy":"public","settings":{\
      "codec":"h264","constantRateFactor":21,"keepsHDR":false,"longSide":1280,"mute":false,"pictures":{\
      "animationByteLimit":5000000,"animationFormats":["webp","gif"],"animationFrameRate":15,"animationSeconds":5,\
      "format":"jpeg","kinds":["poster"],"picksBest":false,"posterSeconds":2,"usesKeyFrames":false},\
      "salvages":false,"shortSide":720,"usesHardware":false}},"source":{"byteCount":{source-size},"path":"{clip}",\
      "sha256":"{source-digest}"},"stage":{"planned":{"_0":{\
      "audio":{"copy":{"trackIndex":1}},"decisions":[{"what":"video: h264 1920x1080 to H.264 1280x720",\
      "why":"1920x1080 is larger than 1280x720"},{"what":"audio: copy AAC","why":"it is played everywhere, and \
      copying loses nothing"}],"dropped":[{"what":"moov/meta/ilst/com.apple.quicktime.location.ISO6709 \
      (apple-iso6709)","why":"it can tell where the clip was filmed"},{"what":"moov/udta/©xyz (quicktime-xyz)",\
      "why":"it can tell where the clip was filmed"},{"what":"track 3 (gpmd) (gopro-gpmf)","why":"it can tell \
      where the clip was filmed"},{"what":"container metadata (com.apple.quicktime.creationdate, \
      com.apple.quicktime.location.ISO6709, com.apple.quicktime.make, com.apple.quicktime.model, location, \
      location-eng)","why":"it may name the device or its owner; the capture date stays"}],"durationSeconds":4.5,\
      "estimatedByteCount":1471321,"pictures":[{"atSeconds":2,"format":"jpeg","kind":"poster","maximumSide":1280,\
      "play":[0.5,4],"quality":85}],"video":{"transcode":{"encoding":{"bufferBits":15200000,"codec":"h264",\
      "constantRateFactor":21,"frameRateDivisor":1,"keyFrameIntervalSeconds":10,"maximumBitsPerSecond":7600000,\
      "sizeCap":{"bitsPerSecond":2426368,"byteCount":1478685,"floorBitsPerSecond":829440,"isPromise":false},\
      "usesHardware":false},"steps":[{"scale":{"height":720,"width":1280}}],"trackIndex":0}}}}},\
      "updatedAt":1795472301}
      """

    /// A note of that commit, which stored notes as texts.
    private static let note = "private messages were cut out of 2 pictures; the pictures are the same"

    /// The job of `bsc share rally-portrait.mp4 --caption "Match point #spike"`, killed after processing, with an
    /// additional note.
    private static let processed = """
      {"attempt":0,"backend":"local","createdAt":1795472302,"highlightID":"3CAE48C4-9B50-45B8-8C18-D9C6E7D25894",\
      "id":"F6C12603-19F4-4545-B7A5-B2A4F6613D1B","rally":{"confidence":0.8731,"detectionCount":50,"index":0,\
      "quality":0.9124,"videoID":"415C8FFD-B051-56D0-8EC8-7C3F1E79F16A"},"request":{"caption":"Match point \
      #spike","hideLikes":false,"metadata":{"isOptional":false,"mode":"auto"},"privacy":"public","settings":{\
      "codec":"h264","constantRateFactor":21,"keepsHDR":false,"longSide":1920,"mute":false,"pictures":{\
      "animationByteLimit":5000000,"animationFormats":["webp","gif"],"animationFrameRate":15,"animationSeconds":5,\
      "format":"jpeg","kinds":["poster"],"picksBest":false,"posterSeconds":2,"usesKeyFrames":false},\
      "salvages":false,"shortSide":1080,"usesHardware":false}},"source":{"byteCount":{source-size},"path":"{clip}",\
      "sha256":"{source-digest}"},"stage":{"processed":{"_0":{\
      "byteCount":{size},"notes":["{note}"],"path":"{folder}/clip.mp4","pictures":[{"byteCount":112640,"height":1280,\
      "kind":"poster","notes":[],"path":"{folder}/clip-poster.jpg","seconds":[2],"width":720}],"probe":{\
      "anomalies":[],"audioTracks":[{"bitsPerSecond":127362,"channelCount":2,"channelLayout":"2 channels",\
      "codec":"aac","codecTag":"mp4a","durationSeconds":4.5,"hasSimpleEdits":true,\
      "hiddenSeconds":0.02133333333333365,"index":1,"isDefault":true,"sampleRate":48000,"stalledSampleCount":0,\
      "startSeconds":0}],"byteCount":1474987,"captureDate":"2026-02-20T18:42:05.000000Z",\
      "compatibleBrands":["isom","iso2","avc1","mp41"],"container":"mov,mp4,m4a,3gp,3g2,mj2","dataTracks":[],\
      "deviceCarriers":[],"durationSeconds":4.5,"isEncrypted":false,"isFastStart":true,"isFragmented":false,\
      "locationCarriers":[],"majorBrand":"isom","metadataKeys":["creation_time"],"missingByteCount":0,\
      "tableProblems":[],"videoTracks":[{"averageFrameRate":"30/1","bitDepth":8,"bitsPerSecond":2483486,\
      "codec":"h264","codecTag":"avc1","color":{"chromaLocation":"left","dynamicRange":"sdr","matrix":"bt709",\
      "primaries":"bt709","range":"tv","transfer":"bt709"},"durationSeconds":4.5,"fieldOrder":"progressive",\
      "frameCount":135,"gop":{"averageSeconds":0.9,"highestBitsPerSecond":2766192,"isClosed":true,\
      "keyFrameCount":5,"keyFrameSeconds":[0,1,2,3,4],"longestSeconds":1},"hasParameterSets":true,\
      "hasSimpleEdits":true,"hasVariableFrameRate":false,"height":1080,"hiddenSeconds":0,"index":0,\
      "isAttachedPicture":false,"isDefault":true,"level":40,"orientation":{"clockwiseDegrees":90,\
      "isMirrored":false},"pixelFormat":"yuv420p","profile":"High","realFrameRate":"30/1","stalledSampleCount":0,\
      "startSeconds":0,"width":1920}]},"removed":["moov/meta/ilst/com.apple.quicktime.location.ISO6709 \
      (apple-iso6709)","moov/udta/©xyz (quicktime-xyz)","track 3 (gpmd) (gopro-gpmf)","container metadata \
      (com.apple.quicktime.creationdate, com.apple.quicktime.location.ISO6709, com.apple.quicktime.make, \
      com.apple.quicktime.model, location, location-eng)"],"sha256":"{digest}"}}},"updatedAt":1795472303}
      """
  }
}
