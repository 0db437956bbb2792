import { locale } from '../../texts/texts.ts'

const THIN_SPACE = '\u2009'
const LEAST_DIGITS = 2

/** A wire amount in its parts, for a column whose points stand under each other. */
export interface AmountParts {
  sign: string
  whole: string
  /** The decimal separator of the reader's language. */
  point: string
  /** Two digits at least, six at most. */
  fraction: string
  /** The zeros that are left out of the fraction. */
  missing: string
}

/** Splits a wire amount such as `-1204.500000`. */
export function amountParts(value: string): AmountParts {
  const [, sign = '', whole = '0', digits = ''] = /^([-+]?)(\d+)(?:\.(\d*))?$/.exec(value) ?? []
  const full = digits.padEnd(6, '0')
  const fraction = full.replace(/0+$/, '').padEnd(LEAST_DIGITS, '0')
  return {
    sign: sign === '-' ? '−' : sign,
    whole: whole.replaceAll(/\B(?=(\d{3})+$)/g, THIN_SPACE),
    point: POINT() ?? '.',
    fraction,
    missing: full.slice(fraction.length),
  }
}

/** Returns an amount of the wire as pages show it: `20.000000` → `20.00`. */
export function amountText(wire: string): string {
  const { sign, whole, point, fraction } = amountParts(wire)
  return `${sign}${whole}${point}${fraction}`
}

/** Returns an amount that somebody typed as it is on the wire: `20` → `20.000000`. */
export function wireAmount(typed: string): string {
  const [whole = '0', fraction = ''] = typed.trim().split('.')
  return `${whole}.${fraction.padEnd(6, '0')}`
}

/** Returns an amount of the wire as somebody would type it: `20.500000` → `20.5`. */
export function typedAmount(wire: string): string {
  return wire.replace(/\.?0+$/, '')
}

/** Shortens a hash, an address, an id or a URN: `0x3f1c9a…89abcd`. */
export function shortened(whole: string): string {
  const text = whole.replace(/^market:\w+:/, '')
  const start = text.startsWith('0x') ? 8 : 6
  return text.length <= start + 7 ? text : `${text.slice(0, start)}…${text.slice(-6)}`
}

/** Splits an address or hash that somebody signs into groups of four, so that all of it can be compared. */
export function grouped(hex: string): string {
  return hex.replace(/^0x/, '').replaceAll(/(.{4})(?=.)/g, `$1${THIN_SPACE}`)
}

// Each is made when it is first used: the language is known by then.
const TIME = once(() => new Intl.DateTimeFormat(locale(), { dateStyle: 'medium', timeStyle: 'short' }))
const DAY = once(() => new Intl.DateTimeFormat(locale(), { day: 'numeric', month: 'short' }))
const DATE = once(() => new Intl.DateTimeFormat(locale(), { day: 'numeric', month: 'short', timeZone: 'UTC' }))
const CLOCK = once(() => new Intl.DateTimeFormat(locale(), { timeStyle: 'medium' }))
const RELATIVE = once(() => new Intl.RelativeTimeFormat(locale(), { numeric: 'always', style: 'narrow' }))
const TENTHS = once(() => new Intl.NumberFormat(locale(), { minimumFractionDigits: 1, maximumFractionDigits: 1 }))
const PERCENT = once(() => new Intl.NumberFormat(locale(), { style: 'percent', maximumFractionDigits: 1 }))
const POINT = once(
  () => new Intl.NumberFormat(locale()).formatToParts(0.5).find(({ type }) => type === 'decimal')?.value,
)

function once<Made>(make: () => Made): () => Made {
  let made: Made | undefined
  return () => {
    made ??= make()
    return made
  }
}

/** Returns a time in the reader's language and this browser's zone: `23 Nov 2026, 09:14`. */
export function timeText(iso: string): string {
  return TIME().format(new Date(iso))
}

/** Returns the day of a time, `25 Nov`: nothing without one. */
export function dayText(iso: string | undefined): string {
  return iso === undefined ? '' : DAY().format(new Date(iso))
}

/** Returns a day of the calendar, as `25 Nov`. */
export function dateText(day: string): string {
  return DATE().format(new Date(day))
}

/** Returns a time of day with seconds: `09:14:02`. */
export function clockText(iso: string): string {
  return CLOCK().format(new Date(iso))
}

const UNITS = [
  ['year', 31_536_000],
  ['month', 2_592_000],
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
] as const

let aheadMs = 0

/** Tells how far the market's clock is ahead of this browser's: in a sandbox it can be moved. */
export function setMarketClock(iso: string, nowMs = Date.now()): void {
  aheadMs = new Date(iso).getTime() - nowMs
}

/** Returns the market's time, in milliseconds. */
export function marketNow(): number {
  return Date.now() + aheadMs
}

/** Returns how far a time is from now: `in 22h`, `3 min ago`. */
export function relativeText(iso: string, nowMs = marketNow()): string {
  const seconds = (new Date(iso).getTime() - nowMs) / 1_000
  const [unit, size] = UNITS.find(([, length]) => Math.abs(seconds) >= length) ?? ['second', 1]
  return RELATIVE().format(Math.trunc(seconds / size), unit)
}

/** Returns a number of bytes as people read it: `4.1 kB`. */
export function bytesText(bytes: number): string {
  const units = ['B', 'kB', 'MB', 'GB', 'TB']
  const power = bytes < 1 ? 0 : Math.min(Math.floor(Math.log10(bytes) / 3), units.length - 1)
  return power === 0 ? `${bytes} B` : `${TENTHS().format(bytes / 1_000 ** power)} ${units[power]}`
}

/** Returns a number with that many digits after the point: `4.70`. */
export function decimalText(value: number, digits: number): string {
  return new Intl.NumberFormat(locale(), { minimumFractionDigits: digits, maximumFractionDigits: digits }).format(value)
}

/** Returns a share as a percentage: `2.5%`. */
export function percentText(share: number): string {
  return PERCENT().format(share)
}

/** Returns a length of time in its two largest units: `9 days`, `1 hour 30 minutes`. */
export function durationText(seconds: number): string {
  const parts: string[] = []
  let left = Math.round(seconds)
  for (const [unit, length] of [...UNITS.slice(2), ['second', 1] as const]) {
    const count = Math.floor(left / length)
    left -= count * length
    if (count > 0) parts.push(lengthText(count, unit))
  }
  return parts.slice(0, 2).join(' ') || lengthText(0, 'second')
}

function lengthText(count: number, unit: string): string {
  return new Intl.NumberFormat(locale(), { style: 'unit', unit, unitDisplay: 'long' }).format(count)
}

/**
 * Returns a Markdown text without the marks of emphasis, code, headings, quotes and lists, for one line of
 * it.
 */
export function plainText(markdown: string): string {
  return markdown.replaceAll(/\*\*|`|^\s*(?:#{1,6}|>|[-*])\s+/gm, '')
}
