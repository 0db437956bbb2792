import { Redis } from 'ioredis'
import type { Check, Fault } from './check.ts'
import { LIMIT_MS } from './check.ts'
import type { Place } from './place.ts'

/** Checks that Redis answers, and drops nothing of the queue when its memory is full. */
export function redisChecks({ redisUrl }: Place): Check[] {
  if (redisUrl === undefined) return []
  return [
    {
      name: 'REDIS_URL',
      cure: 'see that Redis runs, and that user, password, host and port are right',
      find: (signal) => faultsOf(redisUrl, signal),
    },
  ]
}

async function faultsOf(url: string, signal: AbortSignal): Promise<Fault[]> {
  const client = new Redis(url, {
    lazyConnect: true,
    maxRetriesPerRequest: 0,
    connectTimeout: LIMIT_MS,
    retryStrategy: null,
  })
  let lost: Error | undefined
  client.on('error', (error: Error) => {
    lost = error
  })
  signal.addEventListener('abort', () => client.disconnect())
  try {
    await client.connect().catch((error: unknown) => {
      throw lost ?? error
    })
    await client.ping()
    // A managed Redis may keep its configuration to itself.
    const info = await client.info('memory').catch(() => '')
    const policy = /^maxmemory_policy:(\S+)/m.exec(info)?.[1] ?? 'noeviction'
    if (policy === 'noeviction') return []
    return [
      {
        fault: `Redis drops keys when its memory is full (maxmemory-policy ${policy}), and the queue is there`,
        cure: 'set maxmemory-policy noeviction',
      },
    ]
  } finally {
    client.disconnect()
  }
}
