import ClipModel
import Foundation

@testable import ClipMedia
@testable import DurableFiles
@testable import Highlights
@testable import ISOMedia
@testable import LibAV
@testable import LibCurl
@testable import LocalBackend
@testable import Privacy
@testable import Recruiting
@testable import Reports
@testable import ShareEngine
@testable import Social
@testable import TablePDF
@testable import Upload
@testable import bsc

/// An error of each kind, with placeholders as in `ErrorText` for what differs from case to case.
enum ErrorSamples {
  static let all: [Explanation] = {
    let groups: [[any ExplainedError]] = [
      clips, strips, remuxes, rewrites, codecs, boxes, readFailures, writeFailures, files.compactMap(\.self), uploads,
      fileUploads,
      highlights, social, recruiting, documents, accounts, servers, transfers,
    ]
    let samples = texts.map { text in
      Explanation(id: text.id, what: text.what, why: text.why, facts: facts, category: text.category)
    }
    // Refusals have all their facts.
    return (samples + groups.flatMap(\.self).map(\.explanation)).flatMap(variants)
      + refusals.map { $0.makeFailure(name).explanation }
  }()

  static let texts = engineTexts + commandTexts

  private static let factsWithAdvice = Advice.table.keys.compactMap {
    $0.wholeMatch(of: /(.+)\/(\w+)=(.+)/)?.output
  }

  /// Also with each value of a fact that has its own advice, unless the sample has a value for it.
  private static func variants(_ sample: Explanation) -> [Explanation] {
    let isOpen = { (fact: Substring) in sample.facts[String(fact)]?.hasPrefix("{") ?? true }
    return [sample]
      + factsWithAdvice.filter { $0.1 == sample.id && isOpen($0.2) }.map { _, _, fact, value in
        var variant = sample
        variant.facts[String(fact)] = String(value)
        return variant
      }
  }

  /// Every fact has its own name as its value, so that templates of advice can be filled.
  static let facts = Dictionary(
    uniqueKeysWithValues: Set(
      Advice.table.values.flatMap(\.self).flatMap { $0.matches(of: /\{(\w+)\}/).map { String($0.1) } }
    )
    .map { ($0, "{\($0)}") })

  private static let engineTexts: [ErrorText] = [
    .renewalLocked, .videoMissing, .videoFailed, .sourceChanging, .sourceMissing, .sourceChanged, .outputDiskFull,
    .jobDiskFull, .appFileMissing, .appFileDamaged, .cutAfterEnd, .noRallies, .cutMetadataChanged, .postIncomplete,
    .metadataRequired, .noPostsAtMux, .postRefused, .uploadLocked, .uploadOtherFile, .registryLocked, .jobNotFound,
    .jobAmbiguous, .jobLocked, .jobUnreadable, .jobFinished,
    .postRegistered, .jobUploaded, .jobForgotten, .journalNewer, .journalOnNetwork, .journalDamaged,
    .journalDiskFull, .journalUnusable, .journalFailed, .journalBusy, .noHome, .settingUnknown, .settingInvalid,
    .settingsNotUTF8, .settingsSyntax, .settingNotScalar, .settingOfUser, .settingSecret, .settingOfRules,
    .settingNotEditable, .ruleUnknown, .ruleSeverity, .ruleWithoutBounds, .ruleNumber, .ruleField, .ruleBounds,
    .batchLink, .batchLocked, .batchOtherSplit, .batchNotFinished, .twinChanged, .shardUnnumbered, .shardOutOfRange,
    .shardMalformed, .replaceLink, .replaceNameTooLong, .replaceCannotSwap, .undoFailed, .undoUnknownFile,
    .undoTrashChanged, .undoOccupied, .noFamily, .severalFamilies, .importSyntax, .noShareURL,
    .sendingLocked, .noSyncToken, .nothingToSync, .syncFailed,
  ]

  private static let commandTexts: [ErrorText] = [
    .unexpected, .noMessage, .interrupted, .unknownCommand, .dashedFile, .wrongArguments, .noTerminal,
    .resultNotWritten, .address, .nameNotUTF8, .listNotUTF8, .folderAsClip, .noVideos, .noSelectedVideos,
    .onlyResults, .noFolder, .emptyFile, .tooSlow, .notBatchFolder, .notBatchReport, .reportMissing,
    .reportNotOfBatch, .failedBefore, .captions, .outputAddress, .report, .outputNotMP4, .outputNamedLikeVideo,
    .outputOccupied, .outputIsInput, .outputIsOtherInput, .sameOutput, .sameOutputOfMany, .outputFolder,
    .severalPictures, .wrongPictureName, .indexOverMetadata, .noColors, .replacedByParent, .replacedSeparately,
    .nothingReplaced, .undoAbove, .notSalvageable, .cutLocked, .onlyMetadata, .sameClips,
    .refusedByRule, .jobSourceGone, .jobOfOtherBackend, .jobsOfOtherBackend, .highlightNotFound, .highlightShort,
    .highlightAmbiguous, .personNotFound, .pictureUnreadable, .pictureTooLarge, .socialQueueLocked, .noPollOption,
    .highlightNotYours, .highlightNotServed,
    .deletionUnconfirmed, .trimUnconfirmed, .trimOutside, .trimLength, .captionTooLong, .recruitingUnconfirmed,
    .noSyncTokenText,
    .noUploadURL, .wrongUploadURL, .exposedUploadURL, .supabaseNotSet, .muxNotSet, .backendSilent,
    .backendUnsupported, .backendTimeout, .alreadyServing, .tokenWithoutHost, .noTokenFile, .noToken, .weakToken,
    .noPassword, .otherAccount, .accountDeletionUnconfirmed, .noRule,
  ]

  private static let name = "{file}"
  private static let reason = "{reason}"

  private static let clips: [ClipMediaError] = [
    .notMedia(name: name, why: reason),
    .refused(name: name, [Finding(rule: "clip.duration", severity: .error, message: "{message}")]),
    .noVideo(name: name), .cutOff(name: name), .damaged(name: name, seconds: 1.5, why: reason),
    .noFrames(name: name), .verification(name: name, why: reason), .leftover(name: name, place: "{place}"),
    .tooBig(name: name, byteCount: 3_100_000, limit: 2_000_000),
    .pictureTooBig(name: name, byteCount: 3_100_000, limit: 2_000_000), .changed(name: name),
  ]

  private static let strips: [StripError] = [
    .cannotRemove(name: name, place: "{place}", why: reason), .unjudged(name: name, why: reason),
    .incomplete(name: name, why: reason), .leftover(name: name, place: "{place}"),
    .notIdentical(name: name, why: reason), .unknownContainer(name: name),
  ]

  private static let remuxes: [RemuxError] = [
    .unsupported(name: name), .programStream(name: name), .cutOff(name: name),
    .noPlace(name: name, track: 0, codec: "{codec}"), .lateTrack(name: name, track: 0),
    .otherTimes(name: name, track: 0, codec: "{codec}"), .noTime(name: name, track: 0, codec: "{codec}"),
    .cannotCut(name: name, track: 0, kind: "{kind}"),
  ]

  private static let rewrites: [MovieRewriteError] = [
    .truncated(name: name, missingByteCount: 3_100_000), .damaged(name: name, why: reason),
    .unsupported(name: name, why: reason),
  ]

  private static let codecs: [any ExplainedError] = [
    FFmpegError(-ENOSPC, call: "av_write_trailer", subject: "{output}"),
    FFmpegError(-EIO, call: "av_read_frame", subject: name), FFmpegError(-ENOSYS, call: "bwdif", subject: name),
    FFmpegError(missingLibrary: reason),
    // AVERROR_INVALIDDATA
    FFmpegError(-1_094_995_529, call: "av_read_frame", subject: name),
    FFmpegError(-EINVAL, call: "avformat_write_header", subject: "{output}"),
    ZimgError(call: "{call}", reason: reason),
  ]

  private static let boxes: [ISOMediaError] = [
    .interrupted, .cannotOpen(path: name, reason: reason, isMissing: false, isTransient: true),
    .cannotOpen(path: name, reason: reason, isMissing: true, isTransient: false),
    .cannotOpen(path: name, reason: reason, isMissing: false, isTransient: false), .notAFile(path: name),
    .cannotRead(path: name, offset: 12, reason: reason, isTransient: true),
  ]

  private static let readCodes: [Int32] = [ENOENT, ENOTDIR, EISDIR, EACCES, ELOOP, ENAMETOOLONG, EMFILE]
  private static let writeCodes: [Int32] = [
    ENOENT, ENOTDIR, EISDIR, EEXIST, EACCES, ENOSPC, EDQUOT, EFBIG, EIO, EROFS, ELOOP, ENAMETOOLONG, EMFILE, EBADF,
  ]
  private static let readFailures = readCodes.map { DurableFileError(.read(name), errno: $0) }
  private static let writeFailures = writeCodes.map { DurableFileError(.write("{output}"), errno: $0) }

  private static let files: [DurableFileError?] = [
    .changedSinceRead(replacing: name), .changedDuringRead(name), .notRegularFile(.read(name), mode: S_IFDIR),
    .notRegularFile(.write("{output}"), mode: S_IFDIR),
    DurableFileError("file.owner-not-kept", .write("{output}"), why: reason, .inputOutput),
    DurableFileError("file.foreign-owner", .read(name), why: "{path} belongs to another user", .notConfigured),
    DurableFileError(
      "file.not-private", .read(name), why: "other users may read {path} (mode 0644)",
      facts: ["permissions": "{permissions}", "path": "{path}"], .notConfigured),
    DurableFileError("file.name-not-utf8", .read(name), why: "its name is not UTF-8", .unjudged),
    DurableFileError("file.too-big", .read(name), why: "it is larger than 1048576 bytes", .unjudged),
    DurableFileError("file.not-a-folder", .createFolder(name), why: reason, .inputOutput),
  ]

  private static let uploads: [UploadError] = [
    .urlExpired(status: nil), .urlExpired(status: 403), .unreachable(reason: reason), .serverDiskFull,
    .cancelledRemotely, .refused(status: 400, reason: reason), .unknownSizeRefused(status: 400),
    .protocolViolation(reason), .contentMismatch(reason),
    .sourceChanged("changed while it was sent"), .sourceUnreadable("cannot be read: {reason}"),
  ]

  private static let fileUploads = uploads.map { CommandFailure($0.explanation(forFile: name)) }

  private static let highlights: [HighlightsError] = [
    .unreachable(operation: "{operation}", reason: reason), .backendDiskFull(operation: "{operation}"),
    .notAuthorized(operation: "{operation}", reason: reason),
    .refused(operation: "{operation}", status: 500, reason: reason), .alreadyRegistered,
    .alreadyUploaded(uploadID: "{upload}"), .tokenRefused(operation: "{operation}", reason: reason),
    .highlightsUnsupported(operation: "{operation}"), .highlightTaken,
    .unreadableAnswer(operation: "{operation}", reason: reason), .clipRejected(reason: reason),
    .backendFailed(reason: reason), .uploadCancelled, .uploadTimedOut,
    .notReadyInTime(seconds: 600),
  ]

  private static let social: [SocialError] = [
    .unreachable(operation: "{operation}", reason: reason), .notAuthorized(operation: "{operation}", reason: reason),
    .forbidden(operation: "{operation}", reason: reason), .notFound(operation: "{operation}"),
    .conflict(operation: "{operation}", reason: reason), .invalid(operation: "{operation}", reason: reason),
    .refused(operation: "{operation}", status: 500, reason: reason),
    .unreadableAnswer(operation: "{operation}", reason: reason), .emptyText(operation: "{operation}"),
    .textTooLong(operation: "{operation}", count: 501, limit: 500),
    .storage(operation: "{operation}", reason: reason), .storageNewer(path: "{path}"), .emptySearch,
    .unreadableAction, .pictureTooLarge(byteCount: 2_000_000, limit: 1_048_576),
  ]

  private static let recruiting = RecruitingError.ID.allCases.map { RecruitingError($0, facts) }

  private static let documents: [TablePDFError] = [.libraryMissing(reason: reason), .failed(reason: reason)]

  private static let accounts: [AuthError] = [
    .refused(code: "{code}", reason: reason), .sessionExpired(reason: reason), .unreachable(reason: reason),
    .unreadableAnswer, .notSignedIn, .serverKey, .invalidKey, .browser(reason: reason),
  ]

  private static let servers: [LocalBackendError] = [
    .folderInUse(path: "{path}"), .portTaken(7437), .folderUnusable(path: "{path}", reason: reason),
    .databaseUnusable(path: "{path}", reason: reason), .diskFull(path: "{path}"),
    .addressElsewhere(host: "{host}", own: ["{addresses}"]), .portForbidden(80), .cannotListen(reason: reason),
    .webhookElsewhere(host: "{host}"),
  ]

  private static let transferCodes: [CurlError.Code] = [
    .certificateRefused, .stalled, .proxyRefused, .unknownHost, .libraryMissing,
  ]
  private static let transfers = transferCodes.map { CurlError(code: $0, host: "{host}", message: reason) }

  private static let refusals: [ShareRefusal] = [
    .conflict(job()), .conflict(job(isPost: true)), .differs(job(), differences, clipCount: 1),
    .differs(job(), [.order], clipCount: 2), .differs(job(backend: "mux"), [.settings], clipCount: 1),
    .differs(job(), [.recipients], clipCount: 1), .exportDiffers(id, differences), .exportDiffers(id, [.recipients]),
    .unreachable(AuthError.unreachable(reason: reason).explanation),
  ]

  private static let differences: [ShareDifference] = [.caption("x"), .privacy(now: .followersOnly, wanted: .everyone)]
  private static let id = UUID(uuid: (0x3F, 0x2A, 0x51, 0xC0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))

  private static func job(isPost: Bool = false, backend: String = "local") -> ShareJob {
    ShareJob(
      id: id, source: SourceFile(path: "/{file}", byteCount: 1, sha256: ""), request: ShareRequest(), highlightID: id,
      post: isPost ? PostPart(part: 0, count: 2) : nil, backend: backend, createdAt: 0)
  }
}
