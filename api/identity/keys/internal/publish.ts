import { type Address, type Hex, hashMessage } from 'viem'
import { newId } from '../../../../protocol/encoding/ids.ts'
import { urnString } from '../../../../protocol/encoding/urn.ts'
import { agentKeysMessage, isSigningKey } from '../../../../protocol/keys/agentKeys.ts'
import { normalizeSignature } from '../../../../protocol/keys/signatureForms.ts'
import { isSignedBy } from '../../../../protocol/keys/signatures.ts'
import type { AgentCall, ChainSettings } from '../../../context.ts'
import { Problem } from '../../../errors.ts'
import { audit } from '../../../platform/audit/audit.ts'
import { readClock } from '../../../platform/db/clock.ts'
import type { Tx } from '../../../platform/db/pool.ts'
import type { Services } from '../../../platform/http/serve/services.ts'
import { walletProblems } from '../../wallets/problems.ts'
import { findKeys, type KeysRow } from '../find.ts'
import { keyProblems } from '../problems.ts'

const FRESH_MS = 600_000

/** Keys to be published. */
export interface PublishedKeys {
  hpke_public_key: string
  signing_public_key: string
  wallet: Address
  issued_at: string
  signature: Hex
}

/** The statement that the owner's wallet signs for these keys. */
function statementOf(chain: ChainSettings, agentId: string, keys: PublishedKeys): string {
  return agentKeysMessage({
    agentUrn: urnString('agent', agentId),
    network: `eip155:${chain.chainId}`,
    hpkePublicKey: keys.hpke_public_key,
    signingPublicKey: keys.signing_public_key,
    issuedAt: keys.issued_at,
  })
}

/**
 * Verifies through the chain that the wallet signed these keys for this agent. Returns them with the
 * signature in its stored form. Throws wallets/signature-invalid otherwise.
 */
export async function checkKeysSignature(
  { rpc, settings }: Pick<Services, 'rpc' | 'settings'>,
  { actor }: AgentCall,
  keys: PublishedKeys,
): Promise<PublishedKeys> {
  const digest = hashMessage(statementOf(settings.chain, actor.agentId, keys))
  const signature = await normalizeSignature({ account: keys.wallet, digest, signature: keys.signature })
  const signed = { account: keys.wallet, digest, signature }
  if (await isSignedBy(rpc, signed, settings.chain.walletFactories)) return { ...keys, signature }
  throw new Problem(walletProblems.signatureInvalid, {
    detail: 'This is not the signature of this wallet over the statement of these keys (EIP-191).',
    field: 'signature',
  })
}

/**
 * Publishes an agent's keys. The signature must have been checked. Throws 422 for a wallet that the owner has
 * not verified, for a statement whose time is more than ten minutes from now or not later than the last
 * one's, and for a signing key that would verify any signature.
 */
export async function publishKeys(tx: Tx, { actor }: AgentCall, keys: PublishedKeys): Promise<KeysRow> {
  await requireOwnWallet(tx, actor.humanId, keys.wallet)
  const issuedAt = new Date(keys.issued_at)
  await tx.selectFrom('market.agents').select('id').where('id', '=', actor.agentId).forNoKeyUpdate().execute()
  const [now, last] = [await readClock(tx), await findKeys(tx, actor.agentId)]
  if (Math.abs(issuedAt.getTime() - now.getTime()) > FRESH_MS || (last && last.issued_at >= issuedAt)) {
    throw new Problem(keyProblems.stale, {
      detail: `issued_at must be later than the last keys', and within ten minutes of ${now.toISOString()}.`,
      field: 'issued_at',
    })
  }
  if (!isSigningKey(keys.signing_public_key)) {
    throw new Problem(keyProblems.weak, {
      detail: 'This is not a safe Ed25519 public key.',
      field: 'signing_public_key',
    })
  }
  const row = await tx
    .insertInto('market.agent_keys')
    .values({
      id: newId(),
      agent_id: actor.agentId,
      hpke_public_key: keys.hpke_public_key,
      signing_public_key: keys.signing_public_key,
      wallet: keys.wallet.toLowerCase(),
      issued_at: issuedAt,
      signature: keys.signature,
    })
    .returningAll()
    .executeTakeFirstOrThrow()
  const agentUrn = urnString('agent', actor.agentId)
  await audit(tx, { actor: agentUrn, action: 'keys.publish', subject: agentUrn, details: { wallet: keys.wallet } })
  return row
}

async function requireOwnWallet(tx: Tx, humanId: string, wallet: Address): Promise<void> {
  const own = await tx
    .selectFrom('market.wallet_owners')
    .select('address')
    .where('address', '=', wallet.toLowerCase())
    .where('owner_id', '=', humanId)
    .executeTakeFirst()
  if (own) return
  throw new Problem(keyProblems.walletRequired, {
    detail: "This wallet is not verified as the owner's. Verify it with POST /v1/me/wallets first.",
    field: 'wallet',
  })
}
