import { formatAmount, parseAmount } from '../../../../../protocol/encoding/amounts.ts'

interface Pair {
  booked: string
  on_chain: string
}

/** The compared amounts of a place. */
export interface Compared {
  escrow: { balance: Pair }
  hot_wallet: { balance: Pair }
}

/** Returns the signed difference between the chain and the ledger over all places, as a wire amount. */
export function differenceOf({ escrow, hot_wallet }: Compared): string {
  const micros = [escrow.balance, hot_wallet.balance].reduce((sum, pair) => sum + gapOf(pair), 0n)
  return micros < 0n ? `-${formatAmount(-micros)}` : formatAmount(micros)
}

/** Returns a wire amount as a number to draw. Nothing is computed with it. */
export function drawn(amount: string): number {
  return Number(amount)
}

function gapOf({ booked, on_chain }: Pair): bigint {
  return (parseAmount(on_chain) ?? 0n) - (parseAmount(booked) ?? 0n)
}
