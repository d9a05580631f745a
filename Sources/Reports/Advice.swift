package import ClipModel

/// The advice for errors, by ID. This is the only place that names commands and options.
package enum Advice {
  /// - Returns: the text after `next:`; `nil` for errors without advice.
  package static func text(for explanation: Explanation) -> String? {
    let facts = explanation.facts
    let variant = facts.map { "\(explanation.id)/\($0.key)=\($0.value)" }.sorted().compactMap { table[$0] }.first
    let templates = variant ?? table[explanation.id] ?? []
    return templates.lazy.compactMap { ErrorText.fill($0, facts) }.first
  }

  /// Templates by ID. `{file}` is a fact, and the first template whose facts are all known is used. A key
  /// `id/fact=value` applies to one value of a fact, and has priority.
  package static let table: [String: [String]] = {
    let tables = [common, files, clips, outputs, shares, backends, settings]
    let shared = Self.shared.flatMap { advice, ids in ids.map { ($0, [advice]) } }
    return Dictionary(uniqueKeysWithValues: tables.flatMap(\.self) + shared)
  }()

  /// Advice for several errors, with their IDs.
  private static let shared: [String: [String]] = [
    "report this: it is a bug in bsc": ["error.unexpected", "error.no-message", "strip.verification-failed"],
    "run the same command again": [
      "error.unknown", "file.changed", "clip.changed", "cut.metadata-changed", "batch.not-finished", "export.failed",
    ],
    "run \"bsc resume\" to continue where it stopped": [
      "error.interrupted/command=share", "error.interrupted/command=resume", "upload.unreachable",
    ],
    "run the same command again to continue where it stopped": [
      "error.interrupted/command=cut", "error.interrupted/command=upload", "upload.unreachable/sender=file",
    ],
    "check the path": ["file.not-found", "file.bad-path"],
    "choose another folder with -o, or replace it with --force": ["file.exists/command=cut", "output.occupied"],
    "check the owner and the permissions (ls -l)": ["file.no-permission", "file.cannot-open"],
    "free some space, then run the same command again": [
      "file.disk-full", "output.disk-full", "backend.local-disk-full",
    ],
    "check the disk or the connection to it, then run the same command again": [
      "file.io-error", "file.system-error", "output.libav-error",
    ],
    "choose a video file, for example .mp4 or .mov": ["source.empty", "clip.not-media"],
    "copy it again from the camera": [
      "clip.cut-off", "clip.no-frames", "strip.cut-off", "strip.incomplete", "strip.truncated", "strip.damaged",
    ],
    "report this with the output of \"bsc probe\": it is a bug in bsc": [
      "clip.verification-failed", "clip.conversion-failed",
    ],
    "run \"bsc compress\" or \"bsc share\" instead: they re-encode the video and audio": [
      "strip.unsupported-container", "strip.program-stream", "strip.track-unsupported", "strip.late-track",
      "strip.times-not-kept", "strip.packet-without-time", "strip.cannot-cut", "strip.cannot-remove", "strip.unjudged",
      "strip.unsupported-form",
    ],
    "choose another folder with -o": ["output.is-input", "output.folder"],
    "write them to different folders (-o)": ["output.same", "output.same-in-batch"],
    "choose a file from \"bsc compress --report jsonl=FILE\", or the folder with its results": [
      "batch.report-missing", "batch.report-folder",
    ],
    "finish it (bsc resume {job}), cancel it (bsc jobs cancel {job}), or share both with --force": [
      "share.rival-job", "share.rival-post",
    ],
    "stop the bsc process that hangs, then run the same command again": [
      "job.registry-locked", "account.renewal-locked",
    ],
    "run \"bsc jobs list --all\" to see all jobs": ["job.not-found", "job.ambiguous"],
    "run \"bsc resume\" without an ID to finish all jobs": [
      "job.not-found/operation=resume", "job.ambiguous/operation=resume",
    ],
    "request a new upload URL": [
      "upload.url-expired/sender=file", "upload.cancelled/sender=file", "upload.refused/sender=file",
    ],
    "free some space there, then run \"bsc resume\"": ["upload.server-disk-full", "backend.disk-full"],
    "run \"bsc resume\" to start a new upload": ["upload.refused", "highlight.upload-expired"],
    "run \"bsc resume\" to process the clip again": ["upload.source-changed", "upload.source-unreadable"],
    """
    put at least {length} letters, digits, - and _ into BSC_SERVE_TOKEN or a file for --token-file, \
    for example from "openssl rand -hex 16"
    """: ["backend.no-token", "backend.weak-token"],
    "run \"bsc login\"": ["account.session-expired", "account.not-signed-in"],
  ]

  private static let common: [String: [String]] = [
    "error.interrupted": ["run the same command again; no unfinished files were left"],
    "usage.unknown-command": [
      "did you mean {nearest}? \"{parent} --help\" lists all commands", "\"{parent} --help\" lists all commands",
    ],
    "usage.dashed-file": ["write ./{file}"],
    "usage.arguments": ["{hint} for usage, run \"{command} --help\"", "for usage, run \"{command} --help\""],
    "usage.no-terminal": ["preview the plan with --dry-run instead"],
    "usage.unknown-rule": ["did you mean \"{nearest}\"?", "run \"bsc validate --list-rules\""],
  ]

  private static let files: [String: [String]] = [
    "file.no-folder": ["create the folder first"],
    "file.not-a-file": ["choose a file"],
    "file.not-a-file/command=cut": ["move it elsewhere, or choose another folder with -o"],
    "file.exists": ["choose another name, or replace it with --force"],
    "file.too-big-for-disk": ["write to another disk, or raise ulimit -f"],
    "file.read-only": ["choose another folder"],
    "file.name-too-long": ["choose a shorter name"],
    "file.too-many-open": ["run fewer jobs at once (-j), or raise ulimit -n"],
    "file.changing": ["wait until no program writes to it, then run the same command again"],
    "file.owner-not-kept": ["run it as the owner, or write a copy elsewhere (-o)"],
    "file.foreign-owner": ["run bsc as its owner, or replace it with your own"],
    "file.not-private": [
      "run \"chmod {permissions} {path}\"; if another user may have read the secret, replace it (sign in again)"
    ],
    "file.name-not-utf8": ["rename it, then run the same command again"],
    "file.too-big": ["check that it is the right file"],
    "file.not-a-folder": ["move it elsewhere"],
    "source.address": ["download it, then use the file"],
    "source.name-not-utf8": ["rename it, or specify its folder instead"],
    "source.list-not-utf8": ["specify the folder of that file instead"],
    "source.folder": ["specify the clips: bsc share {word}*.mp4"],
    "source.no-videos": ["choose a folder with .mp4 or .mov files"],
    "source.no-selected-videos": ["check --include and --exclude"],
    "source.only-results": ["choose the folder of the sources, or one of the files"],
    "source.no-folder": ["choose an existing folder"],
    "source.timeout": ["allow more time with --timeout"],
    "source.changing": ["wait until no program writes to it, then share it again with \"bsc share\""],
    "source.missing": ["restore it at {path}, or cancel the job: bsc jobs cancel {job}"],
    "source.changed": ["restore the old file, or cancel the job (bsc jobs cancel {job}) and share the new one"],
    "source.no-app-file": ["export it from the app, or specify it: --selections FILE"],
    "source.no-app-file/kind=trims": ["export it from the app, or specify it: --trims-file FILE"],
    "source.app-file-damaged": ["export it from the app again"],
  ]

  private static let clips: [String: [String]] = [
    "clip.refused": ["{advice}", "choose a different clip, or different rules"],
    "clip.no-video": ["choose the original file from the camera"],
    "clip.damaged": ["copy it again from the camera, or keep the intact part with --salvage"],
    "clip.location-left": ["report this with the output of \"bsc audit\": it is a bug in bsc"],
    "clip.too-big": ["raise --max-size, select a part with --from and --to, or remove the audio with --mute"],
    "clip.animation-too-big": ["raise --animated-size, or make it shorter with --length"],
    "clip.filter-missing": ["install libavfilter: apt-get install libavfilter-dev, or brew install ffmpeg"],
    "clip.libav-error": ["check the file with \"bsc probe\", or copy it again from the camera"],
    "strip.location-left": ["run \"bsc compress\" instead, and report this: it is a bug in bsc"],
    "strip.unknown-container": ["choose a video file"],
    "cut.after-end": ["choose an earlier time with --from"],
    "cut.no-metadata": ["export it from the app, or specify it: --metadata FILE"],
    "cut.not-salvageable": ["copy the match again from the camera"],
    "cut.locked": ["wait until it has finished, or choose another folder with -o"],
  ]

  private static let outputs: [String: [String]] = [
    "output.result": ["write it to a different location"],
    "output.address": ["choose a file or a folder, then send it with bsc upload"],
    "output.report": ["choose another file"],
    "output.not-mp4": ["choose a name that ends in .mp4"],
    "output.named-like-video": ["choose a folder: -o {folder}"],
    "output.is-other-input": [
      "choose another output with -o, or replace the files with {replacing}", "choose another output with -o",
    ],
    "output.several-pictures": ["choose a folder by ending its name with /"],
    "output.picture-name": ["choose a name that ends in {endings}"],
    "output.index-over-metadata": ["choose another name"],
    "output.no-colors": ["write it to a file with -o, or select a protocol: --terminal blocks"],
    "replace.link": ["choose the file that it links to"],
    "replace.name-too-long": ["give it a shorter name"],
    "replace.cannot-swap": ["check the permissions of {folder}; if it is on another disk, run the command on it alone"],
    "replace.by-parent": ["choose {parent} instead, or run the undo there first: bsc batch undo {parent}"],
    "replace.separately": ["run the command on it alone: bsc compress --replace {folder}"],
    "undo.failed": ["look for it in {trash}"],
    "undo.unknown-file": ["compare it with {trash}"],
    "undo.trash-changed": ["check {trash}"],
    "undo.occupied": ["move it elsewhere, and undo again; the source is at {trash}"],
    "undo.nothing": ["choose the folder that was specified for bsc compress --replace"],
    "undo.above": ["run the undo there: bsc batch undo {parent} --include '{inside}/**'"],
    "batch.link": ["remove the link"],
    "batch.locked": ["wait until it has finished, or give each process its own part with --shard"],
    "batch.other-split": ["wait until it has finished"],
    "batch.twin-changed": ["run it again with --force"],
    "batch.shard-unnumbered": ["run it as a task of an array, or specify the part: --shard 0/{count}"],
    "batch.shard-out-of-range": ["number the tasks 0 to {last} (Slurm: --array=0-{last})"],
    "batch.shard-malformed": ["specify the part (starting at 0) and the count: --shard 2/4, or --shard auto/4"],
    "batch.no-results": ["choose the folder that was specified with -o"],
    "batch.bad-report": ["choose a report that was written with --report jsonl=FILE"],
    "batch.failed-before": ["retry it with --retry-failed"],
  ]

  private static let shares: [String: [String]] = [
    "share.exists": [
      "edit that highlight (bsc highlights edit {highlight} {flags}), or share again with --force",
      "share again with --force",
    ],
    "share.export-exists": [
      "edit that highlight (bsc highlights edit {highlight} {flags}), or share again with --force",
      "share again with --force",
    ],
    "share.captions": ["write a line \"path,caption\" for each clip; put a caption with a comma or a quote in quotes"],
    "share.metadata-required": ["specify the metadata: --metadata FILE"],
    "share.no-posts": ["share them without --together"],
    "share.only-metadata": ["specify the clips"],
    "share.same-clips": ["list each clip once"],
    "share.post-incomplete": ["share the clips together again"],
    "share.post-refused": [
      "share the others without the rejected clips, or share each clip separately (without --together)"
    ],
    "share.exists-at-mux": ["share again with --force"],
    "share.backend-unreachable": ["run the same command again when the backend can be reached"],
    "job.disk-full": ["free some space, then run \"bsc resume\""],
    "job.locked": ["wait until it has finished, or stop it and run \"bsc resume\""],
    "job.unreadable": ["run \"bsc jobs forget {job}\", then share the clip again"],
    "job.finished": ["remove it from the list: bsc jobs forget {job}"],
    "job.post-registered": ["delete the highlight: bsc highlights delete {highlight}"],
    "job.uploaded": ["finish it (bsc resume {job}), then delete the highlight: bsc highlights delete"],
    "job.uploaded/backend=mux": ["finish it (bsc resume {job}), then delete the asset in Mux"],
    "job.forgotten": ["run \"bsc jobs list\" to see the other jobs"],
    "job.source-gone": ["restore it and run \"bsc resume {job}\", or cancel the job: bsc jobs cancel {job}"],
    "job.other-backend": ["run it with BSC_BACKEND={backend}"],
    "job.backend-not-selected": ["run BSC_BACKEND={backend} bsc resume"],
    "journal.newer": ["use the newer version, or set XDG_STATE_HOME to another folder"],
    "journal.network-file-system": ["set XDG_STATE_HOME to a folder on a local disk"],
    "journal.damaged": ["move {path} elsewhere: bsc creates a new journal, and unfinished clips must be shared again"],
    "journal.disk-full": ["free some space, then run the same command again; \"bsc jobs prune\" removes finished jobs"],
    "journal.io-error": ["check the owner and the permissions of its folder (ls -ld), and the disk"],
    "journal.failed": ["run \"bsc doctor\", and report this if it finds no problems"],
    "journal.busy": ["wait until it has finished, or stop it, then run \"bsc resume\""],
    "upload.url-expired": ["run \"bsc resume\" to request a new URL"],
    "upload.server-disk-full/sender=file": ["free some space there, then run the same command again"],
    "upload.cancelled": ["to publish the clip, share it again"],
    "upload.protocol-violation": ["run \"bsc resume\"; if it happens again, check the backend"],
    "upload.protocol-violation/sender=file": ["request a new upload URL; if it happens again, check the server"],
    "upload.source-changed/sender=file": ["wait until no program writes to it, then request a new upload URL"],
    "upload.source-unreadable/sender=file": ["check the file, then run the same command again"],
    "upload.locked": ["wait until it has finished, or stop it"],
    "upload.other-file": ["use that file, or request a new upload URL"],
    "upload.no-url": ["specify a file with the URL: --url-file FILE"],
    "upload.bad-url": ["provide only the URL, on one line"],
    "upload.exposed-url": ["write it to a file and use that, or send it to stdin: --url-file -"],
    "highlight.exists": ["run \"bsc highlights list\" to see it"],
    "highlight.uploaded": ["run \"bsc resume\""],
    "highlight.foreign": ["share it with --force to give it a new ID"],
    "highlight.clip-rejected": ["check the file with \"bsc validate\""],
    "highlight.backend-failed": ["fix the problem there (free some space, for example), then run \"bsc resume\""],
    "highlight.upload-cancelled": ["share the clip again to publish it"],
    "highlight.not-ready": ["run \"bsc resume\" to continue waiting"],
    "highlight.not-found": [
      "did you mean {nearest}? run \"bsc highlights list\" to see your highlights",
      "run \"bsc highlights list\" to see your highlights",
    ],
    "highlight.short-id": ["run \"bsc highlights list\" and specify more characters of the ID"],
    "highlight.ambiguous": ["specify more characters of the ID: run \"bsc highlights list\" to see it"],
    "highlight.not-yours": ["run \"bsc whoami\" to see who is signed in"],
    "highlight.not-served": ["run \"bsc serve --open {highlight}\""],
    "highlight.delete-unconfirmed": ["confirm with --force"],
    "highlight.caption-too-long": ["shorten it"],
    "export.no-file": ["check that the video has static renditions: Mux keeps no other files"],
  ]

  private static let backends: [String: [String]] = [
    "backend.unreachable": ["run \"bsc resume\" when the backend can be reached"],
    "backend.refused": ["check the backend with \"bsc doctor\""],
    "backend.no-highlights": ["list your uploads with \"bsc jobs list --all\", or see Mux's dashboard"],
    "backend.unreadable-answer": ["check the backend's URL with \"bsc config show\""],
    "backend.folder-in-use": ["use the running one, or set XDG_DATA_HOME to another folder"],
    "backend.port-taken": ["choose another port with --port, or let bsc choose a free one with --port 0"],
    "backend.folder-unusable": ["check its owner, its permissions (ls -ld) and the free space"],
    "backend.database-unusable": ["update bsc (a newer version may have written it), or move the folder away"],
    "backend.webhook-elsewhere": ["use a URL on 127.0.0.1 or localhost"],
    "backend.address-elsewhere": ["choose one of these with --host: {addresses}, or 0.0.0.0 for all"],
    "backend.port-forbidden": ["choose another port with --port, for example 7437"],
    "backend.cannot-listen": ["run \"bsc doctor\", or choose another port with --port"],
    "backend.silent": ["stop the other bsc process, then run \"bsc resume\""],
    "backend.unsupported": ["set backend = \"local\" (bsc config show reports where it is set)"],
    "backend.timeout": ["check the network, then run bsc doctor again"],
    "backend.already-serving": ["stop it (press Ctrl-C in its terminal), then run the same command again"],
    "backend.token-without-host": ["specify an address: --host"],
    "backend.no-token-file": ["write a token to it"],
    "network.certificate-refused": [
      "check the clock of this machine and its certificate authorities (setting network.cacert)"
    ],
    "network.stalled": ["check the network; for a slow connection raise network.stall_seconds"],
    "network.proxy-refused": ["check the proxy in the environment (http_proxy, https_proxy, no_proxy)"],
    "network.failed": ["check the network and the backend's URL (bsc config show)"],
    "account.not-authorized": ["run \"bsc login\", then \"bsc resume\""],
    "account.token-refused": ["check BSC_MUX_TOKEN_ID and BSC_MUX_TOKEN_SECRET, then run \"bsc resume\""],
    "account.refused": ["run \"bsc login\" again, or sign in a different way: \"bsc login --help\" lists them"],
    "account.refused/code=invalid_credentials": ["check the email address and the password"],
    "account.refused/code=email_not_confirmed": ["open the link in the email, then run \"bsc login\" again"],
    "account.refused/code=over_request_rate_limit": ["wait a minute, then run \"bsc login\" again"],
    "account.refused/code=user_banned": ["ask the administrators of the project"],
    "account.unreachable": ["check the network and supabase.url (bsc config show), then run the same command again"],
    "account.unreadable-answer": ["check supabase.url with \"bsc config show\""],
    "account.server-key": [
      "copy the publishable (anon) key from the project's API settings, and revoke this secret key: it was exposed"
    ],
    "account.wrong-key": ["copy the publishable (anon) key from the project's API settings"],
    "account.browser-failed": ["run \"bsc login\" again, or sign in with a password: bsc login --email NAME"],
    "account.no-password": ["enter it, or send it on one line to stdin"],
    "account.other": ["sign in as {account}, or use {current}"],
    "account.delete-unconfirmed": ["confirm with --yes-delete {account}"],
  ]

  private static let settings: [String: [String]] = [
    "settings.supabase": [
      "run bsc config set {setting} VALUE, or use the local backend without an account: bsc config set backend local"
    ],
    "settings.mux": [
      "create an access token with Mux Video read and write in Mux's dashboard, and set it in the environment"
    ],
    "settings.no-home": ["set HOME"],
    "settings.unknown": ["did you mean \"{nearest}\"?", "run \"bsc config show\" for the list"],
    "settings.invalid-value": ["did you mean \"{nearest}\"?", "correct or remove it"],
    "settings.not-utf8": ["save it as UTF-8"],
    "settings.syntax": ["correct or remove that line"],
    "settings.not-a-value": ["write text in quotes, a number, true or false"],
    "settings.project-scope": ["set it in your own settings (run \"bsc config path\"), or with {variable}"],
    "settings.secret": ["set {variable}"],
    "settings.rules-table": ["add [rules.\"clip.duration\"] and min = 2 to it manually"],
    "settings.cannot-edit": ["edit the file manually"],
    "settings.unknown-rule": ["did you mean [rules.\"{nearest}\"]?", "run \"bsc validate --list-rules\""],
    "settings.rule-severity": ["use off, info, warning or error"],
    "settings.rule-without-bounds": ["set its severity; only {bounded} have bounds"],
    "settings.rule-number": ["use a number, for example 3"],
    "settings.rule-field": ["did you mean \"{nearest}\"?", "set severity, min or max"],
    "settings.rule-bounds": ["set both; the defaults are {min} and {max}"],
  ]
}

extension Explanation {
  package var next: String? { Advice.text(for: self) }
}
