import { sql } from 'kysely'
import { v7 as uuidv7 } from 'uuid'
import { type Address, type Hex, hashMessage } from 'viem'
import { isSignedBy } from '../../protocol/signatures.ts'
import { urnString } from '../../protocol/urn.ts'
import type { Actor, CallContext } from '../context.ts'
import { audit } from '../db/audit.ts'
import type { Tx } from '../db/pool.ts'
import { Problem } from '../errors.ts'
import type { Services } from '../http/serve.ts'
import { lockPayee, unblockPayouts } from '../payouts/unblock.ts'
import { findWallet, toWallet, type WalletRow } from './wallets.ts'

/** A wallet and its signature over the challenge (EIP-191). */
export interface WalletProof {
  address: Address
  signature: Hex
}

/** A challenge that its wallet has signed. */
export interface SignedChallenge {
  id: string
  message: string
}

/**
 * Finds the open challenge and asks the chain whether the wallet signed it. Throws wallets/challenge-invalid without
 * one, wallets/signature-invalid for anyone else's signature: the challenge then stays open.
 */
export async function checkWalletProof(
  { db, rpc, settings }: Pick<Services, 'db' | 'rpc' | 'settings'>,
  { actor }: CallContext,
  { address, signature }: WalletProof,
): Promise<SignedChallenge> {
  const { rows } = await sql<SignedChallenge>`
    select id, message from market.wallet_challenges
    where account_id = ${actor.agentId ?? actor.humanId} and address = ${address.toLowerCase()}
      and used_at is null and expires_at > market.now()`.execute(db)
  const [challenge] = rows
  if (!challenge) throw noChallenge()
  const signed = { account: address, digest: hashMessage(challenge.message), signature }
  if (await isSignedBy(rpc, signed, settings.chain.walletFactories)) return challenge
  throw new Problem('wallets/signature-invalid', {
    detail: 'This is not the signature of this wallet over the whole text of its newest challenge (EIP-191).',
    field: 'signature',
  })
}

/**
 * Binds a wallet to the calling account, and lets what waited for one go out. An account that is paid nowhere yet is paid
 * there from now on; one that is paid somewhere goes on being paid there, until another is chosen (choosePayoutWallet).
 * A wallet that was in doubt since a restore is so no more.
 * Throws wallets/challenge-invalid when the challenge was used meanwhile, wallets/already-bound for another owner's.
 */
export async function verifyWallet(tx: Tx, { actor }: CallContext, proof: WalletProof, challenge: SignedChallenge) {
  await useChallenge(tx, challenge.id)
  await claimAddress(tx, actor, proof.address)
  const wallet = await bind(tx, actor, proof, challenge.message)
  await audit(tx, {
    actor: accountUrn(actor),
    action: 'wallet.verify',
    subject: urnString('wallet', wallet.id),
    details: { address: wallet.address },
  })
  await unblockPayouts(tx, actor.agentId ?? actor.humanId, actor.humanId)
  return toWallet(wallet)
}

async function useChallenge(tx: Tx, challengeId: string): Promise<void> {
  const { rows } = await sql`update market.wallet_challenges set used_at = market.now()
    where id = ${challengeId} and used_at is null and expires_at > market.now() returning id`.execute(tx)
  if (rows.length === 0) throw noChallenge()
}

async function claimAddress(tx: Tx, actor: Actor, address: Address): Promise<void> {
  const stored = address.toLowerCase()
  await tx
    .insertInto('market.wallet_owners')
    .values({ address: stored, owner_id: actor.humanId })
    .onConflict((conflict) => conflict.column('address').doNothing())
    .execute()
  const { owner_id } = await tx
    .selectFrom('market.wallet_owners')
    .select('owner_id')
    .where('address', '=', stored)
    .executeTakeFirstOrThrow()
  if (owner_id === actor.humanId) return
  throw new Problem('wallets/already-bound', {
    detail: 'Another account has proven this address. An address belongs to one owner.',
    field: 'address',
  })
}

// The owner's row is locked, so that of two wallets verified at once only one becomes the account's first.
async function bind(tx: Tx, actor: Actor, { address, signature }: WalletProof, message: string): Promise<WalletRow> {
  const accountId = actor.agentId ?? actor.humanId
  await lockPayee(tx, actor.humanId)
  // An agent without one of its own is paid to its owner's: one of its own would take that one's place.
  const paidTo = await tx
    .selectFrom('market.wallets')
    .select('id')
    .where('account_id', 'in', [accountId, actor.humanId])
    .where('payout_from', 'is not', null)
    .limit(1)
    .executeTakeFirst()
  const { id } = await tx
    .insertInto('market.wallets')
    .values({
      id: uuidv7(),
      account_id: accountId,
      owner_id: actor.humanId,
      address: address.toLowerCase(),
      message,
      signature,
      // Of old, so that it counts at once also for a transaction that began earlier, whose clock is behind this one's.
      payout_from: paidTo ? null : new Date(0),
    })
    .onConflict((conflict) =>
      conflict.columns(['account_id', 'address']).doUpdateSet({ message, signature, doubtful_since: null }),
    )
    .returning('id')
    .executeTakeFirstOrThrow()
  return findWallet(tx, actor, id)
}

function accountUrn(actor: Actor): string {
  return actor.agentId ? urnString('agent', actor.agentId) : urnString('human', actor.humanId)
}

function noChallenge(): Problem {
  return new Problem('wallets/challenge-invalid', {
    detail:
      'There is no open challenge for this address: ask for one with POST /v1/me/wallets. It lives ten minutes and answers once.',
    field: 'address',
  })
}
