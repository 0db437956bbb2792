import type { Logger } from 'pino'
import type { Address, Hex, LocalAccount, PublicClient } from 'viem'
import { type FeeQuote, type Fees, replacementFees } from '../chain/fees.ts'
import type { Head } from '../chain/head.ts'
import { type Batch, createBatch } from '../context/batch.ts'
import { createExclusive } from '../context/exclusive.ts'
import type { Store } from '../file/store.ts'
import { type Live, type NonceCounts, Sequence } from './internal/sequence.ts'
import { isOver, needOf, PATIENCE_HEADS } from './internal/upkeep.ts'
import { callOf, feesOf, NO_PURPOSE, noOp, type Purpose, signCall, type UnsignedCall } from './transaction.ts'

export interface SignerOptions {
  address: Address
  /**
   * Undefined if the key is no longer available: its transactions are on file and can be broadcast again, but
   * not replaced.
   */
  account: LocalAccount | undefined
  client: PublicClient
  store: Store
  chainId: number
  feeQuote: FeeQuote
  maxFeePerGas: bigint
  log: Logger
}

/** A transaction to record, under the next nonce if none is given. */
interface Draft {
  nonce?: number
  call: UnsignedCall
  purpose: Purpose
  fees: Fees
}

/** After this many blocks, a transaction whose key is no longer available is given up. */
const KEYLESS_PATIENCE_BLOCKS = 20n
/** More than the number of heads that several nodes behind one address may report at once. */
const HEADS_REMEMBERED = 64

/**
 * One key's sequence of transactions. Each is on file, signed and complete, before it is broadcast, so a
 * crash loses none: whatever is on file and not mined is broadcast again, the same bytes. A nonce is assigned
 * only when its transaction is recorded, so every nonce in the sequence is on file.
 */
export class Signer {
  readonly #options: SignerOptions
  readonly #exclusive = createExclusive()
  readonly #sequence = new Sequence()
  readonly #write: Batch<Draft, Live>
  #isLoaded = false
  #drafts = 0
  /** The node's pending count when last read, at most once per head. */
  #pool: { at: Hex; pending: Promise<number> } | undefined
  /** The newest heads, each once. */
  #heads: Hex[] = []
  #firstBlock: bigint | undefined
  /** The lowest unmined nonce, and the new heads since it became that. */
  #next = { nonce: -1, heads: 0 }
  #lastBlock = 0n

  constructor(options: SignerOptions) {
    this.#options = options
    this.#write = createBatch((drafts) => this.#exclusive('nonce', () => this.#writeDown(drafts)))
  }

  get address(): Address {
    return this.#options.address
  }

  /** How many transactions are unmined or being recorded. */
  get inFlight(): number {
    return this.#drafts + this.#sequence.unmined().length
  }

  /** How many transactions no block has, and how many heads the lowest of their nonces has waited for. */
  get standing(): { unmined: number; headsWaited: number } {
    const unmined = this.#sequence.unmined()
    return { unmined: unmined.length, headsWaited: unmined[0]?.nonce === this.#next.nonce ? this.#next.heads : 0 }
  }

  /** Whether no transaction of this key is unmined, or mined but not yet confirmed. */
  get isIdle(): boolean {
    return this.#isLoaded && this.#sequence.isEmpty
  }

  /**
   * Returns whether the node, at this head, holds unmined transactions of this key that are not on our file:
   * the file is then an earlier copy, and their effect is unknown before they are mined. Throws any error of
   * the RPC.
   */
  async hasForgotten(head: Head): Promise<boolean> {
    this.#sequence.takePool(await this.#askPool(head))
    return this.#sequence.misses()
  }

  /** Returns whether a transaction under this nonce may still be mined, or is mined but not yet confirmed. */
  isUnderWay(nonce: number): boolean {
    return nonce >= this.#sequence.counts.settled && !this.#isGivenUp
  }

  /**
   * Signs a call under the next nonce, records it, and broadcasts it. Returns undefined if the fee limit is
   * below the market.
   */
  async send(call: UnsignedCall, purpose: Purpose, head: Head): Promise<Live | undefined> {
    if (!this.#isLoaded) throw new Error('a signer sends nothing before its sequence is known')
    // Counted at once, so that the next search for a signer with room sees it.
    this.#drafts++
    const live = await this.#file(call, purpose, head).finally(() => this.#drafts--)
    if (live) await this.#broadcast(live)
    return live
  }

  /** Keeps every transaction on file moving: call it at every new head, and once before the first `send`. */
  async maintain(head: Head): Promise<void> {
    const [counts, fees] = await Promise.all([
      this.#readCounts(head),
      this.isIdle ? undefined : this.#options.feeQuote(head),
    ])
    // A final transaction that a reorganisation removed is still on file, and is broadcast again from there.
    const wentBack = counts.settled < this.#sequence.counts.settled
    if (wentBack) this.#options.log.warn(counts, 'the chain lost transactions that were final')
    if (!this.#isLoaded || wentBack) {
      const stored = await this.#options.store.transactionsFrom(this.address, counts.settled, !!this.#options.account)
      for (const transaction of stored) this.#sequence.keep({ ...transaction, headsWaited: undefined })
      this.#isLoaded = true
    }
    this.#firstBlock ??= head.latest.number
    this.#lastBlock = head.latest.number
    this.#sequence.advance(counts)
    if (this.isIdle || this.#isGivenUp) return
    if (fees) await this.#fillGaps(fees)
    const isNew = this.#isFirstSeen(head)
    const situation = { head, counts, fees }
    if (isNew) this.#countHead()
    for (const live of this.#sequence.unmined()) {
      if (isNew && live.headsWaited !== undefined) live.headsWaited++
      await this.#lookAfter(live, situation)
    }
  }

  #countHead(): void {
    const nonce = this.#sequence.unmined()[0]?.nonce ?? -1
    this.#next = nonce === this.#next.nonce ? { nonce, heads: this.#next.heads + 1 } : { nonce, heads: 0 }
  }

  /**
   * Two nodes behind one address report their heads alternately: a repeated head does not count as progress.
   */
  #isFirstSeen({ latest: { hash } }: Head): boolean {
    if (this.#heads.includes(hash)) return false
    this.#heads = [...this.#heads.slice(1 - HEADS_REMEMBERED), hash]
    return true
  }

  get #isGivenUp(): boolean {
    const { account } = this.#options
    return !account && this.#lastBlock - (this.#firstBlock ?? this.#lastBlock) >= KEYLESS_PATIENCE_BLOCKS
  }

  /**
   * The pool is read only when needed: building the pending state costs a node as much as building a block.
   */
  async #readCounts(head: Head): Promise<NonceCounts> {
    const { client, address } = this.#options
    const [settled, latest] = await Promise.all([
      client.getTransactionCount({ address, blockHash: head.confirmed.hash }),
      client.getTransactionCount({ address, blockHash: head.latest.hash }),
    ])
    // A node that is behind the previous one may not have all settled transactions.
    const mined = Math.max(latest, settled)
    const isAsked = !this.#isLoaded || this.#sequence.isPuzzling({ settled, mined }, PATIENCE_HEADS)
    const pending = isAsked ? await this.#askPool(head) : this.#sequence.counts.pending
    return { settled, mined, pending: Math.max(pending, mined) }
  }

  #askPool({ latest: { hash: at } }: Head): Promise<number> {
    if (this.#pool?.at === at) return this.#pool.pending
    const { client, address } = this.#options
    const pool = { at, pending: client.getTransactionCount({ address, blockTag: 'pending' }) }
    // A failed read is repeated.
    pool.pending.catch(() => {
      if (this.#pool === pool) this.#pool = undefined
    })
    this.#pool = pool
    return pool.pending
  }

  async #file(call: UnsignedCall, purpose: Purpose, head: Head): Promise<Live | undefined> {
    const fees = await this.#options.feeQuote(head)
    return fees && this.#write({ call, purpose, fees })
  }

  /** The only place that assigns nonces: all of these are recorded in one statement, or none is. */
  async #writeDown(drafts: readonly Draft[]): Promise<Live[]> {
    const { account, chainId, store } = this.#options
    if (!account) throw new Error(`the key of ${this.address} is not configured`)
    const nonces = this.#sequence.nextNonces(drafts.length)
    const signing = drafts.map((draft) =>
      signCall(account, chainId, draft.nonce ?? nonces.shift() ?? Number.NaN, draft),
    )
    const signed = await Promise.all(signing)
    await store.recordTransactions(signed)
    return signed.map((stored) => this.#sequence.keep({ ...stored, headsWaited: undefined }))
  }

  /** A refusal needs no handling: unmined transactions are checked again at the next blocks. */
  async #broadcast(live: Live): Promise<void> {
    const { client, log } = this.#options
    live.headsWaited = 0
    try {
      await client.sendRawTransaction({ serializedTransaction: live.raw })
    } catch (error) {
      const message = (error as { details?: string }).details ?? 'the node did not answer'
      log.info({ hash: live.hash, nonce: live.nonce, message }, 'broadcast was not accepted')
    }
    // Reset again after the answer, which may come much later: the count starts when the node has the
    // transaction.
    live.headsWaited = 0
  }

  /**
   * A foreign transaction was dropped, or ours was lost with its file: nothing after it can be mined. Fills
   * the nonce with a no-op, unless a call has just taken it.
   */
  async #fillGaps(fees: Fees): Promise<void> {
    const { account, log } = this.#options
    if (!account || this.#sequence.gaps().length === 0) return
    const filled = await this.#exclusive('nonce', () => {
      const fill = { call: noOp(this.address), purpose: NO_PURPOSE, fees }
      return this.#writeDown(this.#sequence.gaps().map((nonce) => ({ ...fill, nonce })))
    })
    log.warn({ nonces: filled.map(({ nonce }) => nonce) }, 'filling gaps in the nonces')
    for (const live of filled) await this.#broadcast(live)
  }

  async #lookAfter(live: Live, situation: Parameters<typeof needOf>[1]): Promise<void> {
    const { head, fees } = situation
    const { log } = this.#options
    const need = needOf(live, situation)
    if (need === 'nothing') return
    if (need === 'broadcast') {
      log.info({ hash: live.hash, nonce: live.nonce, intent: live.intentId }, 'broadcasting again')
      return this.#broadcast(live)
    }
    if (fees) await this.#replace(live, fees, head)
  }

  /**
   * Replaces a transaction by the same call with higher fees, or by a no-op if the chain would refuse the
   * call now: later nonces must not wait.
   */
  async #replace(old: Live, current: Fees, head: Head): Promise<void> {
    const { account, maxFeePerGas, log } = this.#options
    const fees = replacementFees(feesOf(old), current, maxFeePerGas)
    if (!account || !fees) return
    const isCancelled = isOver(old, head)
    const { nonce, intentId, ownerId } = old
    const call = isCancelled ? noOp(this.address) : callOf(old)
    const chargedWei = ownerId === null ? 0n : call.gas * (fees.maxFeePerGas - feesOf(old).maxFeePerGas)
    const purpose = isCancelled ? NO_PURPOSE : { intentId, ownerId, chargedWei }
    log.info({ nonce, replaces: old.hash, intent: intentId }, isCancelled ? 'too late: cancelling' : 'raising fees')
    await this.#broadcast(await this.#write({ nonce, call, purpose, fees }))
  }
}
