import { formatAmount, parseAmount } from '../../../protocol/encoding/amounts.ts'

interface Pair {
  booked: string
  on_chain: string
}

/** What was compared of a place: as in answers of the reconciliation. */
export interface Compared {
  escrow: { balance: Pair }
  hot_wallet: { balance: Pair }
}

/** Returns by how much the chain holds more than is booked, over all places, as a wire amount; with its sign. */
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
