import type { z } from '@hono/zod-openapi'
import { sha256Hex } from '../../../../protocol/encoding/canonical.ts'
import { urn } from '../../../../protocol/encoding/urn.ts'
import { verifyDocument } from '../../../../protocol/keys/signing.ts'
import type { CallContext } from '../../../context.ts'
import type { Tx } from '../../../platform/db/pool.ts'
import { publishedKeys } from '../../../platform/signing/keys.ts'
import type { verdictProof } from '../record/schemas.ts'
import { findVerdict } from '../record/verdicts.ts'
import { documentOf } from '../wire/wire.ts'

/**
 * Returns everything needed to verify a verdict without the service: the signed bytes, the signature and its
 * key. Throws the uniform 404 if there is nothing the caller may see.
 */
export async function proveVerdict(
  tx: Tx,
  { actor, settings }: CallContext,
  verdictId: string,
): Promise<z.input<typeof verdictProof>> {
  const row = await findVerdict(tx, actor, verdictId)
  const document = documentOf(row)
  const { key_id, signature, document: canonical } = row
  const signed = { keyId: key_id, signature }
  const as = { purpose: 'verdicts', at: document.decided_at } as const
  return {
    verdict_urn: urn('verdict', row.id),
    valid: await verifyDocument(document, signed, await publishedKeys(tx, settings), as),
    sha256: sha256Hex(canonical),
    ...{ key_id, signature, document, canonical },
  }
}
