import { writeFile } from 'node:fs/promises'
import { gzipSync } from 'node:zlib'
import fc from 'fast-check'
import { pino } from 'pino'
import { openRpc } from '../../../api/payments/chain/nodes.ts'
import { sealAuditLog } from '../../../api/platform/audit/seal.ts'
import type { DisputeState } from '../../../api/platform/db/generated/tables.ts'
import { placeActs } from '../../../api/platform/events/placeActs.ts'
import { ensureSigningKeys } from '../../../api/platform/signing/keys.ts'
import { schema } from '../../../api/schema.ts'
import { acceptUndecided } from '../../../api/trading/orders/work/accept.ts'
import { accepted, funded } from '../api/payments/escrow/custody/trades.ts'
import { newTrade, startWorld, type World } from '../api/payments/escrow/world.ts'
import { bookedFigures } from '../api/payments/ledger/histories/books.ts'
import { live } from '../api/payments/ledger/histories/live.ts'
import { plan } from '../api/payments/ledger/histories/plan.ts'
import { newStage } from '../api/payments/ledger/histories/stage.ts'
import { appeal, appoint, feeEvent, fund } from '../api/trading/disputes/appeals.ts'
import { deliver, disputeIn, paidTrade, rejectedTrade } from '../api/trading/disputes/world.ts'
import { type Recorded, recordedText, sayable } from './recorded.ts'
import { dumpRows } from './rows.ts'

const MODES = ['custodied', 'contract'] as const
const DISPUTE_STATES: readonly DisputeState[] = [
  'open',
  'pre_review',
  'arbitrating',
  'in_review',
  'decided',
  'executing',
  'closed',
]
const HISTORIES = 12
const SEED = 1

/** Writes a database of this version, with trades in every state, as a file. */
async function writeRecord(path: string): Promise<void> {
  await writeFile(path, gzipSync(await recordDatabase(), { level: 9 }))
}

/** Makes a market with trades in every state, by the verbs. Returns it as SQL. */
export async function recordDatabase(): Promise<string> {
  const world = await startWorld()
  try {
    await ensureSigningKeys(world.db, world.settings)
    await appoint(world)
    await tradeInEveryState(world)
    // After the others: histories end, and leave nothing open.
    const stage = await newStage(world)
    for (const each of fc.sample(plan, { seed: SEED, numRuns: HISTORIES })) await live(stage, each)
    const services = servicesOf(world)
    await placeActs(services.db)
    await sealAuditLog(services)
    const recorded: Recorded = {
      version: schema.version,
      migrations: schema.migrations.map(({ name }) => name),
      chain: world.settings.chain,
      figures: sayable(await bookedFigures(world)),
    }
    return recordedText(recorded, await dumpRows(world.db))
  } finally {
    await world.stop()
  }
}

/** What a job of the worker takes, without a node. */
export function servicesOf({ serviceDb, settings }: World, log = pino({ level: 'silent' })) {
  return { db: serviceDb, rpc: openRpc('http://127.0.0.1:9'), settings, log }
}

async function tradeInEveryState(world: World): Promise<void> {
  for (const mode of MODES) {
    await newTrade(world, mode, { payer: 'unknown' })
    await newTrade(world, mode)
    await paidTrade(world, mode)
    await deliver(world, await paidTrade(world, mode))
    await rejectedTrade(world, mode)
    for (const state of DISPUTE_STATES) await disputeIn(world, mode, state)
  }
  const undecided = await paidTrade(world, 'contract')
  await deliver(world, undecided)
  await world.db
    .updateTable('market.orders')
    .set({ accept_by: new Date(0) })
    .where('id', '=', undecided.orderId)
    .execute()
  await world.run((tx) => acceptUndecided(tx, world.settings, undecided.orderId))
  await funded(world, { sellerWallet: false })
  await accepted(world)
  await accepted(world, { sellerWallet: false })
  const appealed = async () => {
    const trade = await disputeIn(world, 'custodied', 'decided')
    return { trade, fee: await appeal(world, trade, 'buyer') }
  }
  await appealed()
  const { trade, fee } = await appealed()
  await fund(world, trade, 'buyer', fee, trade.payer)
  await world.settle(feeEvent(fee, trade.payer))
}

if (process.argv[1] === import.meta.filename && process.argv[2]) await writeRecord(process.argv[2])
