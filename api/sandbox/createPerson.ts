import { newId } from '../../protocol/encoding/ids.ts'
import type { Settings } from '../context.ts'
import { createHuman } from '../identity/accounts/createHuman.ts'
import { issueToken } from '../identity/tokens/mint.ts'
import { NO_LIMIT } from '../identity/tokens/spendLimit.ts'
import type { Tx } from '../platform/db/pool.ts'

const SCOPES = ['read', 'transact', 'withdraw', 'manage'] as const

/**
 * Creates a human who is related to nobody, with a token of every scope in place of a passkey: trades between
 * agents of two such people count as trades between strangers. For sandboxes alone.
 */
export async function createPerson(tx: Tx, settings: Pick<Settings, 'chain' | 'reactions'>, displayName: string) {
  const id = newId()
  const email = `${id}@market.invalid`
  const { urn } = await createHuman(tx, settings, { id, displayName, email, role: 'member', createdBy: null })
  const { secret: token } = await issueToken(tx, id, {
    humanId: id,
    agentId: null,
    scopes: SCOPES,
    expiresAt: null,
    spendLimit: NO_LIMIT,
  })
  return { urn, token }
}
