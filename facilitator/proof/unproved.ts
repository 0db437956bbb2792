import { type Address, isAddressEqual, keccak256, recoverMessageAddress, stringToHex } from 'viem'
import { earlier, MAX_AHEAD_SECONDS } from '../chain/head.ts'
import { type Ending, wait } from '../context/decision.ts'
import type { FirstSight, Parties } from '../context/records.ts'
import type { Distribution } from './distribution.ts'
import { hasRoom } from './internal/daySum.ts'
import { reportRise } from './internal/rise.ts'
import type { Sighting } from './internal/sighting.ts'

/** An announced distribution that is due so soon waits, and leaves the day's sum to others. */
const NEAR_SECONDS = 600n

type Asked = Pick<Distribution, 'subject' | 'toPayer' | 'toOthers' | 'parties'>

/**
 * Returns why a distribution without proof is not made now, or undefined. It is made once the delay has
 * passed since it was first seen, announced or requested, unless payouts are stopped meanwhile; or before, if
 * the day's sum has room when it is requested. That decision is recorded once and does not change.
 */
export async function waitForUnproved(pass: Sighting, asked: Asked): Promise<Ending | undefined> {
  const dueAt = await inTurn(pass, asked.subject, async ({ subject, sights, number }) => {
    const { head, limits } = pass
    const dueAt = earliestDue(sights)
    const isDecided = sights.some(({ isAnnounced }) => !isAnnounced)
    if (dueAt !== undefined && (isDecided || dueAt <= head.earlierTime + NEAR_SECONDS)) return dueAt
    if (head.isBehind) return dueAt ?? head.laterTime + limits.releaseDelaySeconds
    const amounts = { payerMicros: asked.toPayer, payeeMicros: asked.toOthers }
    if (await hasRoom(pass, asked)) {
      return record(pass, number, {
        subject,
        ...amounts,
        parties: asked.parties,
        isAnnounced: false,
        dueAt: head.laterTime,
      })
    }
    // What was announced has been counted as such.
    const counted = dueAt === undefined ? amounts : { payerMicros: 0n, payeeMicros: 0n }
    const waits = dueAt ?? head.laterTime + limits.releaseDelaySeconds
    return record(pass, number, { subject, ...counted, parties: asked.parties, isAnnounced: false, dueAt: waits })
  })
  return dueAt <= pass.head.earlierTime ? undefined : wait('release_delay', dueAt)
}

/** Records that a distribution was announced, unless it was seen before. */
export async function announce(pass: Sighting, { subject: named, toPayer, toOthers, parties }: Asked): Promise<void> {
  await inTurn(pass, named, async ({ subject, sights, number }) => {
    if (sights.length > 0) return
    const dueAt = pass.head.laterTime + pass.limits.releaseDelaySeconds
    const amounts = { payerMicros: toPayer, payeeMicros: toOthers }
    await record(pass, number, { subject, ...amounts, parties, isAnnounced: true, dueAt })
  })
}

/** Returns the first sight of a wallet that 1.0.0-rc.1 recorded, if the hot wallet signed it. */
export async function formerSight(
  pass: Pick<Sighting, 'store' | 'head' | 'hotWallet' | 'log'>,
  named: string,
): Promise<FirstSight | undefined> {
  const subject = keccak256(stringToHex(named.toLowerCase()))
  const [first] = await ours(pass, await pass.store.firstSights(subject, pass.head.laterTime + MAX_AHEAD_SECONDS))
  return first
}

/** What is on file of a subject, and the number of the next row. */
interface Turn {
  subject: FirstSight['subject']
  sights: readonly FirstSight[]
  number: bigint
}

/** Runs a task with a subject's first sights. No two run at once: both would use the same room. */
function inTurn<Result>(pass: Sighting, named: string, task: (turn: Turn) => Promise<Result>): Promise<Result> {
  const subject = keccak256(stringToHex(named.toLowerCase()))
  return pass.exclusive('first sight', async () => {
    // Read first: if another facilitator adds a row after this, ours takes its number and fails.
    const number = (await pass.store.lastFirstSight()) + 1n
    // A row from the future was dated by a clock that was far ahead.
    const rows = await pass.store.firstSights(subject, pass.head.laterTime + MAX_AHEAD_SECONDS)
    return task({ subject, sights: await ours(pass, rows), number })
  })
}

/** Records a first sight, and returns the time from which it is acted on. */
async function record(pass: Sighting, number: bigint, seen: Omit<FirstSight, 'signature' | 'seenAt'>): Promise<bigint> {
  const { head, hotWallet, store } = pass
  const sight = { ...seen, seenAt: head.laterTime }
  const signature = await hotWallet.signMessage({ message: messageOf(sight) })
  await store.recordFirstSight(number, { ...sight, signature })
  if (sight.dueAt > sight.seenAt) await reportRise(pass, sight.payerMicros + sight.payeeMicros)
  return beginOf(sight)
}

function earliestDue(sights: readonly FirstSight[]): bigint | undefined {
  const [first, ...others] = sights.map(beginOf)
  return first === undefined ? undefined : others.reduce(earlier, first)
}

/** A distribution within the day's sum need not wait until the block at which it was seen is confirmed. */
function beginOf({ seenAt, dueAt }: Pick<FirstSight, 'seenAt' | 'dueAt'>): bigint {
  return dueAt === seenAt ? 0n : dueAt
}

async function ours(
  { hotWallet, log }: Pick<Sighting, 'hotWallet' | 'log'>,
  sights: readonly FirstSight[],
): Promise<FirstSight[]> {
  const found: FirstSight[] = []
  for (const sight of sights) {
    if (await isOurs(sight, hotWallet.address)) found.push(sight)
    else {
      log.error(
        { alarm: true, subject: sight.subject },
        'a row of the file was not signed by the hot wallet: it is ignored',
      )
    }
  }
  return found
}

/** Returns whether the hot wallet signed a first sight. */
export async function isOurs({ signature, ...sight }: FirstSight, address: Address): Promise<boolean> {
  try {
    return isAddressEqual(await recoverMessageAddress({ message: messageOf(sight), signature }), address)
  } catch {
    return false
  }
}

/** Rows without parties have the message of 1.0.0-rc.1. */
function messageOf(sight: Omit<FirstSight, 'signature'>): string {
  const { subject, payerMicros, payeeMicros, seenAt, dueAt, parties, isAnnounced } = sight
  const amounts = `payer ${payerMicros}, payee ${payeeMicros}, at ${seenAt}, due ${dueAt}`
  if (!parties) return `Market facilitator: first sight of ${subject}, ${amounts}`
  return `Market facilitator: first sight (2) of ${subject}, ${amounts}, ${wordsOf(parties)}, ${isAnnounced ? 'announced' : 'requested'}`
}

function wordsOf({ payer, payee }: Parties): string {
  return `from ${payer}, to ${payee}`
}
