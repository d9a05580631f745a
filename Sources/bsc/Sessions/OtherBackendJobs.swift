import ClipModel
import ShareEngine

/// Unfinished jobs of a backend that today's settings do not name: nothing is wrong with them, and no run with these
/// settings goes on with them.
struct OtherBackendJobs {
  var backend: String
  var count: Int
  /// What the settings name.
  var settings: String

  static func groups(of jobs: [ShareJob], settings configuration: Configuration) -> [OtherBackendJobs] {
    let today = configuration.backend.value.rawValue
    let backends = Set(jobs.map(\.backend)).subtracting([today]).sorted()
    return backends.map { backend in
      OtherBackendJobs(backend: backend, count: jobs.count { $0.backend == backend }, settings: today)
    }
  }

  var note: String {
    let note =
      "\(count.counting("job")) of the backend \(backend), and the settings name \(settings): run BSC_BACKEND=\(backend) bsc resume"
    return note
  }

  var explanation: Explanation {
    Explanation(
      .jobsOfOtherBackend, ["jobs": count.counting("job"), "backend": backend, "current": settings])
  }
}
