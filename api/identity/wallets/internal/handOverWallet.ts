import { sql } from 'kysely'
import { type Address, getAddress } from 'viem'
import { urnString } from '../../../../protocol/encoding/urn.ts'
import { normalizeSignature } from '../../../../protocol/keys/signatureForms.ts'
import { isSignedBy } from '../../../../protocol/keys/signatures.ts'
import { type HandoverSignatures, handoverDigest } from '../../../../protocol/payments/walletHandover.ts'
import { accountUrn } from '../../../actor.ts'
import type { CallContext } from '../../../context.ts'
import { Problem } from '../../../errors.ts'
import { audit } from '../../../platform/audit/audit.ts'
import type { Tx } from '../../../platform/db/pool.ts'
import type { Services } from '../../../platform/http/serve/services.ts'
import { walletProblems } from '../problems.ts'
import { findWallet, type WalletRow } from '../wallets.ts'

/** A hand-over from an earlier wallet of the owner, with both signatures. */
export interface Handover {
  from: Address
  signatures: HandoverSignatures
}

/**
 * Verifies through the chain that the earlier wallet and the new one signed the hand-over, and returns the
 * signatures in the form in which they are kept. Throws 404 for a wallet of another account, and
 * wallets/signature-invalid for any other signature.
 */
export async function checkHandover(
  { db, rpc, settings }: Services,
  { actor }: CallContext,
  walletId: string,
  { from, signatures }: Handover,
): Promise<Handover> {
  const wallet = await findWallet(db as Tx, actor, walletId)
  const site = new URL(settings.baseUrl).host
  const owner = urnString('human', wallet.owner_id)
  const [chainId, to] = [settings.chain.chainId, getAddress(wallet.address)]
  const digest = handoverDigest({ chainId, site, owner, from, to })
  const check = async (field: keyof HandoverSignatures, account: Address) => {
    const given = { account, digest, signature: signatures[field] }
    const signed = { ...given, signature: await normalizeSignature(given) }
    if (await isSignedBy(rpc, signed, settings.chain.walletFactories)) return signed.signature
    const detail = `${account} did not sign this hand-over from ${from} to ${to} by ${owner} at ${site}.`
    throw new Problem(walletProblems.signatureInvalid, { detail, field })
  }
  return { from, signatures: { earlier: await check('earlier', from), new: await check('new', to) } }
}

/**
 * Keeps a hand-over of a wallet. The facilitator then counts the new wallet as the owner's if it counts the
 * earlier one. Throws 404 for a wallet of another account, and wallets/signature-invalid if the earlier
 * wallet is not bound to the same owner.
 */
export async function handOverWallet(
  tx: Tx,
  { actor }: CallContext,
  walletId: string,
  { from, signatures }: Handover,
): Promise<WalletRow> {
  const wallet = await findWallet(tx, actor, walletId)
  const earlier = from.toLowerCase()
  const handover = JSON.stringify({ from: earlier, signatures })
  const { rows } = await sql`update market.wallets set handover = ${handover}::jsonb
    where id = ${walletId} and address <> ${earlier} and exists (select from market.wallets other
      where other.owner_id = ${wallet.owner_id} and other.address = ${earlier}) returning id`.execute(tx)
  if (rows.length === 0)
    throw new Problem(walletProblems.signatureInvalid, {
      detail: `${from} is not one of your other wallets.`,
      field: 'from',
    })
  await audit(tx, {
    actor: accountUrn(actor),
    action: 'wallet.hand_over',
    subject: urnString('wallet', walletId),
    details: { from, to: getAddress(wallet.address) },
  })
  return wallet
}
