import { DatabaseSync } from 'node:sqlite'
import { formatAmount } from '../protocol/encoding/amounts.ts'

const BUSY_TIMEOUT_MS = 5_000
const DAY_MS = 86_400_000

/** The limits on the payments that a wallet signs, in micro-units. */
export interface SpendLimits {
  perOrderMicros: bigint
  /** In any 24 hours. */
  perDayMicros: bigint
}

/** An order would exceed a limit. Nothing was signed. */
export class SpendLimit extends Error {}

/** The payments that a wallet has signed, in a file that outlives the process. */
export interface Spending {
  limits: SpendLimits
  /**
   * Returns whether a payment was counted. The token takes a nonce once, so signing it again spends nothing
   * more.
   */
  isCounted: (nonce: string) => boolean
  /**
   * Counts a payment once, before it is signed: it stays counted if the process dies in between. Throws a
   * SpendLimit, and counts nothing, if its amount is more than a limit allows.
   */
  count: (amountMicros: bigint, nonce: string) => void
  /** Returns the amount that is left for the last 24 hours, in micro-units. */
  leftMicros: () => bigint
  close: () => void
}

/** Opens the file of a wallet's spending. Several processes may use it at once. */
export function openSpending(path: string, limits: SpendLimits): Spending {
  const { perOrderMicros, perDayMicros } = limits
  const file = new DatabaseSync(path, { timeout: BUSY_TIMEOUT_MS })
  file.exec(
    'create table if not exists payments (nonce text primary key, at_ms integer not null, micros text not null)',
  )
  const spent = file.prepare('select micros from payments where at_ms > ?')
  const add = file.prepare('insert into payments (nonce, at_ms, micros) values (?, ?, ?)')
  const known = file.prepare('select 1 from payments where nonce = ?')
  const isCounted = (nonce: string) => known.get(nonce) !== undefined
  const leftMicros = () =>
    spent.all(Date.now() - DAY_MS).reduce((left, { micros }) => left - BigInt(String(micros)), perDayMicros)
  return {
    limits,
    leftMicros,
    isCounted,
    count(amountMicros, nonce) {
      if (isCounted(nonce)) return
      if (amountMicros > perOrderMicros) {
        throw new SpendLimit(
          `This wallet pays at most ${formatAmount(perOrderMicros)} for one order. Nothing was signed.`,
        )
      }
      // Other processes wait here, so that two at once cannot both use the same remaining amount.
      file.exec('begin immediate')
      try {
        const left = leftMicros()
        if (!isCounted(nonce) && amountMicros > left) {
          throw new SpendLimit(`This wallet has ${formatAmount(left)} left of the last 24 hours. Nothing was signed.`)
        }
        if (!isCounted(nonce)) add.run(nonce, Date.now(), String(amountMicros))
        file.exec('commit')
      } catch (error) {
        file.exec('rollback')
        throw error
      }
    },
    close: () => file.close(),
  }
}
