import { urnString } from '../../../../../protocol/encoding/urn.ts'
import type { CallContext } from '../../../../context.ts'
import { notFound } from '../../../../errors.ts'
import { audit } from '../../../../platform/audit/audit.ts'
import type { Tx } from '../../../../platform/db/pool.ts'
import { makeLink } from '../../../deliveries/link.ts'
import { lockOpenReview } from '../../assignment/find.ts'
import { filesOf } from '../../record/evidenceFiles.ts'

/**
 * Returns a link to a file that a party handed in to a case, for its assigned reviewer, good while they
 * review it. Each is an audit entry that both parties see. Throws 404 for every other operator and for a file
 * of no such case, 409 unless it is in review or awaits a look at flagged text.
 */
export async function linkCaseFile(tx: Tx, call: CallContext, disputeId: string, fileId: string) {
  const { order } = await lockOpenReview(tx, call, disputeId)
  const file = (await filesOf(tx, disputeId)).find(({ id }) => id === fileId)
  if (!file) throw notFound('evidence')
  const { humanId } = call.actor
  await audit(tx, {
    actor: urnString('human', humanId),
    action: 'review.read_file',
    subject: urnString('order', order.id),
    details: { dispute_urn: urnString('dispute', disputeId), evidence_urn: urnString('evidence', fileId) },
  })
  return { file, download: await makeLink(tx, call.settings, { kind: 'evidence', id: fileId, account: humanId }) }
}
