import type { Address, Hex } from 'viem'
import type { OutflowEvent, WithdrawnEvent } from '../../../api/escrow/evidence.ts'
import type { PayoutLeg } from '../../../protocol/nonces.ts'
import type { Split } from '../../../protocol/split.ts'
import { outflowFact, paymentFact, place } from '../escrow/facts.ts'
import type { Trade, World } from '../escrow/world.ts'

/**
 * What the chain holds, as a test has made it: tokens in the contract and in the hot wallet, the contract's open holds and
 * what each account may withdraw. In micro-units.
 */
export class ChainModel {
  escrowMicros = 0n
  hotWalletMicros = 0n
  readonly holds = new Map<Hex, bigint>()
  readonly claimable = new Map<string, bigint>()
  readonly #withdrawn = new Map<string, bigint>()

  fund(holdId: Hex, amountMicros: bigint): void {
    this.escrowMicros += amountMicros
    this.holds.set(holdId, amountMicros)
  }

  /** A reorganisation took a funding back: neither the tokens nor the hold are there. */
  unfund(holdId: Hex): void {
    this.escrowMicros -= this.holds.get(holdId) ?? 0n
    this.holds.delete(holdId)
  }

  release(holdId: Hex, credits: readonly { account: string; amountMicros: bigint }[]): void {
    this.holds.delete(holdId)
    for (const { account, amountMicros } of credits) this.#credit(account, amountMicros)
  }

  /** An account takes something out. Each withdrawal is told from every other by the total so far. */
  withdraw(account: Address, amountMicros: bigint): WithdrawnEvent {
    const total = (this.#withdrawn.get(account) ?? 0n) + amountMicros
    this.#withdrawn.set(account, total)
    this.#credit(account, -amountMicros)
    this.escrowMicros -= amountMicros
    return { kind: 'withdrawn', place: place(), account, to: account, amountMicros, withdrawnTotalMicros: total }
  }

  #credit(account: string, amountMicros: bigint): void {
    this.claimable.set(account, (this.claimable.get(account) ?? 0n) + amountMicros)
  }

  deposit(trade: Trade) {
    const fact = paymentFact(trade, { amountMicros: trade.order.price_micros })
    this.hotWalletMicros += fact.amountMicros
    return fact
  }

  payOut(
    world: World,
    deposit: { from: Address; nonce: Hex },
    { leg, to, amountMicros }: { leg: PayoutLeg; to: Address; amountMicros: bigint },
  ): OutflowEvent {
    this.hotWalletMicros -= amountMicros
    return outflowFact(world, deposit, leg, to, amountMicros)
  }
}

/** What the contract credits by a split: no leg of nothing. */
export function creditsOf(split: Split, { order, payer }: Trade): { account: string; amountMicros: bigint }[] {
  return [
    { account: order.payee ?? '', amountMicros: split.payeeMicros },
    { account: payer, amountMicros: split.payerMicros },
    { account: order.fee_recipient ?? '', amountMicros: split.feeMicros },
  ].filter(({ amountMicros }) => amountMicros > 0n)
}
