package import ClipModel

/// A request that cannot be carried out as it was given.
package struct UsageFailure: ExplainedError {
  package var what: String
  package var why: String
  package var next: String
  package var category = FailureCategory.usage

  package init(what: String, why: String, next: String, category: FailureCategory = .usage) {
    (self.what, self.why, self.next, self.category) = (what, why, next, category)
  }

  package var explanation: Explanation { Explanation(what: what, why: why, next: next, category: category) }
}
