import { after, before, describe, it } from 'node:test'
import { expect } from 'chai'
import { sql } from 'kysely'
import { v7 as uuidv7 } from 'uuid'
import { stateAppeal } from '../../../api/trading/disputes/appeals/appealStatement.ts'
import { handInFile } from '../../../api/trading/disputes/evidence/internal/handIn.ts'
import { waiveAppeal } from '../../../api/trading/disputes/work/submit.ts'
import { sha256Hex } from '../../../protocol/encoding/canonical.ts'
import { startWorld, type World } from '../../kit/api/payments/escrow/world.ts'
import { appeal, appoint, feeEvent, feesOf, fund, walletOf } from '../../kit/api/trading/disputes/appeals.ts'
import { type DisputedTrade, disputeIn, mayOf } from '../../kit/api/trading/disputes/world.ts'

type Side = 'buyer' | 'seller'

describe('every call about an appeal, in every state of one', () => {
  let world: World
  before(async () => {
    world = await startWorld()
    await appoint(world)
  })
  after(() => world?.stop())

  /** A decided dispute that the buyer has appealed. */
  const appealed = async () => {
    const trade = await disputeIn(world, 'custodied', 'decided')
    return { trade, fee: await appeal(world, trade, 'buyer') }
  }
  const heard = async () => {
    const { trade, fee } = await appealed()
    await fund(world, trade, 'buyer', fee, trade.payer)
    await world.settle(feeEvent(fee, trade.payer))
    return { trade }
  }
  const FILE = { sha256: sha256Hex('a file'), filename: null }
  const done = async (verb: Parameters<World['run']>[0]) => {
    await world.run(verb)
    return 'done'
  }
  /** What a party can ask of an appeal, and of a verdict. Each answers with a Problem where it may not. */
  const CALLS = {
    appeal: (trade: DisputedTrade, side: Side) => appeal(world, trade, side),
    waive_appeal: (trade: DisputedTrade, side: Side) =>
      done((tx) => waiveAppeal(tx, trade[side].call, trade.disputeId)),
    fund: async (trade: DisputedTrade, side: Side) => {
      const fee = (await feesOf(world, trade)).find(({ party }) => party === side)
      const anyFee = fee ?? (await feesOf(world, trade))[0]
      const payer = side === 'buyer' ? trade.payer : await walletOf(world, trade.seller)
      return anyFee && fund(world, trade, side, anyFee, payer)
    },
    state: (trade: DisputedTrade, side: Side) =>
      done((tx) => stateAppeal(tx, trade[side].call, trade.disputeId, 'It rhymes.')),
    hand_in_file: (trade: DisputedTrade, side: Side) => {
      const blob = { id: uuidv7(), sizeBytes: 6, isBlank: false, excerpt: null }
      return world.run((tx) => handInFile(tx, trade[side].call, { disputeId: trade.disputeId, ...FILE }, blob))
    },
  }
  const SPEAKING = ['state', 'hand_in_file'] as const
  const WALK: Record<string, { bring: () => Promise<DisputedTrade>; buyer: string[]; seller: string[] }> = {
    'that nobody made': {
      bring: () => disputeIn(world, 'custodied', 'decided'),
      buyer: ['appeal', 'waive_appeal'],
      seller: ['appeal', 'waive_appeal'],
    },
    'that is to be paid': {
      bring: async () => (await appealed()).trade,
      buyer: ['fund', ...SPEAKING],
      seller: ['appeal', 'waive_appeal'],
    },
    'whose payment is on its way': {
      bring: async () => {
        const { trade, fee } = await appealed()
        await fund(world, trade, 'buyer', fee, trade.payer)
        return trade
      },
      buyer: [...SPEAKING],
      seller: ['appeal', 'waive_appeal'],
    },
    'that is heard': { bring: async () => (await heard()).trade, buyer: [...SPEAKING], seller: [...SPEAKING] },
    'that was stated': {
      bring: async () => {
        const { trade } = await heard()
        await CALLS.state(trade, 'buyer')
        return trade
      },
      buyer: ['hand_in_file'],
      seller: [...SPEAKING],
    },
    'whose hearing is over': {
      bring: async () => {
        const { trade } = await heard()
        const over = world.db.updateTable('market.disputes').set({ appeal_heard_until: sql<Date>`market.now()` })
        await over.where('id', '=', trade.disputeId).execute()
        return trade
      },
      buyer: [],
      seller: [],
    },
    'whose window is over': {
      bring: async () => {
        const trade = await disputeIn(world, 'custodied', 'decided')
        const over = world.db.updateTable('market.disputes').set({ due_at: sql<Date>`market.now()` })
        await over.where('id', '=', trade.disputeId).execute()
        return trade
      },
      buyer: ['waive_appeal'],
      seller: ['waive_appeal'],
    },
  }
  const expectMay = async (bring: () => Promise<DisputedTrade>, side: Side, expected: readonly string[]) => {
    const standing = await bring()
    const may = await mayOf(world, standing, side)
    expect([...may.dispute, ...may.buyer, ...may.seller], side).to.deep.equal(expected)
    for (const [action, call] of Object.entries(CALLS)) {
      const isListed = expected.includes(action)
      const outcome = await call(isListed ? await bring() : standing, side).catch((error: unknown) => error)
      const isDone = outcome !== undefined && !(outcome instanceof Error)
      expect(isDone, `${action} by the ${side}: ${outcome}`).to.equal(isListed)
    }
  }
  for (const [name, { bring, buyer, seller }] of Object.entries(WALK)) {
    it(`says to each party what it may do, as the calls answer: an appeal ${name}`, async () => {
      await expectMay(bring, 'buyer', buyer)
      await expectMay(bring, 'seller', seller)
    })
  }
})
