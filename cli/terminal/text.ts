import { parseAmount } from '../../protocol/encoding/amounts.ts'
import { type UrnObject, urnString } from '../../protocol/encoding/urn.ts'

const FEWEST_DECIMALS = 2
const [MINUTE_SECONDS, HOUR_SECONDS, DAY_SECONDS] = [60, 3_600, 86_400]

/** Escapes the characters of other people's text that a terminal would interpret or not show. */
export function printable(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, (sign) => `\\u{${sign.codePointAt(0)?.toString(16)}}`)
}

/** Returns printable text of at most `length` characters. An ellipsis marks an omitted end. */
export function shortened(text: string, length: number): string {
  const characters = [...printable(text)]
  return characters.length <= length ? characters.join('') : `${characters.slice(0, length - 1).join('')}…`
}

/** Returns a wire amount as people write it: two decimals, more only where they are not zero. */
export function money(amount: string): string {
  if (parseAmount(amount) === undefined) return printable(amount)
  const [whole = '', decimals = ''] = amount.split('.')
  return `${whole}.${decimals.replace(/0+$/, '').padEnd(FEWEST_DECIMALS, '0')}`
}

/** Returns an instant to the minute, UTC, and how far it is from now. */
export function moment(iso: string, nowMs: number): string {
  const seconds = Math.round((Date.parse(iso) - nowMs) / 1_000)
  const length = Math.abs(seconds)
  const [count, unit] =
    length < HOUR_SECONDS
      ? [length / MINUTE_SECONDS, 'min']
      : length < 2 * DAY_SECONDS
        ? [length / HOUR_SECONDS, 'h']
        : [length / DAY_SECONDS, 'days']
  const distance = `${Math.round(count)} ${unit}`
  const told = length < MINUTE_SECONDS / 2 ? 'now' : seconds < 0 ? `${distance} ago` : `in ${distance}`
  return `${iso.slice(0, 16).replace('T', ' ')} UTC (${told})`
}

/** Returns a URN in the text form that calls and commands take. */
export function urnText({ prefix, body }: UrnObject): string {
  return urnString(prefix as Parameters<typeof urnString>[0], body)
}

/** A column of a table. Numbers are aligned to the right. */
export interface Column {
  head: string
  right?: boolean
}

/** Returns rows as lines with aligned columns, under a line of headings. */
export function table(columns: readonly Column[], rows: readonly (readonly string[])[]): string {
  const lines = [columns.map(({ head }) => head), ...rows]
  const widths = columns.map((_, at) => Math.max(...lines.map((line) => widthOf(line[at] ?? ''))))
  const cell = (text: string, at: number) => {
    const space = ' '.repeat((widths[at] ?? 0) - widthOf(text))
    return columns[at]?.right ? space + text : text + space
  }
  return lines.map((line) => line.map(cell).join('  ').trimEnd()).join('\n')
}

/** Returns names and values as lines, without those that have no value. */
export function facts(pairs: readonly (readonly [string, string | undefined | null])[]): string {
  const told = pairs.filter((pair): pair is readonly [string, string] => pair[1] != null)
  const width = Math.max(...told.map(([name]) => name.length))
  return told.map(([name, value]) => `  ${name.padEnd(width)}  ${value}`).join('\n')
}

function widthOf(text: string): number {
  return [...text].length
}
