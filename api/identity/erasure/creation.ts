import { ERASED_DOMAIN, ERASED_WORDS } from '../../platform/db/personalDataRule.ts'
import type { Tx } from '../../platform/db/pool.ts'
import { createHuman } from '../accounts/routes.ts'

/**
 * Erases the name and address from the stored response to the call that created a human. The rest of the
 * response stays on file, so that repeating the call creates no second account.
 */
export async function eraseCreation(tx: Tx, humanId: string): Promise<void> {
  const { created_by: createdBy } = await tx
    .selectFrom('market.humans')
    .select('created_by')
    .where('id', '=', humanId)
    .executeTakeFirstOrThrow()
  if (createdBy === null) return
  const answers = await tx
    .selectFrom('market.idempotent_answers')
    .select(['key', 'body'])
    .where('scope', '=', createdBy)
    .where('operation', '=', createHuman.operationId)
    .execute()
  for (const { key, body } of answers) {
    const said = body && JSON.parse(body.toString())
    if (said?.urn?.body !== humanId) continue
    const forgotten = { ...said, display_name: ERASED_WORDS, email: `${humanId}@${ERASED_DOMAIN}` }
    await tx
      .updateTable('market.idempotent_answers')
      .set({ body: Buffer.from(JSON.stringify(forgotten)) })
      .where('scope', '=', createdBy)
      .where('operation', '=', createHuman.operationId)
      .where('key', '=', key)
      .execute()
  }
}
