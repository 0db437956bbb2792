import { urnString } from '../../../../../protocol/encoding/urn.ts'
import type { AgentCall, MarketRules } from '../../../../context.ts'
import { Problem, requireAllowed } from '../../../../errors.ts'
import { feesOf } from '../../../../payments/appealFees/find.ts'
import { audit } from '../../../../platform/audit/audit.ts'
import { readClock } from '../../../../platform/db/clock.ts'
import type { Db, Tx } from '../../../../platform/db/pool.ts'
import { emit } from '../../../../platform/events/emit.ts'
import { httpProblems } from '../../../../platform/http/serve/problems.ts'
import type { ReceivedBlob } from '../../../deliveries/storeUpload.ts'
import { screenForAppeal } from '../../appeals/appealStatement.ts'
import { wordsOfFile } from '../../facts/texts.ts'
import { type EvidenceFileRow, filesOf } from '../../record/evidenceFiles.ts'
import { agentOf, lockDispute, type OwnDispute } from '../../record/find.ts'
import { refuseFile, stageOf } from '../../record/guards.ts'
import { disputeEvents } from '../../record/module.ts'
import { disputeProblems } from '../../record/problems.ts'
import { disputePayload, partiesOf } from '../../record/transition.ts'
import { requireItems } from '../evidence.ts'

/** A party's description of a file: the hash of its bytes, and its name. */
export interface FileInput {
  disputeId: string
  sha256: string
  filename: string | null
}

/**
 * Records received bytes as a file of the caller's: evidence while that is open, and material for the appeal
 * afterwards. Throws 404 for strangers, 400 for a file that shows nothing and was not delivered, and as
 * `requireRoom`.
 */
export async function handInFile(
  tx: Tx,
  { actor, settings }: AgentCall,
  { disputeId, sha256, filename }: FileInput,
  blob: ReceivedBlob,
): Promise<EvidenceFileRow> {
  const own = await lockDispute(tx, actor, disputeId)
  const { order, dispute, party } = own
  const stage = await requireRoom(tx, settings.rules, own, sha256)
  // The bytes of a delivery show that it is blank.
  if (blob.isBlank && !(await isDelivered(tx, order.id, sha256))) throw blank()
  const { id, isBlank: is_blank, excerpt } = blob
  const screening =
    stage === 'appeal' ? JSON.stringify(await screenForAppeal(tx, own, wordsOfFile({ filename, excerpt }))) : null
  const file = await tx
    .insertInto('market.evidence_files')
    .values({
      ...{ id, dispute_id: disputeId, party, author_id: agentOf(order, party), stage, sha256, is_blank, excerpt },
      ...{ size_bytes: BigInt(blob.sizeBytes), screening, filename },
    })
    .returningAll()
    .executeTakeFirstOrThrow()
  if (stage === 'evidence') await requireItems(tx, disputeId, party)
  const told = { evidence_urn: urnString('evidence', id), party, stage, sha256 }
  const payload = { ...disputePayload(order, dispute), ...told }
  await emit(tx, disputeEvents['dispute.file_handed_in'], { payload, visibleTo: partiesOf(order) })
  await audit(tx, {
    actor: urnString('agent', file.author_id),
    action: 'dispute.hand_in',
    subject: urnString('order', order.id),
    details: { dispute_urn: urnString('dispute', disputeId), ...told, size_bytes: blob.sizeBytes },
  })
  return file
}

/**
 * Returns the stage that a file of a party would belong to. Throws 409 unless the evidence is open, or an
 * appeal in which the party may make a statement, and for more files than a side may hand in; 422 if the
 * bytes are a delivery of the seller, which must be uploaded as one.
 */
export async function requireRoom(
  db: Db | Tx,
  rules: MarketRules,
  own: OwnDispute,
  sha256: string,
): Promise<EvidenceFileRow['stage']> {
  const { order, dispute, party } = own
  const [files, fees] = [await filesOf(db, dispute.id), await feesOf(db, dispute.id)]
  requireAllowed(refuseFile(own, { files, fees, now: await readClock(db) }, rules))
  const stage = stageOf(dispute)
  if (stage === 'appeal' || party === 'buyer') return stage
  if (await isDelivered(db, order.id, sha256)) {
    const detail =
      'sha256: These are the bytes of a delivery: upload them at POST /v1/deliveries, which has them checked, and refer to that.'
    throw new Problem(disputeProblems.evidenceRefused, { detail, field: 'sha256' })
  }
  return stage
}

async function isDelivered(db: Db | Tx, orderId: string, sha256: string): Promise<boolean> {
  const notice = db.selectFrom('market.delivery_notices').select('number').where('order_id', '=', orderId)
  return (await notice.where('output_hash', '=', sha256).executeTakeFirst()) !== undefined
}

function blank(): Problem {
  const detail = 'sha256: The file has no bytes, or shows nothing but white space and invisible characters.'
  return new Problem(httpProblems.invalid, { detail, field: 'sha256' })
}
