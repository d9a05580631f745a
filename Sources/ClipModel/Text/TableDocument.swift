/// A table to print: a title, facts and figures about the table, and rows of text.
package struct TableDocument: Equatable, Sendable {
  /// A column with its title. Its part of the page's width is its weight as a part of the sum of all weights.
  package struct Column: Equatable, Sendable {
    package var title: String
    package var weight: Double

    package init(_ title: String, weight: Double) {
      self.title = title
      self.weight = weight
    }
  }

  /// A label with its value: `Time zone`, `America/New_York`.
  package struct Entry: Equatable, Sendable {
    package var label: String
    package var value: String

    package init(_ label: String, _ value: String) {
      self.label = label
      self.value = value
    }
  }

  /// The sheet of paper, in landscape orientation.
  package enum Paper: String, Sendable, CaseIterable {
    case letter, a4
  }

  /// The heading of the table, at the end of every page, and in the document's metadata.
  package var title: String
  /// The facts below the title.
  package var facts: [Entry]
  /// The figures of the table.
  package var figures: [Entry]
  package var columns: [Column]
  /// The text of each cell, with at most one text per column. The texts may have several lines.
  package var rows: [[String]]
  /// The sentence instead of rows, if there are none.
  package var emptyText: String
  /// When the document was created: `2026-11-24T13:05:00Z`.
  package var createdAt: String

  package init(
    title: String, facts: [Entry], figures: [Entry], columns: [Column], rows: [[String]], emptyText: String,
    createdAt: String
  ) {
    self.title = title
    self.facts = facts
    self.figures = figures
    self.columns = columns
    self.rows = rows
    self.emptyText = emptyText
    self.createdAt = createdAt
  }
}
