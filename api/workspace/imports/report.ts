/** How many lines of a report are kept, and how long what they quote may be. */
const MAX_LINES = 500
const MAX_DETAIL = 300

/** What an import has to say about a file of the archive. */
export const REPORT_KINDS = [
  'link_unresolved',
  'links_not_read',
  'page_converted',
  'page_kept_as_file',
  'file_renamed',
] as const

/** A line of a report: the path of a file of the archive, what is to be known of it, and the words for that. */
export interface ReportLine {
  kind: (typeof REPORT_KINDS)[number]
  path: string
  detail: string
}

/** What an import tells of single files and links: as many lines as are kept, and how many there were. */
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

/** What Postgres takes: no NUL, and no half of a character where it is cut. */
function plain(text: string): string {
  return text.replaceAll('\0', '').slice(0, MAX_DETAIL).toWellFormed()
}
