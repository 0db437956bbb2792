import type { ChainSettings } from '../../../api/context.ts'
import type { Figures } from '../api/payments/ledger/histories/books.ts'

const HEADER = '-- '

/** What is known of a recorded database besides its rows. */
export interface Recorded {
  version: string
  /** The migrations that it had. */
  migrations: string[]
  chain: ChainSettings
  /** What its books said. */
  figures: unknown
}

/** Returns figures as JSON can have them. */
export function sayable(figures: Figures): unknown {
  return JSON.parse(JSON.stringify(figures, asText))
}

/** Returns a recorded database as text, whose first line says what it is. */
export function recordedText(recorded: Recorded, rows: string): string {
  return `${HEADER}${JSON.stringify(recorded, asText)}\n${rows}`
}

/** Returns what the first line of a recorded database says. */
export function readRecorded(text: string): Recorded {
  const recorded = JSON.parse(text.slice(HEADER.length, text.indexOf('\n')))
  return { ...recorded, chain: { ...recorded.chain, startBlock: BigInt(recorded.chain.startBlock) } }
}

function asText(_key: string, value: unknown): unknown {
  return typeof value === 'bigint' ? value.toString() : value
}
