import { sql } from 'kysely'
import { newId } from '../../../../protocol/encoding/ids.ts'
import { Problem } from '../../../errors.ts'
import type { Tx } from '../../../platform/db/pool.ts'
import type { OrderRow, Party } from '../../orders/record/find.ts'
import type { DisputeRow } from '../record/find.ts'
import { disputeProblems } from '../record/problems.ts'

/** An item that a party refers to: a message of the order's thread, or an upload of the order. */
export interface Reference {
  kind: 'message' | 'delivery'
  id: string
}

const MAX_PER_PARTY = 20

/**
 * Adds evidence of a party; items that it already referred to are ignored. The order must be locked and the
 * dispute open. Throws disputes/evidence-refused (422), naming the item, for an item of another order, for a
 * sealed message that was not disclosed, and for more than twenty items.
 */
export async function addEvidence(
  tx: Tx,
  order: OrderRow,
  dispute: DisputeRow,
  party: Party,
  references: readonly Reference[],
): Promise<void> {
  for (const [place, reference] of references.entries()) {
    await requireOfOrder(tx, order, reference, `evidence.${place}`)
    await tx
      .insertInto('market.dispute_evidence')
      .values({
        id: newId(),
        dispute_id: dispute.id,
        party,
        message_id: reference.kind === 'message' ? reference.id : null,
        delivery_id: reference.kind === 'delivery' ? reference.id : null,
      })
      .onConflict((conflict) => conflict.doNothing())
      .execute()
  }
  await requireItems(tx, dispute.id, party)
}

/**
 * Throws disputes/evidence-refused (422) if a party has more than twenty items, counting references and
 * files.
 */
export async function requireItems(tx: Tx, disputeId: string, party: Party): Promise<void> {
  const { rows } = await sql<{ items: number }>`select
    (select count(*) from market.dispute_evidence where dispute_id = ${disputeId} and party = ${party})::integer
    + (select count(*) from market.evidence_files
      where dispute_id = ${disputeId} and party = ${party} and stage = 'evidence')::integer as items`.execute(tx)
  if ((rows[0]?.items ?? 0) > MAX_PER_PARTY) {
    throw refused('evidence', `A party can hand in ${MAX_PER_PARTY} items, references and files together.`)
  }
}

async function requireOfOrder(tx: Tx, order: OrderRow, { kind, id }: Reference, field: string): Promise<void> {
  if (kind === 'delivery') {
    const upload = tx.selectFrom('market.deliveries').select('id').where('id', '=', id).where('order_id', '=', order.id)
    if (!(await upload.executeTakeFirst())) throw refused(field, 'It must be an upload of this order.')
    return
  }
  const message = await tx
    .selectFrom('market.messages as message')
    .leftJoin('market.disclosures as disclosure', 'disclosure.message_id', 'message.id')
    .select(['message.sealed_id', 'disclosure.message_id as disclosed'])
    .where('message.id', '=', id)
    .where('message.thread_id', '=', order.thread_id)
    .executeTakeFirst()
  if (!message) throw refused(field, "It must be a message of this order's thread.")
  if (message.sealed_id !== null && message.disclosed === null) {
    throw refused(field, 'This message is sealed: its sender or its reader must disclose it first.')
  }
}

function refused(field: string, detail: string): Problem {
  return new Problem(disputeProblems.evidenceRefused, { detail: `${field}: ${detail}`, field })
}
