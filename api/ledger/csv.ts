// Where a cell begins, for a spreadsheet that divides by commas or, as in much of Europe, by semicolons: that one does not
// heed our quotes. Full-width signs count where keyboards have them.
const FORMULAS = /(?<=^|[;\t\r\n])(?=[\s"]*[=+\-@＝＋－＠])/g
const NEEDS_QUOTES = /[",;\r\n]/

/** A number, or text, which may be anybody's. */
export type CsvCell = { number: string } | { text: string | null }

/**
 * A row of RFC 4180. Text that a spreadsheet would take for a formula begins with an apostrophe instead (CWE-1236): whoever
 * chose an order's title must not choose what the reader's spreadsheet does.
 */
export function csvRow(cells: readonly CsvCell[]): string {
  return `${cells.map((cell) => ('number' in cell ? cell.number : quoted(cell.text ?? ''))).join(',')}\r\n`
}

function quoted(text: string): string {
  const harmless = text.replace(FORMULAS, "'")
  return NEEDS_QUOTES.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless
}
