import { urnString } from '../../../../protocol/encoding/urn.ts'
import { audit } from '../../../platform/audit/audit.ts'
import type { Tx } from '../../../platform/db/pool.ts'
import { type Member, requireAdmin } from '../../membership.ts'

/** Whether a secret is revealed to an agent only after its human has confirmed it. */
export interface SecretPolicy {
  agents_ask: boolean
}

/** Returns the policy of an org for revealing secrets. */
export async function readSecretPolicy(tx: Tx, orgId: string): Promise<SecretPolicy> {
  const { agents_ask_for_secrets } = await tx
    .selectFrom('market.orgs')
    .select('agents_ask_for_secrets')
    .where('id', '=', orgId)
    .executeTakeFirstOrThrow()
  return { agents_ask: agents_ask_for_secrets }
}

/** Sets the policy of an org for revealing secrets. Throws 403 for members. */
export async function setSecretPolicy(tx: Tx, member: Member, { agents_ask }: SecretPolicy): Promise<SecretPolicy> {
  requireAdmin(member)
  const { orgId, urn } = member
  await tx.updateTable('market.orgs').set({ agents_ask_for_secrets: agents_ask }).where('id', '=', orgId).execute()
  const details = { agents_ask }
  await audit(tx, { actor: urn, action: 'secret.set_policy', subject: urnString('org', orgId), details })
  return readSecretPolicy(tx, orgId)
}
