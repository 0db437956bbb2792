import { readIncarnation } from '../chain/progress.ts'
import type { Db } from '../db/pool.ts'
import { inTransaction } from '../db/transaction.ts'
import type { ChainEvent } from '../escrow/evidence.ts'
import { UnexplainedOutflow } from '../escrow/outflow.ts'
import { settleEvent, settleEvents } from '../escrow/settle.ts'
import { describeFault, isOutage } from '../faults.ts'
import { stopPayouts } from '../stops/stop.ts'
import { noteWholePass } from './caughtUp.ts'
import { confirmedAt, lowest, readHeads } from './head.ts'
import { type IndexRow, indexedBlock, type RowCursor, unsettledRows, whereIndexed } from './indexRows.ts'
import { watchLag } from './lag.ts'
import { NodesDisagree } from './nodes.ts'
import type { Pass, Progress } from './progress.ts'
import { hashAt, recheck } from './recheck.ts'
import type { JobServices } from './services.ts'
import { type Verified, verifyRows } from './verify.ts'

const ROWS_AT_ONCE = 200
// What is locked by one stays locked until the last of them is done.
const FACTS_AT_ONCE = 50

interface Fact {
  row: IndexRow
  event: ChainEvent
}

/**
 * Turns what the chain has done, at confirmed depth, into verbs: each fact the index tells of, every node confirms, and
 * nobody acted on, in the order of the chain. What was acted on before is looked at again when the chain went back. One
 * that cannot be acted on raises an alarm (and stops payouts where it is an outflow that nothing explains), holds nothing else up, and is looked at again. Throws when a node or the
 * database cannot be reached.
 */
export async function settle(services: JobServices, progress: Progress): Promise<void> {
  try {
    await settleUpToHead(services, progress)
  } catch (error) {
    if (!(error instanceof NodesDisagree)) throw error
    if (progress.shouldAlarm('nodes disagree')) services.log.error({ alarm: true }, error.message)
  }
}

async function settleUpToHead(services: JobServices, progress: Progress): Promise<void> {
  const { chain } = services.settings
  const [heads, index, incarnation] = await Promise.all([
    readHeads(services),
    whereIndexed(() => indexedBlock(services.db, chain)),
    readIncarnation(services.db),
  ])
  progress.live(incarnation, lowest(heads))
  const to = confirmedAt(services, lowest(heads))
  watchLag(services, progress, { heads, indexed: index })
  if (to === undefined) return
  const indexed = index?.number
  const pass = { ...progress.begin(chain.startBlock), head: lowest(heads), to, indexed }
  const [tip, hasOnlyGrown] = await Promise.all([hashAt(services, to), stands(services, progress, pass)])
  const isSound = hasOnlyGrown || (await recheck(services, progress, to))
  const areConfirmed = indexed !== undefined && (await settleRows(services, progress, pass))
  // Everything acted on until here was on the chain that this block is of, unless the chain has changed meanwhile.
  const isSameChain = tip !== undefined && (await hashAt(services, to)) === tip
  progress.tip = isSound && isSameChain ? { number: to, hash: tip } : undefined
  const isWhole = areConfirmed && isSound && indexed >= to
  progress.end({ ...pass, isWhole })
  if (isWhole && progress.tip) await noteWholePass(services, progress, progress.tip)
}

/** Whether the chain only grew since the last pass. A sweep takes nothing for granted. */
async function stands(services: JobServices, { tip }: Progress, { to, isSweep }: Pass): Promise<boolean> {
  if (tip === undefined || isSweep || tip.number > to) return false
  return (await hashAt(services, tip.number)) === tip.hash
}

/** False when the nodes do not confirm all that the index tells. */
async function settleRows(services: JobServices, progress: Progress, pass: Pass): Promise<boolean> {
  let after: RowCursor | undefined
  let areConfirmed = true
  for (;;) {
    const range = { ...pass, after, limit: ROWS_AT_ONCE }
    const rows = (await whereIndexed(() => unsettledRows(services.db, services.settings.chain, range))) ?? []
    const verified = await verifyRows(services, rows)
    const facts = verified.flatMap(({ row, event }) => (event ? [{ row, event }] : []))
    for (const doubt of verified) if (!doubt.event) tellOf(services, progress, pass, doubt)
    areConfirmed &&= facts.length === verified.length
    for (let at = 0; at < facts.length; at += FACTS_AT_ONCE) {
      await settleTogether(services, progress, facts.slice(at, at + FACTS_AT_ONCE))
    }
    after = rows.at(-1)
    if (rows.length < ROWS_AT_ONCE) return areConfirmed
  }
}

/** Several facts in one transaction. Where that fails, each in its own: whichever is at fault holds no other up. */
async function settleTogether(services: JobServices, progress: Progress, facts: readonly Fact[]): Promise<void> {
  const { db, settings } = services
  const [only] = facts
  if (only && facts.length === 1) return settleOne(services, progress, only)
  try {
    const events = facts.map(({ event }) => event)
    const areFresh = await inTransaction(db, 'read write', (tx) => settleEvents(tx, settings, events))
    for (const [index, { row }] of facts.entries()) if (areFresh[index]) tellSettled(services, row)
  } catch (error) {
    if (isOutage(error)) throw error
    for (const fact of facts) await settleOne(services, progress, fact)
  }
}

async function settleOne(services: JobServices, progress: Progress, { row, event }: Fact): Promise<void> {
  const { db, settings, log } = services
  try {
    const isFresh = await inTransaction(db, 'read write', (tx) => settleEvent(tx, settings, event))
    if (isFresh) tellSettled(services, row)
  } catch (error) {
    if (isOutage(error)) throw error
    if (error instanceof UnexplainedOutflow) await stopFor(db, row, error)
    if (progress.shouldAlarm(row.key))
      log.error({ ...about(row), fault: describeFault(error) }, 'a fact cannot be settled')
  }
}

function tellSettled({ log }: JobServices, row: IndexRow): void {
  log.info({ key: row.key, tx: row.tx_hash, block: row.block_number.toString() }, 'settled')
}

function tellOf({ log }: JobServices, progress: Progress, pass: Pass, { row, isDisputed }: Verified): void {
  if (!progress.isLasting(`${row.key} ${row.block_hash}`, pass) || !progress.shouldAlarm(row.key)) return
  const who = isDisputed ? 'the nodes tell' : 'the index and the node tell'
  log.error(about(row), `${who} a fact differently`)
}

function stopFor(db: Db, { key: fact }: IndexRow, { place, message: reason }: UnexplainedOutflow) {
  return inTransaction(db, 'read write', (tx) => stopPayouts(tx, { actor: 'service', place, reason, fact }))
}

function about(row: IndexRow) {
  return { alarm: true, key: row.key, tx: row.tx_hash, block: row.block_number.toString(), logIndex: row.log_index }
}
