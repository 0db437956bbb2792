import { type KyselyPlugin, sql } from 'kysely'
import { Problem } from '../../../../../../api/errors.ts'
import { businessKey, type ChainEvent } from '../../../../../../api/payments/chain/evidence.ts'
import { applyChainEvent } from '../../../../../../api/payments/settlement/internal/applyChainEvent.ts'
import { reverseEvent } from '../../../../../../api/payments/settlement/internal/reorgReversal.ts'
import type { Tx } from '../../../../../../api/platform/db/pool.ts'
import { inTransaction } from '../../../../../../api/platform/db/transaction.ts'
import { place } from '../../escrow/chainEvents.ts'
import type { World } from '../../escrow/world.ts'
import type { ChainModel } from './chainModel.ts'
import type { Mishap } from './plan.ts'

type Verb = (tx: Tx) => Promise<unknown>

/** When all is done but the commit. */
const LAST = Number.POSITIVE_INFINITY

const SUICIDE = sql`select pg_terminate_backend(pg_backend_pid())`

/** Does one thing of a history after the other, each with its mishap, and always to its end. */
export class Steps {
  readonly #world: World
  readonly #chain: ChainModel
  readonly #mishaps: Iterator<Mishap>
  /** What the chain has done in this history and not taken back. */
  readonly #facts: ChainEvent[] = []

  constructor(world: World, chain: ChainModel, mishaps: readonly Mishap[]) {
    this.#world = world
    this.#chain = chain
    this.#mishaps = mishaps.values()
  }

  /** The chain does this, and the market is told. */
  async settle<Fact extends ChainEvent>(fact: Fact): Promise<Fact> {
    this.#chain.happen(fact)
    this.#facts.push(fact)
    const mishap = await this.must((tx) => applyChainEvent(tx, this.#world.settings, fact))
    if (mishap === 'reorganisation') await this.#goBackAndForth([fact])
    return fact
  }

  /** The chain takes back what it did last in this history, until it does it again. */
  async takeBack(fact: ChainEvent): Promise<void> {
    if (this.#facts.pop() !== fact) throw new Error(`${businessKey(fact)} is not what the chain did last`)
    this.#chain.happen(fact, -1n)
    await this.#vanish(fact)
  }

  async bringBack(fact: ChainEvent): Promise<void> {
    this.#chain.happen(fact)
    this.#facts.push(fact)
    await this.#bringBack(fact)
  }

  /** The chain takes back all it has done in this history, and does it no more. */
  async loseAll(): Promise<void> {
    for (const fact of this.#facts.toReversed()) {
      this.#chain.happen(fact, -1n)
      await this.#vanish(fact)
    }
    this.#facts.length = 0
  }

  /**
   * Does what answers true when it is done, and anything else, or that it is too late, when it was done
   * before.
   */
  async must(verb: Verb): Promise<Mishap['kind']> {
    const { mishap, answers } = await this.#act(verb)
    if (!answers.includes(true)) throw new Error(`in vain: ${verb}, with ${mishap}`)
    if (mishap === 'deep reorganisation') await this.#goBackAndForth(this.#facts)
    return mishap
  }

  async #goBackAndForth(facts: readonly ChainEvent[]): Promise<void> {
    for (const fact of facts.toReversed()) await this.#vanish(fact)
    for (const fact of facts) await this.#bringBack(fact)
  }

  async #bringBack(fact: ChainEvent): Promise<void> {
    const isBack = await this.#run((tx) =>
      applyChainEvent(tx, this.#world.settings, { ...fact, place: elsewhere(fact) }),
    )
    if (isBack !== true) throw new Error(`${businessKey(fact)} came again, and nobody took notice`)
  }

  async #vanish(fact: ChainEvent): Promise<void> {
    const isGone = await this.#run((tx) => reverseEvent(tx, this.#world.settings, businessKey(fact)))
    if (isGone !== true) throw new Error(`${businessKey(fact)} vanished, and nobody took notice`)
  }

  async #act(verb: Verb): Promise<{ mishap: Mishap['kind']; answers: unknown[] }> {
    const { kind: mishap, statement } = this.#mishaps.next().value ?? ({ kind: 'none', statement: 0 } satisfies Mishap)
    switch (mishap) {
      case 'cut':
        return { mishap, answers: [await this.#cutAt(statement, verb), await this.#unlessTooLate(verb)] }
      case 'crash':
        return { mishap, answers: [await this.#cutAt(LAST, verb), await this.#run(verb)] }
      case 'unheard':
        return { mishap, answers: [await this.#run(verb), await this.#unlessTooLate(verb)] }
      case 'twice':
        return { mishap, answers: await Promise.all([this.#unlessTooLate(verb), this.#unlessTooLate(verb)]) }
      default:
        return { mishap, answers: [await this.#run(verb)] }
    }
  }

  #run(verb: Verb): Promise<unknown> {
    return inTransaction(this.#world.db, 'read write', verb)
  }

  /** False where it was done before. */
  #unlessTooLate(verb: Verb): Promise<unknown> {
    return this.#run(verb).catch((error: unknown) => {
      const isTooLate = error instanceof Problem && error.problem === 'payouts/not-parked'
      if (isTooLate || /was released before/.test(String(error))) return false
      throw error
    })
  }

  /** False where the connection was cut; what the verb answers where it had fewer statements than that. */
  async #cutAt(statement: number, verb: Verb): Promise<unknown> {
    const cut = new Cut(statement)
    try {
      return await this.#run(async (tx) => {
        const answer = await verb(tx.withPlugin(cut))
        if (statement === LAST) await SUICIDE.execute(tx)
        return answer
      })
    } catch (error) {
      if (statement === LAST ? /terminat/.test(String(error)) : cut.isDone) return false
      throw error
    }
  }
}

/** Cuts the connection in place of a statement. */
class Cut implements KyselyPlugin {
  #left: number

  constructor(statement: number) {
    this.#left = statement
  }

  get isDone(): boolean {
    return this.#left <= 0
  }

  transformQuery({ node }: Parameters<KyselyPlugin['transformQuery']>[0]) {
    return --this.#left === 0 ? SUICIDE.toOperationNode() : node
  }

  transformResult({ result }: Parameters<KyselyPlugin['transformResult']>[0]) {
    return Promise.resolve(result)
  }
}

/**
 * The same transaction in another block; where the fact is not named by that, another transaction with the
 * same call.
 */
function elsewhere({ kind, place: { txHash, logIndex } }: ChainEvent) {
  if (kind === 'withdrawn') return { ...place(), txHash, logIndex: logIndex + 1 }
  return kind === 'transfer' || kind === 'rescued' ? { ...place(), txHash, logIndex } : place()
}
