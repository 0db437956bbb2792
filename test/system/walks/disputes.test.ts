import { randomUUID } from 'node:crypto'
import { after, before, describe, it } from 'node:test'
import { expect } from 'chai'
import { sql } from 'kysely'
import { Problem } from '../../../api/errors.ts'
import type { DisputeState } from '../../../api/platform/db/generated/tables.ts'
import type { Tx } from '../../../api/platform/db/pool.ts'
import { handInFile } from '../../../api/trading/disputes/evidence/internal/handIn.ts'
import { DISPUTE_ACTIONS, type DisputeAction } from '../../../api/trading/disputes/record/guards.ts'
import { declareReady, respond, submitEvidence, waiveAppeal } from '../../../api/trading/disputes/work/submit.ts'
import { readOrderRecord } from '../../../api/trading/orders/record/queries.ts'
import { acceptUndecided } from '../../../api/trading/orders/work/accept.ts'
import { cancelOrder } from '../../../api/trading/orders/work/cancel.ts'
import { refundExpired } from '../../../api/trading/orders/work/internal/refundExpired.ts'
import { acceptProposal } from '../../../api/trading/threads/internal/accept.ts'
import { postMessage } from '../../../api/trading/threads/internal/post.ts'
import { toMessage } from '../../../api/trading/threads/wire.ts'
import { reclaimedEvent } from '../../kit/api/payments/escrow/chainEvents.ts'
import { holdOf, orderOf } from '../../kit/api/payments/escrow/read.ts'
import { startWorld, type World } from '../../kit/api/payments/escrow/world.ts'
import { acceptAsBuyer } from '../../kit/api/trading/acceptAsBuyer.ts'
import { appeal, feeEvent } from '../../kit/api/trading/disputes/appeals.ts'
import {
  type DisputedTrade,
  deliver,
  dispute,
  disputeIn,
  disputeOf,
  mayOf,
  mined,
  pass,
  reject,
  rule,
  UNDECIDABLE,
} from '../../kit/api/trading/disputes/world.ts'

const STATES = Object.keys({
  open: true,
  pre_review: true,
  arbitrating: true,
  in_review: true,
  decided: true,
  executing: true,
  closed: true,
} satisfies Record<DisputeState, true>) as DisputeState[]

const says = { grounds: ['other' as const], what_happened: 'So it is.' }

const FILE = { sha256: 'ab'.repeat(32), filename: null }
const blob = () => ({ id: randomUUID(), sizeBytes: 1, isBlank: false, excerpt: null })

/** What can be done to a dispute, by whom. Each answers false, or throws a Problem, where it may not be. */
const ACTIONS = {
  openAsBuyer: (world, trade) => dispute(world, trade, UNDECIDABLE, 'buyer'),
  openAsSeller: (world, trade) => dispute(world, trade, UNDECIDABLE, 'seller'),
  respondAsBuyer: by('buyer', (tx, call, id) => respond(tx, call, id, says)),
  respondAsSeller: by('seller', (tx, call, id) => respond(tx, call, id, says)),
  submitAsBuyer: by('buyer', (tx, call, id) => submitEvidence(tx, call, id, [])),
  handInAsBuyer: by('buyer', (tx, call, disputeId) => handInFile(tx, call, { disputeId, ...FILE }, blob())),
  handInAsSeller: by('seller', (tx, call, disputeId) => handInFile(tx, call, { disputeId, ...FILE }, blob())),
  submitAsSeller: by('seller', (tx, call, id) => submitEvidence(tx, call, id, [])),
  readyAsBuyer: by('buyer', declareReady),
  readyAsSeller: by('seller', declareReady),
  waiveAsBuyer: by('buyer', waiveAppeal),
  waiveAsSeller: by('seller', waiveAppeal),
  appealAsBuyer: (world, trade) => appeal(world, trade, 'buyer'),
  appealAsSeller: (world, trade) => appeal(world, trade, 'seller'),
  payFeeAsBuyer: (world, trade) => payFee(world, trade, 'buyer'),
  settleOnBuyers: (world, trade) => settle(world, trade, 'buyer'),
  settleOnSellers: (world, trade) => settle(world, trade, 'seller'),
  cancelAsBuyer: ({ run }, { buyer, orderId }) => run((tx) => cancelOrder(tx, buyer.call, orderId, 'other')),
  cancelAsSeller: ({ run }, { seller, orderId }) => run((tx) => cancelOrder(tx, seller.call, orderId, 'conceded')),
  acceptAsBuyer: ({ run, settings }, { orderId }) => run((tx) => acceptAsBuyer(tx, settings, orderId)),
  acceptAsService: ({ run, settings }, { orderId }) => run((tx) => acceptUndecided(tx, settings, orderId)),
  deliver: (world, trade) => deliver(world, trade),
  reject: (world, trade) => reject(world, trade),
  pass: (world, trade) => pass(world, trade),
  rule: (world, trade) => rule(world, trade),
  expire: async ({ run, db, settings }, { orderId }) => {
    await db
      .updateTable('market.orders')
      .set({ expires_at: new Date(0) })
      .where('id', '=', orderId)
      .execute()
    return run((tx) => refundExpired(tx, settings, orderId))
  },
} satisfies Record<string, (world: World, trade: DisputedTrade) => Promise<unknown>>
type Action = keyof typeof ACTIONS

/** The state that each action leads to; one that is not named is refused and changes nothing. */
const GIVING_UP = { cancelAsSeller: 'executing', acceptAsBuyer: 'executing' } as const
const SETTLING = { ...GIVING_UP, settleOnBuyers: 'executing', settleOnSellers: 'executing' } as const
const WALK: Record<DisputeState, Partial<Record<Action, DisputeState>>> = {
  open: {
    ...SETTLING,
    ...{ respondAsSeller: 'open', submitAsBuyer: 'open', submitAsSeller: 'open' },
    ...{ handInAsBuyer: 'open', handInAsSeller: 'open' },
    ...{ readyAsBuyer: 'open', readyAsSeller: 'open', pass: 'arbitrating' },
  },
  pre_review: { ...SETTLING, pass: 'arbitrating' },
  arbitrating: { ...SETTLING, pass: 'in_review', rule: 'in_review' },
  in_review: { ...SETTLING, pass: 'executing' },
  decided: {
    ...GIVING_UP,
    ...{ waiveAsBuyer: 'decided', waiveAsSeller: 'decided', pass: 'executing' },
    ...{ appealAsBuyer: 'decided', appealAsSeller: 'decided', payFeeAsBuyer: 'in_review' },
  },
  executing: {},
  closed: {},
}

/** The action of the walk that is the call of what a party may do. */
const CALLS: Readonly<Record<DisputeAction, string>> = {
  respond: 'respond',
  declare_ready: 'ready',
  submit_evidence: 'submit',
  hand_in_file: 'handIn',
  appeal: 'appeal',
  waive_appeal: 'waive',
}

describe('every action in every state of a dispute', () => {
  let world: World
  before(async () => {
    world = await startWorld()
  })
  after(() => world?.stop())

  const expectRefused = async (standing: DisputedTrade, action: Action) => {
    const before = await rowsOf(world, standing)
    const outcome = await ACTIONS[action](world, standing).catch((error: unknown) => error)
    if (outcome !== false) expect(outcome, action).to.be.instanceOf(Problem)
    const expired = action === 'expire' ? { expires_at: new Date(0) } : {}
    expect(await rowsOf(world, standing), action).to.deep.equal({ ...before, order: { ...before.order, ...expired } })
  }

  const expectLedTo = async (trade: DisputedTrade, action: Action, state: DisputeState) => {
    await ACTIONS[action](world, trade)
    expect((await disputeOf(world, trade)).state, action).to.equal(state)
    const isOver = state === 'closed'
    expect((await orderOf(world, trade)).state, action).to.equal(isOver ? 'final' : 'disputed')
    expect((await holdOf(world, trade))?.status, action).to.equal(isOver ? 'released' : 'held')
  }

  const expectGivingIn = async ({ buyer, seller, orderId }: DisputedTrade, state: DisputeState) => {
    const orderMay = async ({ call }: DisputedTrade['buyer']) =>
      (await world.run((tx) => readOrderRecord(tx, call, orderId))).may
    expect((await orderMay(buyer)).includes('accept'), 'accept').to.equal('acceptAsBuyer' in WALK[state])
    expect((await orderMay(seller)).includes('cancel'), 'cancel').to.equal('cancelAsSeller' in WALK[state])
    expect(await orderMay(buyer)).not.to.include('cancel')
  }

  /**
   * Holds what a dispute says that each party may do against what the calls answer, which the walk holds
   * against the table.
   */
  const expectMay = async (trade: DisputedTrade, state: DisputeState) => {
    for (const [party, As] of [
      ['buyer', 'AsBuyer'],
      ['seller', 'AsSeller'],
    ] as const) {
      const may = await mayOf(world, trade, party)
      const answered = DISPUTE_ACTIONS.filter((action) => `${CALLS[action]}${As}` in WALK[state])
      expect(may.dispute, party).to.deep.equal(answered)
    }
  }

  for (const mode of ['custodied', 'contract'] as const) {
    // In custody what is decided is done in the same transaction.
    const stateOf = (state: DisputeState) => (mode === 'custodied' && state === 'executing' ? 'closed' : state)

    for (const state of STATES.filter((one) => stateOf(one) === one)) {
      it(`in ${mode} mode, ${state}: what may be done leads on, and all else changes nothing`, async () => {
        const refused = (Object.keys(ACTIONS) as Action[]).filter((action) => WALK[state][action] === undefined)
        const standing = await disputeIn(world, mode, state)
        await expectGivingIn(standing, state)
        await expectMay(standing, state)
        for (const action of refused) await expectRefused(standing, action)
        for (const [action, to] of Object.entries(WALK[state]) as [Action, DisputeState][]) {
          await expectLedTo(await disputeIn(world, mode, state), action, stateOf(to))
        }
      })
    }
  }

  for (const state of STATES.filter((one) => one !== 'closed')) {
    it(`ends as the chain ends the hold, from ${state}: reclaimed, refunded or released by a party`, async () => {
      const reclaimed = await disputeIn(world, 'contract', state)
      if (reclaimed.held) await world.settle(reclaimedEvent(reclaimed.held))
      await expectChain(reclaimed, 20_000_000n)
      const released = await disputeIn(world, 'contract', state)
      await mined(world, released, 0n, 1)
      await expectChain(released, 0n)
    })
  }

  const expectChain = async (trade: DisputedTrade, refund: bigint) => {
    expect(await disputeOf(world, trade)).to.include({ state: 'closed', outcome: 'chain', refund_micros: refund })
    expect((await orderOf(world, trade)).state).to.equal('final')
  }
})

/** One side appeals, and the chain shows that its fee was paid. */
async function payFee(world: World, trade: DisputedTrade, party: 'buyer' | 'seller'): Promise<unknown> {
  return world.settle(feeEvent(await appeal(world, trade, party), trade.payer))
}

type Call = DisputedTrade['buyer']['call']

function by(party: 'buyer' | 'seller', verb: (tx: Tx, call: Call, disputeId: string) => Promise<unknown>) {
  return ({ run }: World, trade: DisputedTrade): Promise<unknown> =>
    run((tx) => verb(tx, trade[party].call, trade.disputeId))
}

/** One side proposes to refund three, the other accepts that. */
async function settle({ run, db }: World, trade: DisputedTrade, proposer: 'buyer' | 'seller'): Promise<unknown> {
  const { thread_id } = await orderOf({ db } as World, trade)
  const said = { threadId: thread_id ?? '', payload: { refund: '3.000000' }, body: null, sealed: null }
  return run(async (tx) => {
    const message = await postMessage(tx, trade[proposer].call, { ...said, kind: 'remedy_proposal' })
    const accepter = proposer === 'buyer' ? trade.seller : trade.buyer
    return acceptProposal(tx, accepter.call, message.id, toMessage(message).sha256)
  })
}

async function rowsOf(world: World, trade: DisputedTrade) {
  const { updated_at: _, ...order } = await orderOf(world, trade)
  const { due_at: __, ...row } = await disputeOf(world, trade)
  const { rows } = await sql<{ events: string }>`select count(*) as events from market.events`.execute(world.db)
  return { order, dispute: row, hold: await holdOf(world, trade), events: rows[0]?.events }
}
