import { z } from '@hono/zod-openapi'

/** The query of a download of CSV, besides its own. */
export const csvQuery = {
  bom: z
    .enum(['true', 'false'])
    .default('false')
    .openapi({ description: 'Whether a byte order mark comes first: Excel then reads the file as UTF-8.' }),
}

/** Yields a file of CSV, after a byte order mark if its reader asked for one. */
export async function* csvFile(
  { bom }: { bom: 'true' | 'false' },
  rows: AsyncIterable<string>,
): AsyncGenerator<string> {
  if (bom === 'true') yield '\ufeff'
  yield* rows
}

// Where a cell begins for a spreadsheet that splits at commas or, as in much of Europe, at semicolons; the
// latter ignores our quotes. Full-width signs count, because some keyboards produce them.
const FORMULAS = /(?<=^|[;\t\r\n])(?=[\s"]*[=+\-@＝＋－＠])/g
const NEEDS_QUOTES = /[",;\r\n]/

/** The currency of every amount: the token's name in books of account. */
export const CURRENCY = 'USDC'

/** A number, or text from an untrusted author. */
export type CsvCell = { number: string } | { text: string | null }

/**
 * Returns a row of RFC 4180. Text that a spreadsheet would run as a formula is prefixed with an apostrophe
 * (CWE-1236): the author of an order's title must not control the reader's spreadsheet.
 */
export function csvRow(cells: readonly CsvCell[]): string {
  return `${cells.map((cell) => ('number' in cell ? cell.number : quoted(cell.text ?? ''))).join(',')}\r\n`
}

function quoted(text: string): string {
  const harmless = text.replace(FORMULAS, "'")
  return NEEDS_QUOTES.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless
}
