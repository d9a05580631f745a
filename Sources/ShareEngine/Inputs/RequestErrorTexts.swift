package import ClipModel

// Errors about requests: inputs, outputs, and the jobs and highlights that requests name.

// MARK: Inputs

extension ErrorText {
  static let address = ErrorText(
    "source.address", "cannot read (a URL)", "bsc works only with files on this machine", .noInput)
  static let folderAsClip = ErrorText(
    "source.folder", "cannot share {file}", "it is a folder, and each clip becomes a separate highlight", .noInput)
  static let noVideos = input("source.no-videos", "it contains no videos")
  static let noSelectedVideos = input("source.no-selected-videos", "none of its videos is selected")
  static let onlyResults = input("source.only-results", "it contains only results of an earlier run")
  static let noFolder = ErrorText("source.no-folder", "cannot watch {file}", "there is no such folder", .usage)
  static let emptyFile = input("source.empty", "the file is empty")
  static let tooSlow = ErrorText(
    "source.timeout", "cannot check {file}", "the check takes longer than {seconds} s", .unjudged)
  static let notBatchFolder = ErrorText(
    "batch.no-results", "cannot read {file}", "it contains no batch results", .noInput)
  static let notBatchReport = ErrorText(
    "batch.bad-report", "cannot read {file}", "line {line} is not a batch record", .usage)
  package static let captions = ErrorText("share.captions", "cannot use the captions in {list}", "{reason}", .usage)
  static let sameClips = ErrorText(
    "share.same-clips", "cannot share the clips together", "{file} is the same clip as {other}", .usage)

  private static func input(_ id: String, _ why: String, _ category: FailureCategory = .usage) -> ErrorText {
    ErrorText(id, "cannot {verb} {file}", why, category)
  }
}

// MARK: Outputs

extension ErrorText {
  static let outputAddress = ErrorText(
    "output.address", "cannot write to (a URL)", "bsc {verb} writes files on this machine", .usage)
  package static let report = ErrorText("output.report", "cannot write the report {report}", "{reason}", .usage)
  static let outputNotMP4 = output("not-mp4", "the result is an MP4 file")
  static let outputNamedLikeVideo = output(
    "named-like-video", "the name is that of a video file, but several results require a folder")
  static let outputOccupied = output("occupied", "{reason}")
  static let outputIsInput = output("is-input", "it is the input file")
  static let outputIsOtherInput = input("output.is-other-input", "{output} is also an input file")
  static let sameOutput = input("output.same", "both would be written to {output}")
  static let sameOutputOfMany = input(
    "output.same-in-batch", "another file would also be written to {output}", .unjudged)
  static let outputFolder = output("folder", "{reason}")
  static let severalPictures = output("several-pictures", "{kinds} are separate pictures")
  static let wrongPictureName = output(
    "picture-name", "the result is a {format} file, but the name has a different extension")
  static let indexOverMetadata = output("index-over-metadata", "its index would replace the clip's rally metadata")
  static let replacedByParent = ErrorText(
    "replace.by-parent", "cannot replace in {folder}", "its sources were already replaced as part of {parent}", .usage)
  static let replacedSeparately = ErrorText(
    "replace.separately", "cannot replace in {folder}", "sources in it were already replaced in a separate run", .usage)
  static let nothingReplaced = ErrorText(
    "undo.nothing", "cannot undo in {folder}", "no sources were replaced there", .noInput)
  static let undoAbove = ErrorText(
    "undo.above", "cannot undo in {folder}", "its sources are in the trash of {parent}", .noInput)
  static let notSalvageable = ErrorText(
    "cut.not-salvageable", "cannot process {file}",
    "the match is damaged there, and no part of the rally can be recovered ({reason})", .rejected)
  static let cutLocked = ErrorText(
    "cut.locked", "cannot cut into {folder}", "another bsc cut process is using it", .locked)

  private static func output(_ reason: String, _ why: String) -> ErrorText {
    ErrorText("output.\(reason)", "cannot write {output}", why, .usage)
  }
}

// MARK: Jobs, highlights and backends

extension ErrorText {
  static let jobSourceGone = ErrorText("job.source-gone", "cannot resume {file}", "{reason}", .noInput)
  static let jobOfOtherBackend = input(
    "job.other-backend", "its job belongs to the backend {backend}, not {current}")
  static let jobsOfOtherBackend = ErrorText(
    "job.backend-not-selected", "cannot resume {jobs} of the backend {backend}",
    "the settings select the backend {current}", .notConfigured)
  static let highlightNotFound = ErrorText(
    "highlight.not-found", "cannot find the highlight {highlight}", "no highlight has this ID", .noInput)
  static let highlightShort = ErrorText(
    "highlight.short-id", "cannot find {highlight}", "at least four characters of the ID are required", .usage)
  static let highlightAmbiguous = ErrorText(
    "highlight.ambiguous", "cannot find {highlight}", "{count} highlights have an ID that starts with this", .usage)
  static let supabaseNotSet = ErrorText(
    "settings.supabase", "cannot use Supabase", "{setting} is not set", .notConfigured)
  static let muxNotSet = ErrorText("settings.mux", "cannot use Mux", "{settings} not set", .notConfigured)
  package static let backendSilent = ErrorText(
    "backend.silent", "cannot reach the local backend", "a server is using its folder, but does not respond", .remote)
  static let backendUnsupported = ErrorText(
    "backend.unsupported", "cannot do this on the backend {backend}", "the backend does not support it", .notConfigured)
  static let backendTimeout = ErrorText(
    "backend.timeout", "cannot reach the backend", "no response within {seconds} seconds", .remote)
}
