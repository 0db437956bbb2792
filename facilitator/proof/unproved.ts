import { type Address, isAddressEqual, keccak256, recoverMessageAddress, stringToHex } from 'viem'
import { MAX_AHEAD_SECONDS } from '../chain/head.ts'
import type { Limits } from '../context/chain.ts'
import { type Ending, wait } from '../context/decision.ts'
import type { FirstSight } from '../context/records.ts'
import type { Pass } from '../evidence/pass.ts'
import type { Distribution } from './distribution.ts'

const DAY_SECONDS = 86_400n

/** The dependencies of a first sight. */
export type Sighting = Pick<Pass, 'exclusive' | 'store' | 'head' | 'hotWallet' | 'log'> & {
  limits: Pick<Limits, 'unprovedDailyMicros' | 'releaseDelaySeconds'>
}

/**
 * Returns why a distribution without proof is not made now, or undefined. It is made at once up to the day's sum in its direction,
 * and otherwise once the delay has passed since it was first seen here, unless payouts are stopped meanwhile. That decision is
 * recorded once and does not change.
 */
export async function waitForUnproved(
  pass: Sighting,
  { subject, toPayer, toOthers }: Pick<Distribution, 'subject' | 'toPayer' | 'toOthers'>,
): Promise<Ending | undefined> {
  const dueAt = await firstSight(pass, subject, { payerMicros: toPayer, payeeMicros: toOthers })
  return dueAt <= pass.head.earlierTime ? undefined : wait('release_delay', dueAt)
}

/**
 * Returns the time from which a subject is acted on. The first sight of it is recorded: with no delay if the day's sum has room.
 */
export function firstSight(
  pass: Sighting,
  named: string,
  amounts: Pick<FirstSight, 'payerMicros' | 'payeeMicros'> | 'waits',
): Promise<bigint> {
  const subject = keccak256(stringToHex(named.toLowerCase()))
  // Two concurrent calls must not both use the same room.
  return pass.exclusive('first sight', async () => {
    const { limits, head, hotWallet, store, log } = pass
    const newest = head.laterTime + MAX_AHEAD_SECONDS
    const onFile = await earliest(pass, await store.firstSights(subject, newest))
    if (onFile) return beginOf(onFile)
    const seenAt = head.laterTime
    // No time is recorded while a clock may be far ahead.
    if (head.isBehind) return seenAt + limits.releaseDelaySeconds
    const { payerMicros, payeeMicros } = amounts === 'waits' ? { payerMicros: 0n, payeeMicros: 0n } : amounts
    const day = await store.firstSightsOfDay(head.earlierTime - DAY_SECONDS, newest)
    const hasRoom =
      (payerMicros === 0n || day.payerMicros + payerMicros <= limits.unprovedDailyMicros) &&
      (payeeMicros === 0n || day.payeeMicros + payeeMicros <= limits.unprovedDailyMicros)
    const dueAt = amounts !== 'waits' && hasRoom ? seenAt : seenAt + limits.releaseDelaySeconds
    const sight = { subject, payerMicros, payeeMicros, seenAt, dueAt }
    const signature = await hotWallet.signMessage({ message: messageOf(sight) })
    await store.recordFirstSight(day.number + 1n, { ...sight, signature })
    if (amounts !== 'waits' && dueAt > seenAt) {
      const until = new Date(Number(dueAt) * 1_000).toISOString()
      log.error(
        { alarm: true, release: named, until },
        'a distribution without proof waits: stop payouts if it is wrong',
      )
    }
    return beginOf(sight)
  })
}

/** A distribution within the day's sum need not wait until the block at which it was seen is confirmed. */
function beginOf({ seenAt, dueAt }: Pick<FirstSight, 'seenAt' | 'dueAt'>): bigint {
  return dueAt === seenAt ? 0n : dueAt
}

async function earliest({ hotWallet, log }: Sighting, sights: readonly FirstSight[]): Promise<FirstSight | undefined> {
  for (const sight of sights) {
    if (await isOurs(sight, hotWallet.address)) return sight
    log.error(
      { alarm: true, subject: sight.subject },
      'a row of the file was not signed by the hot wallet: it is ignored',
    )
  }
  return undefined
}

/** Returns whether the hot wallet signed a first sight. */
export async function isOurs({ signature, ...sight }: FirstSight, address: Address): Promise<boolean> {
  try {
    return isAddressEqual(await recoverMessageAddress({ message: messageOf(sight), signature }), address)
  } catch {
    return false
  }
}

function messageOf({ subject, payerMicros, payeeMicros, seenAt, dueAt }: Omit<FirstSight, 'signature'>): string {
  return `Market facilitator: first sight of ${subject}, payer ${payerMicros}, payee ${payeeMicros}, at ${seenAt}, due ${dueAt}`
}
