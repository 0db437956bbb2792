import { parse } from 'csv-parse/sync'

const COMMA = ','
// The separators that spreadsheets write in countries where numbers contain commas.
const OTHER_MARKS = [';', '\t', '|']

/**
 * Returns whether text is a table: every row has as many cells. With commas one may be enough, with other
 * marks it takes two.
 */
export function isTable(text: string): boolean {
  return otherTable(text) !== undefined || isEven(rowsOf(text, COMMA))
}

/**
 * Returns the rows of a table, including the first. For text that is not a table, returns the rows that can
 * be parsed.
 */
export function tableRows(text: string): string[][] {
  return otherTable(text) ?? rowsOf(text, COMMA) ?? []
}

function otherTable(text: string): string[][] | undefined {
  const first = text.trimStart().split(/[\r\n]/, 1)[0] ?? ''
  for (const mark of OTHER_MARKS.filter((one) => first.includes(one))) {
    const rows = rowsOf(text, mark)
    if (isEven(rows)) return rows
  }
  return undefined
}

function isEven(rows: string[][] | undefined): boolean {
  const width = rows?.[0]?.length
  return width !== undefined && rows?.every(({ length }) => length === width) === true
}

function rowsOf(text: string, delimiter: string): string[][] | undefined {
  try {
    return parse(text, { bom: true, relax_column_count: true, skip_empty_lines: true, delimiter })
  } catch {
    return undefined
  }
}
