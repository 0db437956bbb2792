import { createHuman } from '../accounts/routes.ts'
import type { Tx } from '../db/pool.ts'
import { ERASED_DOMAIN, ERASED_WORDS } from './words.ts'

/**
 * Whoever made a human's account by a repeatable call was answered their name and address: the answer on file stays, so
 * that a repetition makes no second account, and tells neither any more.
 */
export async function forgetCreation(tx: Tx, humanId: string): Promise<void> {
  const { created_by: createdBy } = await tx
    .selectFrom('market.humans')
    .select('created_by')
    .where('id', '=', humanId)
    .executeTakeFirstOrThrow()
  if (createdBy === null) return
  const answers = await tx
    .selectFrom('market.idempotent_answers')
    .select(['key', 'body'])
    .where('account_id', '=', createdBy)
    .where('operation', '=', createHuman.operationId)
    .execute()
  for (const { key, body } of answers) {
    const said = body && JSON.parse(body.toString())
    if (said?.urn?.body !== humanId) continue
    const forgotten = { ...said, display_name: ERASED_WORDS, email: `${humanId}@${ERASED_DOMAIN}` }
    await tx
      .updateTable('market.idempotent_answers')
      .set({ body: Buffer.from(JSON.stringify(forgotten)) })
      .where('account_id', '=', createdBy)
      .where('operation', '=', createHuman.operationId)
      .where('key', '=', key)
      .execute()
  }
}
