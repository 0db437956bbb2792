/** How many lines of a report are kept, and how long a quote in a line may be. */
const MAX_LINES = 500
const MAX_DETAIL = 300

/** The kinds of messages about a file of the archive. */
export const REPORT_KINDS = [
  'link_unresolved',
  'links_not_read',
  'page_converted',
  'page_kept_as_file',
  'file_renamed',
] as const

/** A line of a report: the path of a file of the archive, the kind of message, and its text. */
export interface ReportLine {
  kind: (typeof REPORT_KINDS)[number]
  path: string
  detail: string
}

/**
 * The messages of an import about single files and links: the lines that are kept, and how many there were.
 */
export class Report {
  readonly lines: ReportLine[] = []
  total = 0

  /** Adds a line. */
  add(kind: ReportLine['kind'], path: string, detail: string): void {
    this.total += 1
    if (this.lines.length >= MAX_LINES) return
    this.lines.push({ kind, path: plain(path), detail: plain(detail) })
  }
}

/** Returns text that Postgres can store: no NUL, and no half of a character at a cut. */
function plain(text: string): string {
  return text.replaceAll('\0', '').slice(0, MAX_DETAIL).toWellFormed()
}
