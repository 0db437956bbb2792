import type { Logger } from 'pino'
import type { Address } from 'viem'
import type { Head } from '../chain/head.ts'
import type { SignerRole } from '../context/decision.ts'
import type { StoredTransaction } from '../context/records.ts'
import type { Signer } from './signer.ts'

/** Where the transactions of a key stand. */
export interface KeyState {
  role: SignerRole | 'retired'
  address: Address
  /** How many no block has. */
  unmined: number
  /** How many heads the lowest of their nonces has waited for, however often it was replaced. */
  headsWaited: number
}

/**
 * The maximum of unmined transactions per key: nodes keep a few hundred of one account, and drop the rest.
 */
const MAX_IN_FLIGHT = 100

/**
 * The keys that accept new work, those that only finish theirs, and those of the first that cannot pay for
 * gas.
 */
export class Signers {
  readonly #working: Record<SignerRole, readonly Signer[]>
  readonly #finishing: Set<Signer>
  readonly #all: readonly Signer[]
  readonly #byAddress: ReadonlyMap<string, Signer>
  readonly #log: Logger
  #poor: ReadonlySet<Address> = new Set()

  constructor(working: Record<SignerRole, readonly Signer[]>, finishing: readonly Signer[], log: Logger) {
    this.#working = working
    this.#finishing = new Set(finishing)
    this.#log = log
    this.#all = [...working.submitter, ...working.resolver, ...finishing]
    this.#byAddress = new Map(this.#all.map((signer) => [signer.address.toLowerCase(), signer]))
  }

  /** Returns the addresses that accept new work in a role. */
  addresses(role: SignerRole): Address[] {
    return this.#working[role].map(({ address }) => address)
  }

  /** Returns whether new work in a role can be sent now. */
  hasRoom(role: SignerRole): boolean {
    return this.#working[role].some(({ inFlight }) => inFlight < MAX_IN_FLIGHT)
  }

  /**
   * Returns the signer to send next in a role: the one with the fewest pending transactions. Undefined if all
   * are full.
   */
  pick(role: SignerRole): Signer | undefined {
    const withRoom = this.#working[role].filter(({ inFlight }) => inFlight < MAX_IN_FLIGHT)
    const rank = (signer: Signer) => (this.#poor.has(signer.address) ? MAX_IN_FLIGHT : 0) + signer.inFlight
    return withRoom.sort((one, other) => rank(one) - rank(other))[0]
  }

  /** Returns where the transactions of each key stand. */
  states(): KeyState[] {
    const roleOf = (signer: Signer) => {
      if (this.#working.submitter.includes(signer)) return 'submitter'
      return this.#working.resolver.includes(signer) ? 'resolver' : 'retired'
    }
    return this.#all.map((signer) => ({ role: roleOf(signer), address: signer.address, ...signer.standing }))
  }

  /** Sets the addresses with too little for gas: others are preferred. */
  setPoor(addresses: readonly Address[]): void {
    this.#poor = new Set(addresses)
  }

  /** Whether no key has a pending transaction. */
  get areIdle(): boolean {
    return this.#all.every(({ isIdle }) => isIdle)
  }

  /**
   * Returns whether a transaction's effect is still open: it may still be mined, or is mined but not yet
   * confirmed.
   */
  isUnderWay({ signer, nonce }: StoredTransaction): boolean {
    // A key without pending transactions at our start has received no work since.
    return this.#byAddress.get(signer.toLowerCase())?.isUnderWay(nonce) ?? false
  }

  /**
   * Returns whether some key has, at this head, unmined transactions that are not on our file. Throws any
   * error of the RPC.
   */
  async haveForgotten(head: Head): Promise<boolean> {
    const answers = await Promise.all(this.#all.map((signer) => signer.hasForgotten(head)))
    return answers.includes(true)
  }

  /** Keeps every transaction on file moving, at every new head. */
  async maintain(head: Head): Promise<void> {
    await Promise.all(this.#all.map((signer) => signer.maintain(head)))
    for (const signer of this.#finishing) {
      if (!signer.isIdle) continue
      this.#finishing.delete(signer)
      this.#log.info({ address: signer.address }, 'nothing of this retired key is on its way any more')
    }
  }
}
