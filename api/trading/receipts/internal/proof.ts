import type { z } from '@hono/zod-openapi'
import type { Hex } from 'viem'
import { canonicalJson, sha256Hex } from '../../../../protocol/encoding/canonical.ts'
import { urn } from '../../../../protocol/encoding/urn.ts'
import { verifyDocument } from '../../../../protocol/keys/signing.ts'
import { AUDIT_GENESIS } from '../../../../protocol/records/auditChain.ts'
import type { ReceiptDocument } from '../../../../protocol/records/receipt.ts'
import type { CallContext } from '../../../context.ts'
import { anyOf } from '../../../platform/db/lists.ts'
import type { Tx } from '../../../platform/db/pool.ts'
import { publishedKeys } from '../../../platform/signing/keys.ts'
import type { verifyReceipt } from '../routes.ts'
import { findReceipt, mayReadAll } from './find.ts'

type Proof = z.input<(typeof verifyReceipt)['answers'][200]['schema']>

/**
 * Returns everything needed to verify a receipt without the service: the signed bytes, the signature and its
 * key, where on chain the money moved, and its place in the audit log. A caller who may not read all of it
 * gets what verifies a copy from a party. Throws the uniform 404 if there is nothing the caller may see.
 */
export async function proveReceipt(tx: Tx, { actor, settings }: CallContext, receiptId: string): Promise<Proof> {
  const receipt = await findReceipt(tx, receiptId, actor)
  const named = { receipt_urn: urn('receipt', receipt.id), order_urn: urn('order', receipt.order_id) }
  const { document, key_id: keyId, signature } = receipt
  if (!document || !keyId || !signature) return { ...named, final: false, proof: null }
  // The stored document is exactly the signed one; only finalizeReceipt stores it.
  const signed = document as ReceiptDocument
  const mayRead = mayReadAll(receipt, actor)
  const canonical = canonicalJson(signed)
  const entry = await auditEntry(tx, receipt.audit_id)
  return {
    ...named,
    final: true,
    proof: {
      valid: await verifyDocument(signed, { keyId, signature }, await publishedKeys(tx, settings), {
        purpose: 'receipts',
        at: signed.finalized_at,
      }),
      sha256: sha256Hex(canonical),
      key_id: keyId,
      signature,
      document: mayRead ? signed : null,
      canonical: mayRead ? canonical : null,
      settlement: mayRead ? await settlementOf(tx, signed) : [],
      audit: entry && { ...entry, content: mayRead ? entry.content : null },
    },
  }
}

/**
 * Returns the confirmed chain events that the document refers to: the payment, and the transaction that
 * released it.
 */
async function settlementOf(tx: Tx, document: ReceiptDocument) {
  const payer = document.payer.toLowerCase()
  const events = await tx
    .selectFrom('market.processed_chain_events')
    .select(['kind', 'tx_hash', 'block_number', 'block_hash', 'log_index'])
    .where('key', '=', anyOf(await keysOf(tx, document, payer)))
    .where('vanished_at', 'is', null)
    .orderBy('block_number')
    .orderBy('log_index')
    .execute()
  return events.map((event) => ({
    kind: event.kind,
    tx_hash: event.tx_hash as Hex,
    block_number: Number(event.block_number),
    block_hash: event.block_hash as Hex,
    log_index: event.log_index,
  }))
}

async function keysOf(tx: Tx, { hold_id: holdId, deposit_nonce: nonce }: ReceiptDocument, payer: string) {
  if (holdId !== null) return ['funded', 'released', 'reclaimed'].map((kind) => `${kind}:${holdId}`)
  const deposit = await tx
    .selectFrom('market.deposits')
    .select(['payee_payout_nonce', 'payer_payout_nonce'])
    .where('payer', '=', payer)
    .where('nonce', '=', nonce)
    .executeTakeFirst()
  const legs = deposit ? [deposit.payee_payout_nonce, deposit.payer_payout_nonce] : []
  return [`payment:${payer}:${nonce}`, ...legs.map((leg) => `outflow:${leg}`)]
}

/**
 * Returns the audit entry of the receipt's signing, once it is sealed. Without its salt, as after an erasure,
 * or where only an archive has the entry, it has no content.
 */
async function auditEntry(tx: Tx, auditId: bigint | null) {
  if (auditId === null) return null
  const seal = await tx
    .selectFrom('market.audit_seals as seal')
    .leftJoin('market.audit_seals as before', (join) =>
      join.on('before.position', '=', (row) => row('seal.position', '-', 1n)),
    )
    .select(['seal.position', 'seal.digest', 'seal.chain_hash', 'before.chain_hash as previous'])
    .where('seal.entry_id', '=', auditId)
    .executeTakeFirst()
  if (!seal) return null
  return {
    position: Number(seal.position),
    previous_hash: Buffer.from(seal.previous ?? AUDIT_GENESIS).toString('hex'),
    digest: seal.digest.toString('hex'),
    hash: seal.chain_hash.toString('hex'),
    content: await contentOf(tx, auditId),
  }
}

async function contentOf(tx: Tx, auditId: bigint) {
  const entry = await tx.selectFrom('market.audit_log').selectAll().where('id', '=', auditId).executeTakeFirst()
  if (!entry?.salt) return null
  const { actor, action, subject, details, salt } = entry
  return { actor, action, subject, details, created_at: entry.created_at.toISOString(), salt: salt.toString('hex') }
}
