import { Redis } from 'ioredis'
import type { Logger } from 'pino'
import { type RateLimiterAbstract, RateLimiterMemory, RateLimiterRedis } from 'rate-limiter-flexible'
import { describeFault } from '../../../faults.ts'

// A request waits no longer than this for a Redis that does not answer; requests of the next seconds do not
// wait at all.
const REDIS_TIMEOUT_MS = 500
const REST_MS = 10_000
const ALARM = 'Redis does not answer: each api counts requests by itself'

/** The number of requests of a subject in its window, including this one, and the end of the window. */
export interface Taken {
  used: number
  resetsSeconds: number
}

/** The windows of the request limits, if they are not in the database. */
export interface Windows {
  /** Counts one request. A window begins with its first request, and a refused request does not extend it. */
  take: (subject: string, policy: string, windowSeconds: number) => Promise<Taken>
  /** Returns whether every api counts in the same place, as it should. */
  isShared: () => Promise<boolean>
  stop: () => Promise<void>
}

/** Windows in the memory of this process, for a market with one API process. */
export function memoryWindows(): Windows {
  const limiter = new RateLimiterMemory({ points: 0, duration: 0 })
  return { take: (...request) => count(limiter, request), isShared: async () => true, stop: async () => {} }
}

/**
 * Windows in Redis, shared by all processes that name it. While Redis does not answer, each process counts by
 * itself, so that nobody is locked out and limits still apply; an alarm reports it.
 */
export async function redisWindows(url: string, log: Logger): Promise<Windows> {
  const client = new Redis(url, {
    lazyConnect: true,
    enableReadyCheck: false,
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    connectTimeout: REDIS_TIMEOUT_MS,
    commandTimeout: REDIS_TIMEOUT_MS,
  })
  // The connection reports no errors of its own: the failed request does.
  client.on('error', () => {})
  // The client keeps reconnecting by itself.
  await client.connect().catch(() => {})
  const shared = new RateLimiterRedis({ storeClient: client, keyPrefix: 'limits', points: 0, duration: 0 })
  const own = memoryWindows()
  let restsUntilMs = 0
  return {
    take: async (...request) => {
      if (performance.now() < restsUntilMs) return own.take(...request)
      try {
        return await count(shared, request)
      } catch (error) {
        // Only one of the requests that waited together reports it.
        if (performance.now() >= restsUntilMs) log.error({ alarm: true, fault: describeFault(error) }, ALARM)
        restsUntilMs = performance.now() + REST_MS
        return own.take(...request)
      }
    },
    isShared: () =>
      client.ping().then(
        () => true,
        () => false,
      ),
    stop: async () => client.disconnect(),
  }
}

async function count(
  limiter: RateLimiterAbstract,
  [subject, policy, windowSeconds]: Parameters<Windows['take']>,
): Promise<Taken> {
  // It counts and never refuses: the quota is compared with the count elsewhere.
  const { consumedPoints, msBeforeNext } = await limiter.penalty(`${policy}:${subject}`, 1, {
    customDuration: windowSeconds,
  })
  return { used: consumedPoints, resetsSeconds: Math.max(1, Math.ceil(msBeforeNext / 1_000)) }
}
