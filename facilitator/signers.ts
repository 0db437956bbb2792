import type { Logger } from 'pino'
import type { Address } from 'viem'
import type { SignerRole } from './context.ts'
import type { Head } from './head.ts'
import type { Signer } from './signer.ts'
import type { StoredTransaction } from './store.ts'

/** How many unmined transactions a key may have: nodes keep a few hundred of one account, and drop what is above. */
const MAX_IN_FLIGHT = 100

/** The keys that take new work, those that only finish theirs, and which of the first cannot pay for gas. */
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

  /** The addresses that take new work in a role. */
  addresses(role: SignerRole): Address[] {
    return this.#working[role].map(({ address }) => address)
  }

  /** Whether new work in a role can be sent now. */
  hasRoom(role: SignerRole): boolean {
    return this.#working[role].some(({ inFlight }) => inFlight < MAX_IN_FLIGHT)
  }

  /** Who is to send next in a role: whoever has the least on its way. Undefined when all have as much as they may. */
  pick(role: SignerRole): Signer | undefined {
    const withRoom = this.#working[role].filter(({ inFlight }) => inFlight < MAX_IN_FLIGHT)
    const rank = (signer: Signer) => (this.#poor.has(signer.address) ? MAX_IN_FLIGHT : 0) + signer.inFlight
    return withRoom.sort((one, other) => rank(one) - rank(other))[0]
  }

  /** These have too little for gas: others go first. */
  setPoor(addresses: readonly Address[]): void {
    this.#poor = new Set(addresses)
  }

  /** Whether what a transaction does is still open: it may be mined yet, or is mined less deep than confirmed. */
  isUnderWay({ signer, nonce }: StoredTransaction): boolean {
    // A key that had nothing on its way when we began has not been given any work since.
    return this.#byAddress.get(signer.toLowerCase())?.isUnderWay(nonce) ?? false
  }

  /** Whether some key has, at this head, unmined transactions that are not on our file. Throws what the RPC throws. */
  async haveForgotten(head: Head): Promise<boolean> {
    const answers = await Promise.all(this.#all.map((signer) => signer.hasForgotten(head)))
    return answers.includes(true)
  }

  /** At every new head: keeps everything on file on its way. */
  async maintain(head: Head): Promise<void> {
    await Promise.all(this.#all.map((signer) => signer.maintain(head)))
    for (const signer of this.#finishing) {
      if (!signer.isIdle) continue
      this.#finishing.delete(signer)
      this.#log.info({ address: signer.address }, 'nothing of this retired key is on its way any more')
    }
  }
}
