import { emptyRedis, withoutRedis } from '../../kit/redis.ts'
import { fillDisk, missingDisks } from '../disks.ts'
import type { Fault } from '../fault.ts'

const withoutQueue = withoutRedis() || undefined

/** The folder of files, and the queue in Redis. */
export const storeFaults: readonly Fault[] = [
  {
    name: 'disk full: files',
    skip: missingDisks(),
    lastsMs: 5_000,
    inject: async ({ filesDir }) => ({ victim: 'the folder of files', heal: await fillDisk(filesDir) }),
  },
  {
    name: 'queue flushed',
    skip: withoutQueue,
    lastsMs: 1_000,
    inject: async ({ redis }) => {
      if (!redis) throw new Error('there is no queue in Redis')
      await emptyRedis(redis.url)
      return { victim: 'Redis', heal: async () => {} }
    },
  },
  {
    name: 'kill -9: Redis',
    skip: withoutQueue,
    lastsMs: 1_000,
    inject: async ({ redis }) => {
      if (!redis) throw new Error('there is no queue in Redis')
      await redis.restart()
      return { victim: 'Redis, which comes back empty', heal: async () => {} }
    },
  },
]
