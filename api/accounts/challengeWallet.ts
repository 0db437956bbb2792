import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { v7 as uuidv7 } from 'uuid'
import type { Address } from 'viem'
import { createSiweMessage } from 'viem/siwe'
import { urnString } from '../../protocol/urn.ts'
import type { Actor, CallContext, Settings } from '../context.ts'
import { readClock } from '../db/clock.ts'
import type { Tx } from '../db/pool.ts'

const VALIDITY_MS = 600_000

/**
 * Offers the EIP-4361 message that binds a wallet to the calling account. It takes the place of an earlier one for the
 * same address, answers once, and lives ten minutes.
 */
export async function challengeWallet(tx: Tx, { actor, settings }: CallContext, address: Address) {
  const accountId = actor.agentId ?? actor.humanId
  const stored = address.toLowerCase()
  await sql`update market.wallet_challenges set used_at = market.now()
    where account_id = ${accountId} and address = ${stored} and used_at is null`.execute(tx)
  const now = await readClock(tx)
  const expiresAt = new Date(now.getTime() + VALIDITY_MS)
  const message = bindingMessage(settings, actor, { address, now, expiresAt })
  await tx
    .insertInto('market.wallet_challenges')
    .values({
      id: uuidv7(),
      account_id: accountId,
      owner_id: actor.humanId,
      address: stored,
      message,
      expires_at: expiresAt,
    })
    .execute()
  return { address, challenge: message, expires_at: expiresAt.toISOString() }
}

// The accounts stand in it as resources, so that whoever holds the signature can see whose wallet it says this is.
function bindingMessage(
  settings: Settings,
  actor: Actor,
  at: { address: Address; now: Date; expiresAt: Date },
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
    expirationTime: at.expiresAt,
    resources: [urnString('human', actor.humanId), ...(actor.agentId ? [urnString('agent', actor.agentId)] : [])],
  })
}
