import { type Hex, type PublicClient, pad } from 'viem'
import { readLogs } from '../../../protocol/rpc/logs.ts'
import { RECLAIMED, RELEASED, TRANSFER } from '../../../protocol/rpc/topics.ts'
import { inSpan, inTrace } from '../../../protocol/telemetry/trace.ts'
import { describeFault, isOutage } from '../../faults.ts'
import type { Db } from '../../platform/db/pool.ts'
import { inTransaction } from '../../platform/db/transaction.ts'
import type { IndexedServices, JobServices } from '../../platform/jobs/services.ts'
import type { ChainEvent, StrayAnnouncedEvent } from '../chain/evidence.ts'
import { type IndexRow, indexedBlock, readIndexed, unprocessedRows, whereIndexed } from '../chain/indexRows.ts'
import { tracesOf } from '../chain/intents.ts'
import { confirmedAt, lowest, NodesDisagree, nodesOf, readHeads } from '../chain/nodes.ts'
import {
  nextPass,
  type Pass,
  type Progress,
  processedBlock,
  readDatabaseEpoch,
  recordProcessed,
} from '../chain/progress.ts'
import { type Verified, verifyRows } from '../chain/verify.ts'
import { stopPayouts } from '../stops/stops.ts'
import { blocksAfter, moveCheckpoint, newestCheckpoint } from './checkpoints.ts'
import { isRequested } from './internal/announcements.ts'
import { applyChainEvent } from './internal/applyChainEvent.ts'
import { watchLag } from './internal/lag.ts'
import { divideIntoLanes } from './internal/lanes.ts'
import { watchMissing } from './internal/missingEvents.ts'
import { UnexplainedOutflow } from './internal/outflow.ts'
import { hashAt, recheck } from './recheck.ts'

/** How many events are verified at the nodes at once. */
const EVENTS_AT_ONCE = 200

/**
 * The default number of events processed at the same time, each of another order. Each transaction spends
 * most of its time waiting for the disk, and half of a worker's connections must stay free for its other
 * jobs.
 */
const LANES = 4

interface LanedServices extends IndexedServices {
  lanes: number
}

interface VerifiedEvent {
  row: IndexRow
  event: ChainEvent
}

/**
 * Processes confirmed chain events, each in its own transaction, and those of an order in chain order: those
 * that the index shows, every node confirms, and are not yet processed. Rechecks processed events after a
 * reorganisation. An event that fails raises an alarm, stops payouts if it is an unexplained outflow, does
 * not block the others, and is retried. Throws when a node or the database cannot be reached.
 */
export async function settle(services: IndexedServices, progress: Progress, lanes = LANES): Promise<void> {
  try {
    await settleUpToHead({ ...services, lanes }, progress)
  } catch (error) {
    if (!(error instanceof NodesDisagree)) throw error
    if (progress.shouldAlarm('nodes disagree')) services.log.error({ alarm: true }, error.message)
  }
}

async function settleUpToHead(services: LanedServices, progress: Progress): Promise<void> {
  const { chain } = services.settings
  // Taken before the heads are read: this pass knows at least as much of the chain as any worker that started
  // before it.
  const number = await nextPass(services.db)
  const [heads, index, databaseEpoch] = await Promise.all([
    readHeads(services),
    whereIndexed(() => indexedBlock(services.index, chain)),
    readDatabaseEpoch(services.db),
  ])
  progress.enterEpoch(databaseEpoch, lowest(heads))
  const to = confirmedAt(services, lowest(heads))
  watchLag(services, progress, { heads, indexed: index })
  if (to === undefined) return
  const indexed = index?.number
  const from = progress.begin(chain.startBlock)
  const isSweep = from === undefined
  const checkpoint = isSweep ? await newestCheckpoint(services) : undefined
  const ranges = isSweep ? blocksAfter(chain.startBlock, checkpoint, to) : [{ from, to }]
  const pass = { ranges, head: lowest(heads), to, indexed, isSweep }
  const [tip, hasOnlyGrown] = await Promise.all([hashAt(services, to), stands(services, progress, pass)])
  const isSound = hasOnlyGrown || (await recheck(services, progress, to))
  const areConfirmed = await settleBlocks(services, progress, pass)
  // Every event processed up to here was on the chain of this block, unless the chain changed during the
  // pass.
  const isSameChain = tip !== undefined && (await hashAt(services, to)) === tip
  progress.tip = isSound && isSameChain ? { number: to, hash: tip } : undefined
  const isWhole = areConfirmed && isSound
  progress.end({ ...pass, isWhole })
  if (!isWhole || !progress.tip) return
  await markCaughtUp(services, progress, progress.tip, number)
  if (!isSweep) return
  await watchMissing(services, progress, pass)
  await moveCheckpoint(services, progress, { checkpoint, to })
}

/** Returns whether the chain only grew since the last pass. A sweep always rechecks. */
async function stands(services: JobServices, { tip }: Progress, { to, isSweep }: Pass): Promise<boolean> {
  if (tip === undefined || isSweep || tip.number > to) return false
  return (await hashAt(services, tip.number)) === tip.hash
}

/** Returns whether the index had all blocks of the pass, and the nodes confirmed every open row. */
async function settleBlocks(services: LanedServices, progress: Progress, pass: Pass): Promise<boolean> {
  const { db } = services
  let isWhole = true
  for (const { from: first, to } of pass.ranges) {
    for (let from = first; from <= to; ) {
      const blocks = await readIndexed(services, { from, to })
      if (!blocks) return false
      const open = await unprocessedRows(db, blocks.rows)
      const areConfirmed = await settleRows(services, progress, { pass, open })
      isWhole &&= areConfirmed && blocks.isWhole
      from = blocks.to + 1n
    }
  }
  return isWhole
}

/** Returns whether the nodes confirmed every row. */
async function settleRows(
  services: LanedServices,
  progress: Progress,
  { pass, open }: { pass: Pass; open: readonly IndexRow[] },
): Promise<boolean> {
  let areConfirmed = true
  for (let at = 0; at < open.length; at += EVENTS_AT_ONCE) {
    const verified = await verifyRows(services, open.slice(at, at + EVENTS_AT_ONCE))
    const events = verified.flatMap(({ row, event }) => (event ? [{ row, event }] : []))
    for (const doubt of verified) if (!doubt.event) alarmOf(services, progress, pass, doubt)
    areConfirmed &&= events.length === verified.length
    await settleInLanes(services, progress, events)
  }
  return areConfirmed
}

/**
 * Processes events, those of each order one after the other. Throws once all lanes have ended, if a node or
 * the database is away.
 */
async function settleInLanes(
  services: LanedServices,
  progress: Progress,
  events: readonly VerifiedEvent[],
): Promise<void> {
  const { ofOrders, ofNone } = await divideIntoLanes(services.db, events, services.lanes)
  const hashes = events.map(({ row }) => row.tx_hash)
  const traces = await tracesOf(services.db, [...new Set(hashes)])
  const inOrder = async (lane: readonly VerifiedEvent[]) => {
    for (const verified of lane) {
      const { row, event } = verified
      const work = () => settleOne(services, progress, verified)
      await inTrace(traces.get(row.tx_hash), () => inSpan(`settle ${event.kind}`, { kind: 'consumer' }, work))
    }
  }
  const ended = await Promise.allSettled(ofOrders.map(inOrder))
  for (const lane of ended) if (lane.status === 'rejected') throw lane.reason
  await inOrder(ofNone)
}

/**
 * Processes one event in its own transaction. An event that fails raises an alarm and does not block the
 * others.
 */
async function settleOne(services: JobServices, progress: Progress, { row, event }: VerifiedEvent): Promise<void> {
  const { db, settings, log } = services
  try {
    if (event.kind === 'stray_announced') await alarmIfUnrequested(services, progress, row, event)
    const isFresh = await inTransaction(db, 'read write', (tx) => applyChainEvent(tx, settings, event))
    if (isFresh) log.info({ key: row.key, tx: row.tx_hash, block: row.block_number.toString() }, 'settled')
  } catch (error) {
    if (isOutage(error)) throw error
    if (error instanceof UnexplainedOutflow) await stopFor(db, row, error)
    if (progress.shouldAlarm(row.key))
      log.error({ ...about(row), fault: describeFault(error) }, 'a chain event cannot be processed')
  }
}

/**
 * Raises an alarm for an announcement that this service did not request: somebody else has the resolver's
 * key, and there are four days to cancel the announcement or replace the resolver.
 */
async function alarmIfUnrequested(
  { db, log }: JobServices,
  progress: Progress,
  row: IndexRow,
  event: StrayAnnouncedEvent,
): Promise<void> {
  if ((await isRequested(db, event)) || !progress.shouldAlarm(row.key)) return
  log.error(about(row), 'the resolver announced an action that this service did not request: its key may be stolen')
}

function alarmOf({ log }: JobServices, progress: Progress, pass: Pass, { row, isDisputed }: Verified): void {
  if (!progress.isLasting(`${row.key} ${row.block_hash}`, pass) || !progress.shouldAlarm(row.key)) return
  const who = isDisputed ? 'the nodes' : 'the index and the node'
  log.error(about(row), `${who} disagree on a chain event`)
}

function stopFor(db: Db, { key: fact }: IndexRow, { place, message: reason }: UnexplainedOutflow) {
  return inTransaction(db, 'read write', (tx) => stopPayouts(tx, { actor: 'service', place, reason, fact }))
}

function about(row: IndexRow) {
  return { alarm: true, key: row.key, tx: row.tx_hash, block: row.block_number.toString(), logIndex: row.log_index }
}

/**
 * Records that every chain event up to a block is processed, which allows every process to move money. The
 * first time in a database epoch, does so only if no payout and no end of a hold lies between that block and
 * the head at this worker's first pass.
 */
async function markCaughtUp(
  services: JobServices,
  progress: Progress,
  block: { number: bigint; hash: Hex },
  pass: bigint,
): Promise<void> {
  const { databaseEpoch, firstHead } = progress
  if (!progress.isCaughtUp || databaseEpoch === undefined) return
  if (firstHead !== undefined && firstHead > block.number && !(await processedBlock(services.db))) {
    const range = { fromBlock: block.number + 1n, toBlock: firstHead }
    const looks = await Promise.all(nodesOf(services).map((node) => hasLeft(node, services, range)))
    if (looks.some(Boolean)) return
  }
  await recordProcessed(services.db, block, { databaseEpoch, pass })
}

/** Returns whether these blocks contain a payout or the end of a hold. */
async function hasLeft(
  node: PublicClient,
  { settings: { chain } }: JobServices,
  range: { fromBlock: bigint; toBlock: bigint },
): Promise<boolean> {
  const [payouts, ends] = await Promise.all([
    readLogs(node, { address: chain.token, topics: [TRANSFER, pad(chain.hotWallet)], ...range }),
    readLogs(node, { address: chain.escrow, topics: [[RELEASED, RECLAIMED]], ...range }),
  ])
  return payouts.length + ends.length > 0
}
