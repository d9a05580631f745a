import ClipModel
import Foundation
import ShareEngine

/// Lists unfinished shares and why they are not progressing: `unfinished`.
@main
enum Unfinished {
  static func main() async throws {
    let places = try ApplicationFolders(environment: ProcessInfo.processInfo.environment)
    for job in try await Journal.open(places).loadAllJobs() where !job.stage.isFinal {
      print(job.id, job.stage.name, job.source.path, job.setback?.reason ?? "")
    }
  }
}
