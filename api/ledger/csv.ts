const FORMULA = /^[=+\-@\t\r]/
const NEEDS_QUOTES = /[",\r\n]/

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
  const harmless = FORMULA.test(text.trimStart()) || FORMULA.test(text) ? `'${text}` : text
  return NEEDS_QUOTES.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless
}
