import { after, before, describe } from 'node:test'
import { expect } from 'chai'
import { sql } from 'kysely'
import pino from 'pino'
import type { Address } from 'viem'
import { failPayout } from '../../api/payments/payouts/fail.ts'
import { reopenPayout } from '../../api/payments/payouts/internal/reopen.ts'
import { submitPayout } from '../../api/payments/payouts/internal/submit.ts'
import { unblockDuePayouts } from '../../api/payments/payouts/internal/unblockDue.ts'
import { unblockPayouts } from '../../api/payments/payouts/unblock.ts'
import { applyChainEvent } from '../../api/payments/settlement/internal/applyChainEvent.ts'
import { reverseEvent } from '../../api/payments/settlement/internal/reorgReversal.ts'
import { followOutcomes } from '../../api/payments/settlement/outcomes.ts'
import { stopPayouts } from '../../api/payments/stops/stops.ts'
import type { JobServices } from '../../api/platform/jobs/services.ts'
import { outflowEvent } from '../kit/api/payments/escrow/chainEvents.ts'
import {
  accepted,
  funded,
  NET,
  onlyPayout,
  refund,
  sellerWallet,
  submit,
} from '../kit/api/payments/escrow/custody/trades.ts'
import { bindWallet, setState, startWorld, type World } from '../kit/api/payments/escrow/world.ts'
import { idleNode, runIn } from '../kit/between/money.ts'
import { describeStage, openWatcher, type Watcher } from '../kit/between/stage.ts'

describe('payouts, with somebody else acting in between', { timeout: 600_000 }, () => {
  let world: World
  let watcher: Watcher
  let services: JobServices

  before(async () => {
    world = await startWorld()
    watcher = await openWatcher(world.databaseUrl)
    const { settings, serviceDb: db } = world
    services = { db, settings, rpc: idleNode(settings.chain.chainId, 1n), log: pino({ level: 'silent' }) }
  })
  after(async () => {
    await watcher?.stop()
    await world?.stop()
  })

  /** A payout to a seller: pending, or blocked if the seller has no wallet. */
  const pending = async (options: { sellerWallet?: boolean } = {}) => {
    const { trade, deposit } = await accepted(world, options)
    const { id } = await onlyPayout(world, trade.payer)
    // A wallet that is bound from now on counts in its place.
    await sql`update market.wallets set payout_from = payout_from - interval '1 day'
      where account_id = ${trade.seller.agentId}`.execute(world.db)
    const wallet = options.sellerWallet === false ? trade.payer : await sellerWallet(world, trade)
    const paid = outflowEvent(world, deposit, 'payee', wallet as Address, NET)
    return { trade, deposit, id, paid, key: `payment:${deposit.from}:${deposit.nonce}` }
  }
  type Scene = Awaited<ReturnType<typeof pending>>
  const submitIt = ({ id }: Scene) => runIn(world, (tx) => submitPayout(tx, world.settings, id))
  const confirmIt = ({ paid }: Scene) => runIn(world, (tx) => applyChainEvent(tx, world.settings, paid))
  const loseDeposit = ({ key }: Scene) => runIn(world, (tx) => reverseEvent(tx, world.settings, key))
  const bindAnother = ({ trade: { seller } }: Scene) =>
    runIn(world, async (tx) => {
      await bindWallet(tx, seller)
      await unblockPayouts(tx, seller.agentId, seller.humanId)
    })
  const liftStops = () =>
    sql`update market.payout_stops set lifted_at = market.now(), lifted_by = 'test' where lifted_at is null`.execute(
      world.db,
    )

  describeStage<Scene>(
    {
      title: 'a pending payout',
      arrange: () => pending(),
      acts: {
        'submitting it': submitIt,
        'a stop of all payouts': () =>
          runIn(world, async (tx) => void (await stopPayouts(tx, { actor: 'service', reason: 'a test' }))),
        'a reorganisation that removes its deposit': loseDeposit,
        'another wallet of the seller': bindAnother,
        'a transfer that pays it': confirmIt,
      },
      later: liftStops,
    },
    () => watcher,
  )

  describeStage<Scene>(
    {
      title: 'a payout under way that the facilitator has given up',
      arrange: async () => {
        const scene = await pending()
        // The job would follow up the payouts of earlier scenes, too.
        await sql`update market.intents set closed_at = market.now(), closing = 'failed' where closed_at is null`.execute(
          world.db,
        )
        await submit(world, scene.id)
        await sql`insert into facilitator.outcomes (intent_id, status, reason)
          select id, 'failed', 'reverted' from market.intents where key = ${`payout:${scene.id}`}`.execute(world.db)
        return scene
      },
      acts: {
        'the job that follows it up': () => followOutcomes(services),
        'a transfer that pays it': confirmIt,
        'a reorganisation that removes its deposit': loseDeposit,
        'a second submission': submitIt,
      },
    },
    () => watcher,
  )

  describeStage<Scene & { walletId: string }>(
    {
      title: 'a payout whose attempts are used up',
      arrange: async () => {
        const scene = await pending()
        for (let attempt = 0; attempt < 3; attempt++) {
          await submit(world, scene.id)
          await runIn(world, (tx) => failPayout(tx, world.settings, scene.id, 'reverted'))
        }
        const wallets = world.db.selectFrom('market.wallets').select('id')
        const { id: walletId } = await wallets
          .where('account_id', '=', scene.trade.seller.agentId)
          .executeTakeFirstOrThrow()
        return { ...scene, walletId }
      },
      acts: {
        'opening it again': ({ trade: { seller }, id, walletId }) =>
          runIn(world, async (tx) => {
            const context = { actor: seller.call.actor, settings: world.settings }
            await reopenPayout(tx, context, { payoutId: id, walletId })
          }),
        'a transfer that pays it': confirmIt,
        'its submission': submitIt,
      },
    },
    () => watcher,
  )

  describeStage<Scene>(
    {
      title: 'a payout that waits for a wallet',
      arrange: () => pending({ sellerWallet: false }),
      acts: {
        'a wallet of the seller': bindAnother,
        'the job that unblocks payouts': () => unblockDuePayouts(services),
      },
    },
    () => watcher,
  )

  describeStage<Awaited<ReturnType<typeof funded>>>(
    {
      title: 'a hold of a seller without a wallet',
      arrange: async () => {
        const scene = await funded(world, { sellerWallet: false })
        await setState(world, scene.trade, 'accepted')
        return scene
      },
      acts: {
        'its release': ({ trade }) => refund(world, trade, 0n),
        'a wallet of the seller': ({ trade }) => bindAnother({ trade } as Scene),
      },
    },
    () => watcher,
  )

  describeStage<{ ids: string[]; limit: bigint }>(
    {
      title: 'two payouts and room for one in the day',
      arrange: async () => {
        const ids = [(await pending()).id, (await pending()).id]
        return { ids, limit: (await sentToday()) + NET }
      },
      acts: Object.fromEntries(
        [0, 1].map((index) => [
          `submitting payout ${index + 1}`,
          ({ ids, limit }) => {
            const rules = { ...world.settings.rules, dailyPayoutMicros: limit }
            return runIn(world, (tx) => submitPayout(tx, { ...world.settings, rules }, ids[index] ?? ''))
          },
        ]),
      ),
      holds: async ({ limit }) => expect(await sentToday()).to.equal(limit),
    },
    () => watcher,
  )

  const sentToday = async () => {
    const { rows } = await sql<{ sent: bigint }>`select coalesce(sum(amount_micros), 0)::bigint as sent
      from market.payouts where leg = 'payee' and submitted_at is not null`.execute(world.db)
    return rows[0]?.sent ?? 0n
  }
})
