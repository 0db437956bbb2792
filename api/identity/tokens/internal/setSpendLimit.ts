import { urnString } from '../../../../protocol/encoding/urn.ts'
import { accountUrn } from '../../../actor.ts'
import type { CallContext } from '../../../context.ts'
import { notFound } from '../../../errors.ts'
import { audit } from '../../../platform/audit/audit.ts'
import type { Tx } from '../../../platform/db/pool.ts'
import { requireFreshPasskey } from '../../authentication/freshPasskey.ts'
import {
  isRaised,
  limitColumns,
  readLimit,
  readSpending,
  requireNoLimit,
  type Spending,
  type SpendLimit,
  wireLimit,
} from '../spendLimit.ts'
import { reach } from './reach.ts'

/**
 * Sets the spend limit of a token, and returns its spending. Does not cancel payments in progress. Throws 404
 * if the caller may not manage the token, or it is revoked; auth/forbidden if the caller's token has a limit;
 * re_auth_required if the token could pay more than before and the caller's passkey is not fresh.
 */
export async function setSpendLimit(
  tx: Tx,
  { actor, settings }: CallContext,
  tokenId: string,
  limit: SpendLimit,
): Promise<Spending> {
  const token = await tx
    .selectFrom('market.tokens')
    .select(['per_order_micros', 'per_day_micros'])
    .where('id', '=', tokenId)
    .where('revoked_at', 'is', null)
    .where(reach(actor))
    .forNoKeyUpdate()
    .executeTakeFirst()
  if (!token) throw notFound('token')
  await requireNoLimit(tx, actor, 'sets none')
  const before = readLimit(token)
  if (isRaised(before, limit)) requireFreshPasskey({ actor, settings }, { act: 'Raising a spend limit' })
  await tx.updateTable('market.tokens').set(limitColumns(limit)).where('id', '=', tokenId).execute()
  const details = { from: wireLimit(before), to: wireLimit(limit) }
  await audit(tx, { actor: accountUrn(actor), action: 'token.limit', subject: urnString('token', tokenId), details })
  return readSpending(tx, tokenId)
}
