import { randomBytes } from 'node:crypto'
import { v7 as uuidv7 } from 'uuid'
import { urnString } from '../../../protocol/encoding/urn.ts'
import { audit } from '../../platform/audit/audit.ts'
import type { Scope } from '../../platform/db/generated/tables.ts'
import type { Tx } from '../../platform/db/pool.ts'
import { hashSecret } from '../authentication/credential.ts'
import { limitColumns, type SpendLimit, wireLimit } from './spendLimit.ts'

const SECRET_BYTES = 32

/** A token's account, scopes, expiry and spend limit. */
export interface TokenGrant {
  humanId: string
  agentId: string | null
  scopes: readonly Scope[]
  expiresAt: Date | null
  spendLimit: SpendLimit
  /** Under which its spending is counted, if it continues that of another token. */
  spendingId?: string
}

/** Creates a token and stores only its hash. The caller must have checked that it may be granted. */
export async function issueToken(
  tx: Tx,
  byHumanId: string,
  grant: TokenGrant,
): Promise<{ id: string; secret: string }> {
  const secret = `market_pat_${randomBytes(SECRET_BYTES).toString('base64url')}`
  const id = uuidv7()
  await tx
    .insertInto('market.tokens')
    .values({
      id,
      human_id: grant.humanId,
      agent_id: grant.agentId,
      secret_hash: hashSecret(secret),
      scopes: [...grant.scopes],
      expires_at: grant.expiresAt,
      ...limitColumns(grant.spendLimit),
      ...(grant.spendingId === undefined ? {} : { spending_id: grant.spendingId }),
    })
    .execute()
  await audit(tx, {
    actor: urnString('human', byHumanId),
    action: 'token.mint',
    subject: urnString('token', id),
    details: {
      account: grant.agentId ? urnString('agent', grant.agentId) : urnString('human', grant.humanId),
      scopes: grant.scopes,
      spend_limit: wireLimit(grant.spendLimit),
    },
  })
  return { id, secret }
}
