import { isDeepStrictEqual } from 'node:util'
import { type Hex, isHash } from 'viem'
import { describeFault, isOutage } from '../../faults.ts'
import { inTransaction } from '../../platform/db/transaction.ts'
import type { JobServices } from '../../platform/jobs/services.ts'
import { argumentsOf, decodeEvent } from '../chain/decode.ts'
import { businessKey, type ChainEvent } from '../chain/evidence.ts'
import { agreed } from '../chain/nodes.ts'
import type { Progress } from '../chain/progress.ts'
import { blockHashes, receiptOf } from '../chain/verify.ts'
import { moveEvent, reverseEvent } from './internal/reorgReversal.ts'

/**
 * How many blocks below the newest event are checked first for a reorganisation. One found there is followed
 * to its lowest block.
 */
const WINDOW_BLOCKS = 256n

interface EventBlock {
  block_number: bigint
  block_hash: string
}

interface ProcessedEvent {
  key: string
  kind: ChainEvent['kind']
  tx_hash: Hex
  event_arguments: Record<string, unknown> | null
}

/**
 * Returns the block hash that every node has at a height, or undefined if no node has the block. Throws
 * NodesDisagree.
 */
export function hashAt(services: JobServices, block: bigint): Promise<Hex | undefined> {
  return agreed(services, `block ${block}`, async (node) => (await blockHashes(node, [block])).get(block))
}

/**
 * Checks that processed events are still on the chain, up to the confirmed block `to`. An event whose block
 * is gone is looked up where its transaction is mined now, at confirmed depth; if it is nowhere, its removal
 * is recorded. Both cases raise an alarm, because the chain reorganised deeper than CONFIRMATIONS allows.
 * Returns false if any check was inconclusive.
 */
export async function recheck(services: JobServices, progress: Progress, to: bigint): Promise<boolean> {
  const newest = await newestEvent(services)
  if (newest === undefined) return true
  const doubtful = await doubtfulEvents(services, { newest, to })
  // Events above the present head cannot be checked until the chain is as high again.
  let isWhole = newest <= to
  for (const event of doubtful) isWhole = (await recheckOne(services, progress, event, to)) && isWhole
  return isWhole
}

async function recheckOne(
  services: JobServices,
  progress: Progress,
  event: ProcessedEvent,
  to: bigint,
): Promise<boolean> {
  const { db, settings, log } = services
  const about = { alarm: true, key: event.key, tx: event.tx_hash }
  try {
    const found = await findAgain(services, event, to)
    if (found) {
      await inTransaction(db, 'read write', (tx) => moveEvent(tx, found))
      const block = found.place.blockNumber.toString()
      log.error({ ...about, block }, 'a confirmed chain event moved to another block')
    } else if (await inTransaction(db, 'read write', (tx) => reverseEvent(tx, settings, event.key))) {
      log.error(about, 'the chain removed an event that was acted on')
    }
    return true
  } catch (error) {
    if (isOutage(error)) throw error
    if (progress.shouldAlarm(event.key))
      log.error({ ...about, fault: describeFault(error) }, 'a chain event cannot be rechecked')
    return false
  }
}

function presentEvents({ db }: JobServices) {
  return db.selectFrom('market.processed_chain_events').where('vanished_at', 'is', null)
}

/** Returns the height of the newest event, or of the newest one below a height. */
async function newestEvent(services: JobServices, below?: bigint): Promise<bigint | undefined> {
  const events = presentEvents(services).select((row) => row.fn.max('block_number').as('block'))
  const newest = below === undefined ? events : events.where('block_number', '<', below)
  return (await newest.executeTakeFirst())?.block ?? undefined
}

/**
 * Returns events up to `to` whose blocks are no longer on the chain. Looks near the newest event first; if
 * the lowest block there is gone too, continues down to the last block that is still on the chain.
 */
async function doubtfulEvents(
  services: JobServices,
  { newest, to }: { newest: bigint; to: bigint },
): Promise<ProcessedEvent[]> {
  const gone: EventBlock[] = []
  let top: bigint | undefined = newest < to ? newest : to
  while (top !== undefined) {
    const blocks = await eventBlocks(services, { from: top - WINDOW_BLOCKS, to: top })
    gone.push(...(await blocksGone(services, blocks)))
    const lowest: bigint = blocks[0]?.block_number ?? top - WINDOW_BLOCKS
    const isGoneToTheEnd = blocks.length === 0 || gone.some(({ block_number }) => block_number === lowest)
    top = isGoneToTheEnd ? await newestEvent(services, lowest) : undefined
  }
  return gone.length > 0 ? eventsIn(services, gone) : []
}

/** Returns the blocks that have events, in ascending order. */
function eventBlocks(services: JobServices, { from, to }: { from: bigint; to: bigint }): Promise<EventBlock[]> {
  return presentEvents(services)
    .select(['block_number', 'block_hash'])
    .distinct()
    .where('block_number', '>=', from)
    .where('block_number', '<=', to)
    .orderBy('block_number')
    .execute()
}

async function blocksGone(services: JobServices, blocks: readonly EventBlock[]): Promise<EventBlock[]> {
  const numbers = blocks.map((block) => block.block_number)
  const hashes = await agreed(services, 'the blocks of what was acted on', (node) => blockHashes(node, numbers))
  return blocks.filter((block) => hashes.get(block.block_number) !== block.block_hash)
}

async function eventsIn(services: JobServices, blocks: readonly EventBlock[]): Promise<ProcessedEvent[]> {
  const [hashes, numbers] = [blocks.map((block) => block.block_hash), blocks.map((block) => block.block_number)]
  const events = await presentEvents(services)
    .select(['key', 'kind', 'tx_hash', 'event_arguments'])
    .where(({ eb, fn, val }) => eb('block_number', '=', fn.any(val(numbers))))
    .where(({ eb, fn, val }) => eb('block_hash', '=', fn.any(val(hashes))))
    .orderBy('block_number')
    .orderBy('log_index')
    .execute()
  return events.filter((event): event is ProcessedEvent => isHash(event.tx_hash))
}

/** Returns the same event from the block that has its transaction now, at confirmed depth. */
function findAgain(services: JobServices, event: ProcessedEvent, to: bigint): Promise<ChainEvent | undefined> {
  const { chain } = services.settings
  return agreed(services, event.key, async (node) => {
    const receipt = await receiptOf(node, event.tx_hash)
    if (receipt?.status !== 'success' || receipt.blockNumber > to) return undefined
    const { blockNumber, blockHash } = receipt
    // A receipt of a removed block proves nothing about the chain that replaced it.
    if ((await blockHashes(node, [blockNumber])).get(blockNumber) !== blockHash) {
      throw new Error(`the receipt of ${event.tx_hash} is of a block that the chain does not have`)
    }
    const events = receipt.logs.map(({ logIndex }) => decodeEvent(chain, event.kind, receipt.logs, logIndex))
    return events.find((found) => found && isThat(found, event))
  })
}

function isThat(found: ChainEvent, { key, event_arguments }: ProcessedEvent): boolean {
  return (
    businessKey(found) === key && (event_arguments === null || isDeepStrictEqual(argumentsOf(found), event_arguments))
  )
}
