import type { Address } from 'viem'
import type { Settings } from '../../../../../../api/context.ts'
import { businessKey, type ChainEvent, type WithdrawnEvent } from '../../../../../../api/payments/chain/evidence.ts'
import { place } from '../../escrow/chainEvents.ts'

/**
 * What the chain holds, as a test has made it: tokens in the contract and in our wallets, the contract's open
 * holds and what each account may withdraw. In micro-units. It is what its facts make it, and nothing else.
 */
export class ChainModel {
  readonly #settings: Settings
  readonly #tokens = new Map<string, bigint>()
  readonly holds = new Map<string, bigint>()
  readonly claimable = new Map<string, bigint>()
  /**
   * What is kept apart for good, by the key of the fact it came with: no fact of the chain's, but what must
   * become of one.
   */
  readonly apart = new Map<string, bigint>()

  constructor(settings: Settings) {
    this.#settings = settings
  }

  tokensOf(account: string | undefined): bigint {
    return this.#tokens.get((account ?? '').toLowerCase()) ?? 0n
  }

  /** The chain does this, or, with -1, takes it back. */
  happen(fact: ChainEvent, sign: 1n | -1n = 1n): void {
    const { escrow, hotWallet } = this.#settings.chain
    const move = (of: Map<string, bigint>, key: string, micros: bigint) =>
      of.set(key.toLowerCase(), (of.get(key.toLowerCase()) ?? 0n) + sign * micros)
    switch (fact.kind) {
      case 'funded':
        // The tokens of an adopted one came before it.
        if (!fact.adopted) move(this.#tokens, escrow, fact.terms.amount)
        return void move(this.holds, fact.holdId, fact.terms.amount)
      case 'released':
        for (const { account, amountMicros } of fact.credits) {
          move(this.holds, fact.holdId, -amountMicros)
          move(this.claimable, account, amountMicros)
        }
        return
      case 'reclaimed':
        move(this.holds, fact.holdId, -fact.amountMicros)
        return void move(this.claimable, fact.payer, fact.amountMicros)
      case 'withdrawn':
        move(this.claimable, fact.account, -fact.amountMicros)
        return void move(this.#tokens, escrow, -fact.amountMicros)
      case 'payment':
      case 'transfer':
        if (sign < 0n) this.apart.delete(businessKey(fact))
        move(this.#tokens, fact.from, -fact.amountMicros)
        return void move(this.#tokens, fact.to, fact.amountMicros)
      case 'outflow':
        move(this.#tokens, hotWallet, -fact.amountMicros)
        return void move(this.#tokens, fact.to, fact.amountMicros)
      case 'stray_announced':
        return
      default:
        move(this.#tokens, escrow, -fact.amountMicros)
    }
  }

  /** An account takes something out. */
  withdrawal(account: Address, amountMicros: bigint): WithdrawnEvent {
    return { kind: 'withdrawn', place: place(), account, to: account, amountMicros, ordinal: 0 }
  }
}
