import type { AgentCall } from '../../../../context.ts'
import type { Input } from '../../../../platform/http/serve/receive.ts'
import type { Services } from '../../../../platform/http/serve/services.ts'
import { type ReceivedBlob, storeUpload } from '../../../deliveries/storeUpload.ts'
import { findOwnDispute } from '../../record/find.ts'
import type { handInEvidence } from '../routes.ts'
import { requireRoom } from './handIn.ts'

/**
 * Stores the bytes of a file as they arrive, after checking that the sender may hand it in. Throws as
 * `handInFile` does, 413 at the first byte beyond the limit, 422 if their hash is not `sha256`: then nothing
 * is stored.
 */
export async function receiveFile(
  { db, settings }: Services,
  { actor }: AgentCall,
  { params, query, raw }: Input<typeof handInEvidence>,
): Promise<ReceivedBlob> {
  const own = await findOwnDispute(db, actor, params.urn)
  await requireRoom(db, settings.rules, own, query.sha256)
  return storeUpload(settings, raw, { field: 'sha256', sha256: query.sha256 }, settings.rules.maxEvidenceBytes)
}
