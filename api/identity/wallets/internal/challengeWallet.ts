import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import type { Address } from 'viem'
import { createSiweMessage } from 'viem/siwe'
import { newId } from '../../../../protocol/encoding/ids.ts'
import { urnString } from '../../../../protocol/encoding/urn.ts'
import { accountOf } from '../../../actor.ts'
import type { Actor, CallContext, Settings } from '../../../context.ts'
import { readClock } from '../../../platform/db/clock.ts'
import type { Tx } from '../../../platform/db/pool.ts'

/**
 * Returns an EIP-4361 message that binds a wallet to the calling account once signed. Replaces an earlier
 * challenge for the same address. It is valid once, for rules.walletChallengeSeconds.
 */
export async function challengeWallet(tx: Tx, { actor, settings }: CallContext, address: Address) {
  const accountId = accountOf(actor)
  const stored = address.toLowerCase()
  await sql`update market.wallet_challenges set used_at = market.now()
    where account_id = ${accountId} and address = ${stored} and used_at is null`.execute(tx)
  const now = await readClock(tx)
  const expiresAt = new Date(now.getTime() + settings.rules.walletChallengeSeconds * 1000)
  const message = bindingMessage(settings, actor, { address, now })
  await tx
    .insertInto('market.wallet_challenges')
    .values({
      id: newId(),
      account_id: accountId,
      owner_id: actor.humanId,
      address: stored,
      message,
      expires_at: expiresAt,
    })
    .execute()
  return { address, challenge: message, expires_at: expiresAt.toISOString() }
}

// The message lists the accounts as resources, so that anyone who holds the signature can see which account
// the wallet is bound to. It has no expiry, because it is the evidence for each later payout; only the
// challenge expires.
function bindingMessage(
  settings: Pick<Settings, 'baseUrl' | 'chain'>,
  actor: Actor,
  at: { address: Address; now: Date },
): string {
  return createSiweMessage({
    address: at.address,
    chainId: settings.chain.chainId,
    domain: new URL(settings.baseUrl).host,
    uri: settings.baseUrl,
    version: '1',
    statement: 'This wallet belongs to the account named below, and may receive its money.',
    nonce: randomBytes(16).toString('hex'),
    issuedAt: at.now,
    resources: [urnString('human', actor.humanId), ...(actor.agentId ? [urnString('agent', actor.agentId)] : [])],
  })
}
