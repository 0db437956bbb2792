import { sql } from 'kysely'
import { pino } from 'pino'
import type { PublicClient } from 'viem'
import type { JobServices } from '../../../../../api/platform/jobs/services.ts'
import { advanceDisputes, arbitrateDisputes } from '../../../../../api/trading/disputes/work/deadlines.ts'
import { parseUrn } from '../../../../../protocol/encoding/urn.ts'
import type { Api } from '../../platform/http/api.ts'

/** The worker's services, for jobs that ask the chain nothing. A failure is thrown, not logged. */
export function jobServices({ serviceDb: db, settings }: Pick<Api, 'serviceDb' | 'settings'>): JobServices {
  const write = (line: string) => {
    throw new Error(line)
  }
  return { db, settings, rpc: {} as PublicClient, log: pino({ level: 'error' }, { write }) }
}

/** Does what the worker does for disputes: what is due, and what is to be decided. */
export async function workOnDisputes(api: Pick<Api, 'serviceDb' | 'settings'>): Promise<void> {
  await advanceDisputes(jobServices(api))
  await arbitrateDisputes(jobServices(api))
}

/** Closes the evidence of an open dispute, and has it decided. */
export async function decideDispute(api: Pick<Api, 'db' | 'serviceDb' | 'settings'>, urn: string): Promise<void> {
  const id = parseUrn('dispute', urn) ?? ''
  await sql`update market.disputes set due_at = market.now() where id = ${id} and state = 'open'`.execute(api.db)
  await workOnDisputes(api)
}
