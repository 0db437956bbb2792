import fc from 'fast-check'
import { sql } from 'kysely'
import type { Address } from 'viem'
import type { Tx } from '../../../api/db/pool.ts'
import type { EscrowMode } from '../../../api/db/schema.ts'
import { inTransaction } from '../../../api/db/transaction.ts'
import type { ChainEvent } from '../../../api/escrow/evidence.ts'
import { businessKey } from '../../../api/escrow/evidence.ts'
import { requestRelease } from '../../../api/escrow/release.ts'
import { settleEvent } from '../../../api/escrow/settle.ts'
import { recordVanished } from '../../../api/escrow/vanish.ts'
import { createAsk } from '../../../api/market/create.ts'
import { placeOrder } from '../../../api/orders/place.ts'
import { orderTerms } from '../../../api/orders/terms.ts'
import { tryTransition } from '../../../api/orders/transition.ts'
import { failPayout } from '../../../api/payouts/fail.ts'
import { submitPayout } from '../../../api/payouts/submit.ts'
import { splitHold } from '../../../protocol/split.ts'
import { heldFact, place, reclaimedFact, releasedFact } from '../escrow/facts.ts'
import { payoutsOf } from '../escrow/read.ts'
import { newAddress, putOnFile, setState, type Trade, type World } from '../escrow/world.ts'
import { type ChainModel, creditsOf } from './chainModel.ts'

/** What is to happen in one trade. Choices that its mode has no use for are left alone. */
export interface Plan {
  mode: EscrowMode
  priceMicros: bigint
  /** How much of the price goes back, in thousandths. */
  refundPermille: number
  /** The payer takes the hold back at its expiry instead. */
  isReclaimed: boolean
  /** How often a payout fails before it goes through. */
  failures: number
  /** What goes wrong on the way, step after step; nothing once they are used up. */
  mishaps: Mishap[]
  /** The payment vanishes at the end, and does not come again. */
  isLost: boolean
}

/** The process dies before the commit; two do the same at once; the chain takes the fact back and shows it again. */
type Mishap = 'none' | 'crash' | 'twice' | 'reorganisation'

const price = fc.oneof(fc.bigInt(1n, 40n), fc.bigInt(1n, 2_000_000n), fc.bigInt(1n, 10_000_000_000n))

export const plan: fc.Arbitrary<Plan> = fc.record({
  mode: fc.constantFrom('contract', 'custodied'),
  priceMicros: price,
  refundPermille: fc.oneof(fc.constant(0), fc.constant(1_000), fc.integer({ min: 0, max: 1_000 })),
  isReclaimed: fc.boolean(),
  failures: fc.integer({ min: 0, max: 2 }),
  mishaps: fc.array(fc.constantFrom<Mishap>('none', 'crash', 'twice', 'reorganisation'), { maxLength: 8 }),
  isLost: fc.boolean(),
})

/** Where histories happen: the market, the chain as it should be, and two who trade with each other. */
export interface Stage {
  world: World
  chain: ChainModel
  between: Pick<Trade, 'buyer' | 'seller'>
}

/** Lives one trade through, and tells the model of the chain what the chain does. */
export async function live(stage: Stage, given: Plan): Promise<void> {
  const trade = await placeTrade(stage, given)
  const steps = new Steps(stage, given.mishaps)
  if (given.mode === 'contract') await liveByContract(stage, steps, trade, given)
  else await liveInCustody(stage, steps, trade, given)
}

async function placeTrade({ world, between }: Stage, { mode, priceMicros }: Plan): Promise<Trade> {
  const { buyer, seller } = between
  const payer = newAddress()
  const order = await inTransaction(world.db, 'read write', async (tx) => {
    const ask = await createAsk(tx, seller.call, { title: 'Verse', description: 'Lines.', price: priceMicros })
    const placed = await placeOrder(tx, buyer.call, { subject: { askId: ask.id, askVersion: undefined }, mode })
    await putOnFile(tx, placed, payer)
    return placed
  })
  return { orderId: order.id, order, buyer, seller, payer }
}

async function liveByContract({ world, chain }: Stage, steps: Steps, trade: Trade, given: Plan): Promise<void> {
  const funded = heldFact(world, orderTerms(trade.order), trade.payer)
  chain.fund(funded.holdId, given.priceMicros)
  await steps.settle(funded)
  if (given.isLost) {
    chain.unfund(funded.holdId)
    await steps.vanish(funded)
    return
  }
  const refundMicros = given.isReclaimed ? given.priceMicros : refundOf(given)
  const split = splitHold(given.priceMicros, refundMicros, trade.order.fee_bps)
  const credits = creditsOf(split, trade)
  if (!given.isReclaimed) await steps.ask(trade, refundMicros)
  chain.release(funded.holdId, credits)
  await steps.settle(given.isReclaimed ? reclaimedFact(funded) : releasedFact(funded, credits))
  for (const { account, amountMicros } of credits) await steps.settle(chain.withdraw(account as Address, amountMicros))
}

async function liveInCustody({ world, chain }: Stage, steps: Steps, trade: Trade, given: Plan): Promise<void> {
  const deposit = chain.deposit(trade)
  await steps.settle(deposit)
  if (given.isLost) {
    chain.hotWalletMicros -= deposit.amountMicros
    await steps.vanish(deposit)
    return
  }
  await steps.ask(trade, refundOf(given))
  for (const { id, leg, amount_micros: amountMicros } of await payoutsOf(world, trade.payer)) {
    for (let failure = 0; failure < given.failures; failure++) {
      await steps.act((tx) => submitPayout(tx, world.settings, id))
      await steps.act((tx) => failPayout(tx, world.settings, id, 'the token refuses'))
    }
    await steps.act((tx) => submitPayout(tx, world.settings, id))
    const to = leg === 'payer' ? trade.payer : newAddress()
    await steps.settle(chain.payOut(world, deposit, { leg: leg as 'payer' | 'payee', to, amountMicros }))
  }
}

function refundOf({ priceMicros, refundPermille }: Plan): bigint {
  return (priceMicros * BigInt(refundPermille)) / 1_000n
}

/** Does one thing after the other, each with its mishap, and always to its end. */
class Steps {
  readonly #world: World
  readonly #mishaps: Iterator<Mishap>

  constructor({ world }: Stage, mishaps: readonly Mishap[]) {
    this.#world = world
    this.#mishaps = mishaps.values()
  }

  /** Tells the market a fact of the chain. */
  async settle(fact: ChainEvent): Promise<void> {
    const tell = (tx: Tx) => settleEvent(tx, this.#world.settings, { ...fact, place: place() })
    if ((await this.act(tell)) !== 'reorganisation') return
    await this.vanish(fact)
    await this.#run(tell)
  }

  async vanish(fact: ChainEvent): Promise<void> {
    await this.#run((tx) => recordVanished(tx, this.#world.settings, businessKey(fact)))
  }

  /** The order is decided: its hold is let go, the chain asked where it must act. */
  async ask(trade: Trade, refundMicros: bigint): Promise<void> {
    await setState(this.#world, trade, 'delivered')
    await this.#run((tx) => tryTransition(tx, trade.orderId, 'accept'))
    await this.act((tx) => requestRelease(tx, this.#world.settings, trade.orderId, { refundMicros }))
  }

  async act(verb: (tx: Tx) => Promise<unknown>): Promise<Mishap> {
    const { value: mishap = 'none' } = this.#mishaps.next()
    if (mishap === 'crash') await this.#crash(verb)
    await (mishap === 'twice' ? this.#runTwice(verb) : this.#run(verb))
    return mishap
  }

  #run(verb: (tx: Tx) => Promise<unknown>): Promise<unknown> {
    return inTransaction(this.#world.db, 'read write', verb)
  }

  /** The connection is cut when all is done but the commit. */
  async #crash(verb: (tx: Tx) => Promise<unknown>): Promise<void> {
    const cut = this.#run(async (tx) => {
      await verb(tx)
      await sql`select pg_terminate_backend(pg_backend_pid())`.execute(tx)
    })
    const isCut = await cut.then(
      () => false,
      () => true,
    )
    if (!isCut) throw new Error('the connection was not cut')
  }

  /** One of the two may be told that it was too late; it is done all the same. */
  async #runTwice(verb: (tx: Tx) => Promise<unknown>): Promise<void> {
    const ended = await Promise.allSettled([this.#run(verb), this.#run(verb)])
    const errors = ended.flatMap((each) => (each.status === 'rejected' ? [String(each.reason)] : []))
    if (errors.length === 2 || errors.some((error) => !/was released before/.test(error))) throw new Error(errors[0])
  }
}
