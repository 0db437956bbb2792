import type { Logger } from 'pino'
import {
  type Address,
  type Hex,
  keccak256,
  type PublicClient,
  parseTransaction,
  type TransactionSerializableEIP1559,
} from 'viem'
import type { PrivateKeyAccount } from 'viem/accounts'
import { createExclusive } from './exclusive.ts'
import { currentFees, type Fees, replacementFees } from './fees.ts'
import type { Head } from './head.ts'
import type { Store, StoredTransaction } from './store.ts'

/** A transaction without what the signer adds: nonce and fees. */
export interface UnsignedCall {
  to: Address
  data: Hex
  gas: bigint
}

export interface SignerOptions {
  account: PrivateKeyAccount
  client: PublicClient
  store: Store
  chainId: number
  maxFeePerGas: bigint
  log: Logger
}

/** How many blocks a transaction may go unmined before the node is asked whether it still knows it. */
const PATIENCE_BLOCKS = 2n

interface Live extends StoredTransaction {
  /** The block at which it was last broadcast; none since this process began to act. */
  broadcastAt: bigint | undefined
}

/**
 * One key's sequence of transactions. Each is on file, signed and whole, before it is broadcast, so a crash loses none:
 * whatever is on file and not mined is broadcast again, the same bytes. A nonce is taken only in the moment its
 * transaction is written down, so the sequence has no gap that is not on file.
 */
export class Signer {
  readonly #options: SignerOptions
  readonly #exclusive = createExclusive()
  /** What may still be mined, by nonce; several for one nonce when fees were raised, the last one newest. */
  readonly #live = new Map<number, Live[]>()
  #loaded = false
  /** How many transactions of this key were final at the last head. */
  #settledNonce = 0
  #pendingNonce = 0
  #hasForgotten = false

  constructor(options: SignerOptions) {
    this.#options = options
  }

  get address(): Address {
    return this.#options.account.address
  }

  /**
   * Whether the node holds unmined transactions of this key that are not on our file: the file is an earlier copy of
   * itself, and what those will do nobody knows before they are mined.
   */
  get hasForgotten(): boolean {
    return this.#hasForgotten
  }

  /** Signs a call under the next nonce, writes it down, broadcasts it. False when the fee limit is below the market. */
  async send(intentId: string, call: UnsignedCall, head: Head): Promise<Hex | undefined> {
    const { client, maxFeePerGas } = this.#options
    const fees = await currentFees(client, head, maxFeePerGas)
    if (!fees) return undefined
    const live = await this.#exclusive('nonce', () => this.#record(intentId, call, this.#nextNonce(), fees))
    await this.#broadcast(live, head)
    return live.hash
  }

  /** To be called at every new head, and once before the first `send`: keeps everything on file on its way. */
  async maintain(head: Head): Promise<void> {
    const { client, store } = this.#options
    const address = this.address
    const [settled, mined, inPool] = await Promise.all([
      client.getTransactionCount({ address, blockNumber: head.confirmed.number }),
      client.getTransactionCount({ address, blockNumber: head.latest.number }),
      client.getTransactionCount({ address, blockTag: 'pending' }),
    ])
    // A node behind the one before may know less than is settled.
    const pending = Math.max(inPool, mined, settled)
    // The chain went back past what we took as final: what it lost is on file, and is broadcast again from there.
    if (settled < this.#settledNonce) this.#forget()
    this.#settledNonce = settled
    if (!this.#loaded) {
      for (const stored of await store.transactionsFrom(address, settled))
        this.#keep({ ...stored, broadcastAt: undefined })
      this.#loaded = true
    }
    this.#pendingNonce = pending
    this.#hasForgotten = this.#misses(mined, pending)
    for (const nonce of this.#live.keys()) if (nonce < settled) this.#live.delete(nonce)
    await this.#fillGap(pending, head)
    for (const nonce of this.#unmined(mined)) await this.#revive(nonce, head)
    await this.#raiseFees(mined, head)
  }

  #forget(): void {
    this.#options.log.warn('the chain lost transactions that were final: broadcasting them again')
    this.#live.clear()
    this.#loaded = false
  }

  #misses(mined: number, pending: number): boolean {
    for (let nonce = mined; nonce < pending; nonce++) if (!this.#live.has(nonce)) return true
    return false
  }

  #unmined(mined: number): number[] {
    return [...this.#live.keys()].filter((nonce) => nonce >= mined).sort((one, other) => one - other)
  }

  /** The lowest nonce that neither the node nor our file knows as taken. */
  #nextNonce(): number {
    if (!this.#loaded) throw new Error('a signer sends nothing before its sequence is known')
    let nonce = this.#pendingNonce
    while (this.#live.has(nonce)) nonce++
    return nonce
  }

  async #record(intentId: string, call: UnsignedCall, nonce: number, fees: Fees): Promise<Live> {
    const { account, chainId, store } = this.#options
    const { to, data, gas } = call
    const raw = await account.signTransaction({ type: 'eip1559', chainId, nonce, to, data, gas, value: 0n, ...fees })
    const stored = { hash: keccak256(raw), intentId, signer: this.address, nonce, raw }
    await store.recordTransaction(stored)
    return this.#keep({ ...stored, broadcastAt: undefined })
  }

  #keep(live: Live): Live {
    this.#live.set(live.nonce, [...(this.#live.get(live.nonce) ?? []), live])
    return live
  }

  /** A refusal needs no handling: what is not mined is looked at again at the next blocks. */
  async #broadcast(live: Live, head: Head): Promise<void> {
    const { client, log } = this.#options
    live.broadcastAt = head.latest.number
    try {
      await client.sendRawTransaction({ serializedTransaction: live.raw })
    } catch (error) {
      const message = (error as { details?: string }).details ?? 'the node did not answer'
      log.info({ hash: live.hash, nonce: live.nonce, message }, 'broadcast was not accepted')
    }
  }

  /** Broadcasts again what the node has forgotten, or was never given. */
  async #revive(nonce: number, head: Head): Promise<void> {
    const { client, log } = this.#options
    const newest = this.#live.get(nonce)?.at(-1)
    if (!newest) return
    if (newest.broadcastAt !== undefined) {
      if (head.latest.number < newest.broadcastAt + PATIENCE_BLOCKS) return
      const known = await client.request({ method: 'eth_getTransactionByHash', params: [newest.hash] })
      if (known) return
    }
    log.info({ hash: newest.hash, nonce, intent: newest.intentId }, 'broadcasting again')
    await this.#broadcast(newest, head)
  }

  /**
   * A nonce below our lowest unmined one that the node misses: somebody else's transaction was dropped, or ours and its
   * file lost. Nothing after it can be mined, so the first call after it is sent under that nonce as well; the chain
   * refuses whichever of the two comes second.
   */
  async #fillGap(pending: number, head: Head): Promise<void> {
    const lowest = this.#unmined(pending)[0]
    const stuck = lowest === undefined ? undefined : this.#live.get(lowest)?.at(-1)
    if (lowest === undefined || lowest === pending || !stuck) return
    const { client, maxFeePerGas, log } = this.#options
    const fees = await currentFees(client, head, maxFeePerGas)
    if (!fees) return
    log.warn({ nonce: pending, lowest }, 'filling a gap in the nonces')
    const call = callOf(stuck)
    const live = await this.#exclusive('nonce', () => this.#record(stuck.intentId, call, pending, fees))
    await this.#broadcast(live, head)
  }

  /** Replaces the transaction that is next in line when the base fee has outgrown what it pays. */
  async #raiseFees(mined: number, head: Head): Promise<void> {
    const next = this.#live.get(mined)?.at(-1)
    if (next?.broadcastAt === undefined || head.latest.number < next.broadcastAt + PATIENCE_BLOCKS) return
    const { client, maxFeePerGas, log } = this.#options
    const current = await currentFees(client, head, maxFeePerGas)
    const old = feesOf(next)
    const fees = current && replacementFees(old, current, head, maxFeePerGas)
    if (!fees) return
    log.info({ nonce: mined, replaces: next.hash }, 'raising fees')
    const live = await this.#exclusive('nonce', () => this.#record(next.intentId, callOf(next), mined, fees))
    await this.#broadcast(live, head)
  }
}

function parse(stored: StoredTransaction): TransactionSerializableEIP1559 {
  return parseTransaction(stored.raw as `0x02${string}`)
}

function callOf(stored: StoredTransaction): UnsignedCall {
  const { to, data, gas } = parse(stored)
  if (!to || !data || !gas) throw new Error(`transaction ${stored.hash} on file is not one of ours`)
  return { to, data, gas }
}

function feesOf(stored: StoredTransaction): Fees {
  const { maxFeePerGas = 0n, maxPriorityFeePerGas = 0n } = parse(stored)
  return { maxFeePerGas, maxPriorityFeePerGas }
}
