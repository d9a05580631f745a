package import ClipModel

// Error texts for the inputs and outputs of requests, and for the jobs and highlights that users specify.

// MARK: Inputs

extension ErrorText {
  static let address = ErrorText(
    "source.address", "cannot read (a URL)", "bsc can only read local files", .noInput)
  static let folderAsClip = ErrorText(
    "source.folder", "cannot share {file}", "the path is a folder, but only individual clips can be shared", .noInput)
  static let noVideos = inputError("source.no-videos", "no videos were found")
  static let noSelectedVideos = inputError("source.no-selected-videos", "no videos match the filters")
  static let onlyResults = inputError("source.only-results", "the only videos are results from an earlier run")
  static let noFolder = ErrorText("source.no-folder", "cannot watch {file}", "there is no such folder", .usage)
  static let emptyFile = inputError("source.empty", "the file is empty")
  static let tooSlow = ErrorText(
    "source.timeout", "cannot check {file}", "the check exceeded the time limit of {seconds} s", .unjudged)
  static let notBatchFolder = ErrorText(
    "batch.no-results", "cannot read {file}", "the folder contains no batch results", .noInput)
  static let notBatchReport = ErrorText(
    "batch.bad-report", "cannot read {file}", "line {line} is not a batch record", .usage)
  package static let captions = ErrorText("share.captions", "cannot use the captions in {list}", "{reason}", .usage)
  static let sameClips = ErrorText(
    "share.same-clips", "cannot share the clips together", "{file} is the same clip as {other}", .usage)

  private static func inputError(_ id: String, _ why: String, _ category: FailureCategory = .usage) -> ErrorText {
    ErrorText(id, "cannot {verb} {file}", why, category)
  }
}

// MARK: Outputs

extension ErrorText {
  static let outputAddress = ErrorText(
    "output.address", "cannot write to (a URL)", "bsc {verb} can only write local files", .usage)
  package static let report = ErrorText("output.report", "cannot write the report {report}", "{reason}", .usage)
  static let outputNotMP4 = outputError("not-mp4", "the result is an MP4 file, but the name has a different extension")
  static let outputNamedLikeVideo = outputError(
    "named-like-video", "the name has a video file extension, but multiple results require a folder")
  static let outputOccupied = outputError("occupied", "{reason}")
  static let outputIsInput = outputError("is-input", "the output would overwrite an input file")
  static let outputIsOtherInput = inputError("output.is-other-input", "{output} is also an input file")
  static let sameOutput = inputError("output.same", "the results would be written to the same file: {output}")
  static let sameOutputOfMany = inputError(
    "output.same-in-batch", "a different result would also be written to {output}", .unjudged)
  static let outputFolder = outputError("folder", "{reason}")
  static let severalPictures = outputError(
    "several-pictures", "{kinds} are separate pictures and cannot be stored in the same file")
  static let wrongPictureName = outputError(
    "picture-name", "the result is a {format} file, but the name has a different extension")
  static let indexOverMetadata = outputError(
    "index-over-metadata", "the storyboard's index would replace the clip's rally metadata")
  static let replacedByParent = ErrorText(
    "replace.by-parent", "cannot replace files in {folder}",
    "the folder's sources were already replaced during a run on {parent}", .usage)
  static let replacedSeparately = ErrorText(
    "replace.separately", "cannot replace files in {folder}",
    "sources in the folder were already replaced in a separate run", .usage)
  static let nothingReplaced = ErrorText(
    "undo.nothing", "cannot undo replacements in {folder}", "no sources in the folder have been replaced", .noInput)
  static let undoAbove = ErrorText(
    "undo.above", "cannot undo replacements in {folder}", "the folder's sources are in the trash of {parent}", .noInput)
  static let notSalvageable = ErrorText(
    "cut.not-salvageable", "cannot process {file}",
    "the match is damaged during this rally, and no part of the rally can be recovered ({reason})", .rejected)
  static let cutLocked = ErrorText(
    "cut.locked", "cannot write the clips to {folder}", "another process is writing clips to this folder", .locked)

  private static func outputError(_ reason: String, _ why: String) -> ErrorText {
    ErrorText("output.\(reason)", "cannot write {output}", why, .usage)
  }
}

// MARK: Jobs, highlights and backends

extension ErrorText {
  static let jobSourceGone = ErrorText("job.source-gone", "cannot resume {file}", "{reason}", .noInput)
  static let jobOfOtherBackend = inputError(
    "job.other-backend", "the job belongs to the {backend} backend, not to {current}")
  static let jobsOfOtherBackend = ErrorText(
    "job.backend-not-selected", "cannot resume {jobs} on the {backend} backend",
    "the settings select the {current} backend", .notConfigured)
  static let highlightNotFound = ErrorText(
    "highlight.not-found", "cannot find the highlight {highlight}", "there is no highlight with this ID", .noInput)
  static let highlightShort = ErrorText(
    "highlight.short-id", "cannot find {highlight}", "enter at least four characters of the ID", .usage)
  static let highlightAmbiguous = ErrorText(
    "highlight.ambiguous", "cannot find {highlight}", "{count} highlight IDs start with these characters", .usage)
  static let captionTooLong = ErrorText(
    "highlight.caption-too-long", "cannot edit {highlight}",
    "the caption has {count} characters, but the limit is {limit}", .rejected)
  static let personNotFound = ErrorText(
    "social.no-person", "cannot find {person}", "the profile doesn't exist, or you can't see it", .noInput)
  static let pictureUnreadable = ErrorText(
    "social.picture-unreadable", "cannot use {path}", "it is not a complete JPEG, PNG or WebP file", .rejected)
  static let pictureTooLarge = ErrorText(
    "recruiting.picture-too-large", "cannot attach {path}", "the picture is larger than {limit}", .rejected)
  static let socialQueueLocked = ErrorText(
    "social.queue-locked", "cannot send the waiting actions",
    "another bsc process is still sending them after one minute", .locked)
  static let supabaseNotSet = ErrorText(
    "settings.supabase", "cannot use Supabase", "{setting} is not set", .notConfigured)
  static let muxNotSet = ErrorText("settings.mux", "cannot use Mux", "{settings} not set", .notConfigured)
  package static let backendSilent = ErrorText(
    "backend.silent", "cannot reach the local backend", "a server is using the backend's folder but is not responding",
    .remote)
  static let backendUnsupported = ErrorText(
    "backend.unsupported", "cannot do this on the {backend} backend", "the backend does not support this operation",
    .notConfigured)
  static let backendTimeout = ErrorText(
    "backend.timeout", "cannot reach the backend", "the backend did not respond within {seconds} s", .remote)
}
