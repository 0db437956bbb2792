import { hangPostgres } from '../../kit/stack/hang.ts'
import { missingDisks } from '../disks.ts'
import type { Fault } from '../fault.ts'

/** The database, its connections and its disk. */
export const databaseFaults: readonly Fault[] = [
  {
    name: 'kill -9: Postgres',
    lastsMs: 2_000,
    inject: async ({ postgres }) => {
      await postgres.crash('SIGKILL')
      return { victim: 'primary', heal: postgres.revive }
    },
  },
  {
    name: 'Postgres stopped -m immediate',
    lastsMs: 2_000,
    inject: async ({ postgres }) => {
      await postgres.crash('SIGQUIT')
      return { victim: 'primary', heal: postgres.revive }
    },
  },
  {
    name: 'SIGSTOP: Postgres',
    lastsMs: 8_000,
    inject: async ({ postgres }) => {
      const goOn = await hangPostgres(postgres.pid())
      return { victim: 'primary', heal: async () => goOn() }
    },
  },
  {
    name: 'sessions terminated',
    lastsMs: 1_000,
    inject: async ({ postgres }) => ({ victim: `${await postgres.endSessions()} sessions`, heal: async () => {} }),
  },
  {
    name: 'standby promoted',
    lastsMs: 1_000,
    inject: async ({ postgres }) => ({ victim: 'primary', heal: await postgres.failOver() }),
  },
  {
    name: 'disk full: write-ahead log',
    skip: missingDisks(),
    lastsMs: 3_000,
    inject: async ({ postgres }) => {
      const free = await postgres.fillLog()
      const heal = async () => {
        await free()
        await postgres.revive()
      }
      return { victim: 'primary', heal }
    },
  },
]
