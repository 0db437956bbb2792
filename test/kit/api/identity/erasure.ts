import { sql } from 'kysely'
import { eraseDue } from '../../../../api/identity/erasure/jobs.ts'
import { tableRules } from '../../../../api/modules.ts'
import type { Db } from '../../../../api/platform/db/pool.ts'
import type { Api, Reply } from '../platform/http/api.ts'
import { jobServices } from '../trading/disputes/arbitration.ts'

/** Files a request of which a person was notified three days ago. */
export async function fileDueErasure(db: Db, humanId: string): Promise<void> {
  await sql`delete from market.erasure_requests where human_id = ${humanId}`.execute(db)
  await sql`insert into market.erasure_requests (human_id, told_at)
    values (${humanId}, market.now() - interval '72 hours')`.execute(db)
}

/** Runs the worker's job once. A failure is thrown. */
export async function runErasures({
  workerDb: serviceDb,
  settings,
}: Pick<Api, 'workerDb' | 'settings'>): Promise<void> {
  await eraseDue(jobServices({ serviceDb, settings }), tableRules)
}

/**
 * Requests the erasure of whose token it is, and has the worker carry it out, as if three days had passed.
 * Throws an Error if that was accepted and the person still has an account. Returns the answer to the
 * request.
 */
export async function erase(api: Api, token: string): Promise<Reply> {
  const reply = await api.send('POST', '/v1/me/erase', { token })
  if (reply.status !== 202) return reply
  const humanId = reply.body.urn.body
  await fileDueErasure(api.db, humanId)
  await runErasures(api)
  const { erased_at: erasedAt } = await api.db
    .selectFrom('market.humans')
    .select('erased_at')
    .where('id', '=', humanId)
    .executeTakeFirstOrThrow()
  if (!erasedAt) throw new Error('the person was not erased')
  return reply
}
