import { sql } from 'kysely'
import { type Address, type Hex, hashMessage } from 'viem'
import { newId } from '../../../../protocol/encoding/ids.ts'
import { urnString } from '../../../../protocol/encoding/urn.ts'
import { normalizeSignature } from '../../../../protocol/keys/signatureForms.ts'
import { isSignedBy } from '../../../../protocol/keys/signatures.ts'
import { accountOf, accountUrn } from '../../../actor.ts'
import type { Actor, CallContext } from '../../../context.ts'
import { Problem } from '../../../errors.ts'
import { announce } from '../../../platform/announcements/announce.ts'
import { audit } from '../../../platform/audit/audit.ts'
import type { Tx } from '../../../platform/db/pool.ts'
import type { Services } from '../../../platform/http/serve/services.ts'
import { WalletVerified } from '../../announcements.ts'
import { lockPayoutWallets } from '../payoutWallet.ts'
import { walletProblems } from '../problems.ts'
import { findWallet, toWallet, type WalletRow } from '../wallets.ts'
import { announcePayoutWallet } from './announcePayoutWallet.ts'

/** A wallet's address and its signature over the challenge (EIP-191). */
export interface WalletProof {
  address: Address
  signature: Hex
}

/** A challenge that its wallet has signed, and the signature in its stored form. */
export interface SignedChallenge {
  id: string
  message: string
  signature: Hex
}

/**
 * Finds the open challenge and verifies through the chain that the wallet signed it. Throws
 * wallets/challenge-invalid without one, and wallets/signature-invalid for any other signature: the challenge
 * then stays open.
 */
export async function checkWalletProof(
  { db, rpc, settings }: Pick<Services, 'db' | 'rpc' | 'settings'>,
  { actor }: CallContext,
  { address, signature }: WalletProof,
): Promise<SignedChallenge> {
  const { rows } = await sql<Omit<SignedChallenge, 'signature'>>`
    select id, message from market.wallet_challenges
    where account_id = ${accountOf(actor)} and address = ${address.toLowerCase()}
      and used_at is null and expires_at > market.now()`.execute(db)
  const [challenge] = rows
  if (!challenge) throw noChallenge()
  const given = { account: address, digest: hashMessage(challenge.message), signature }
  const signed = { ...given, signature: await normalizeSignature(given) }
  if (await isSignedBy(rpc, signed, settings.chain.walletFactories))
    return { ...challenge, signature: signed.signature }
  throw new Problem(walletProblems.signatureInvalid, {
    detail: 'This is not the signature of this wallet over the whole text of its newest challenge (EIP-191).',
    field: 'signature',
  })
}

/**
 * Binds a wallet to the calling account and announces WalletVerified. The first wallet of an account becomes
 * its payout wallet at once; a later one only when it is chosen (choosePayoutWallet). If the owner already
 * trades, an event notifies the owner of the first wallet, and without a fresh passkey the wallet counts
 * after rules.payoutWalletDelaySeconds: a stolen token must not direct the money of orders to a thief.
 * Verifying a wallet ends the doubt that a restore raised about it. Throws wallets/challenge-invalid if the
 * challenge was used meanwhile, and wallets/already-bound if another owner has the wallet.
 */
export async function verifyWallet(
  tx: Tx,
  { actor, settings }: CallContext,
  address: Address,
  { id, message, signature }: SignedChallenge,
) {
  await useChallenge(tx, id)
  await takeAddress(tx, actor, address)
  const { wallet, isAnnounced } = await bind(tx, { actor, settings }, { address, signature }, message)
  await audit(tx, {
    actor: accountUrn(actor),
    action: 'wallet.verify',
    subject: urnString('wallet', wallet.id),
    details: { address: wallet.address },
  })
  if (isAnnounced) await announcePayoutWallet(tx, wallet)
  const accountId = accountOf(actor)
  await announce(tx, settings, WalletVerified, { accountId, ownerId: actor.humanId })
  return toWallet(wallet)
}

async function useChallenge(tx: Tx, challengeId: string): Promise<void> {
  const { rows } = await sql`update market.wallet_challenges set used_at = market.now()
    where id = ${challengeId} and used_at is null and expires_at > market.now() returning id`.execute(tx)
  if (rows.length === 0) throw noChallenge()
}

async function takeAddress(tx: Tx, actor: Actor, address: Address): Promise<void> {
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
  throw new Problem(walletProblems.alreadyBound, {
    detail: 'Another account has proven this address. An address belongs to one owner.',
    field: 'address',
  })
}

// Locks the owner's row, so that of two wallets verified at once only one becomes the account's first.
async function bind(
  tx: Tx,
  { actor, settings }: Pick<CallContext, 'actor' | 'settings'>,
  { address, signature }: WalletProof,
  message: string,
): Promise<{ wallet: WalletRow; isAnnounced: boolean }> {
  const accountId = accountOf(actor)
  await lockPayoutWallets(tx, actor.humanId)
  // An agent without a payout wallet is paid to its owner's. A wallet of its own would replace that one, so
  // it does not become the payout wallet at once.
  const paidTo = await tx
    .selectFrom('market.wallets')
    .select('id')
    .where('account_id', 'in', [accountId, actor.humanId])
    .where('payout_from', 'is not', null)
    .limit(1)
    .executeTakeFirst()
  const isFirst = paidTo === undefined
  const isAnnounced = isFirst && (await isTrading(tx, actor.humanId))
  const isFresh = settings.sandbox || actor.session?.isFresh === true
  const { payoutWalletDelaySeconds } = settings.rules
  // The epoch, so that the wallet also counts at once in a transaction that began earlier and so has an
  // earlier time.
  const payoutFrom =
    isAnnounced && !isFresh ? sql<Date>`market.now() + make_interval(secs => ${payoutWalletDelaySeconds})` : new Date(0)
  const { id } = await tx
    .insertInto('market.wallets')
    .values({
      id: newId(),
      account_id: accountId,
      owner_id: actor.humanId,
      address: address.toLowerCase(),
      message,
      signature,
      payout_from: isFirst ? payoutFrom : null,
    })
    .onConflict((conflict) =>
      conflict.columns(['account_id', 'address']).doUpdateSet({ message, signature, doubtful_since: null }),
    )
    .returning('id')
    .executeTakeFirstOrThrow()
  return { wallet: await findWallet(tx, actor, id), isAnnounced }
}

/**
 * Returns whether money may be on its way to a human: the human or one of their agents has a balance, or ever
 * had an order, an ask or a quote. Ended ones count, because a stolen token could end them first.
 */
async function isTrading(tx: Tx, humanId: string): Promise<boolean> {
  const { rows } = await sql`
    select from market.agents agent where owner_id = ${humanId} and (
      exists (select from market.asks where seller_id = agent.id)
      or exists (select from market.quotes where seller_id = agent.id)
      or exists (select from market.orders where seller_id = agent.id)
      or exists (select from market.orders where buyer_id = agent.id))
    union all
    select from ledger.accounts where owner_id = ${humanId}::text and owner_type = 'human' and balance > 0
    limit 1`.execute(tx)
  return rows.length > 0
}

function noChallenge(): Problem {
  return new Problem(walletProblems.challengeInvalid, {
    detail:
      'There is no open challenge for this address: ask for one with POST /v1/me/wallets. It is valid for ten minutes and one answer.',
    field: 'address',
  })
}
