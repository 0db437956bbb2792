import { parseUrn } from '../../../protocol/encoding/urn.ts'
import type { Tx } from '../../platform/db/pool.ts'
import { openOwnerPool } from '../../platform/db/searchPath.ts'
import { createEnrolment } from '../enrolments/issue.ts'

// The tokens in the same sandbox file never expire.
const VALID_SECONDS = 365 * 24 * 60 * 60

/** Enrolments with which a person can use the first accounts of a sandbox in a browser. */
export interface FirstEnrolments {
  human?: string
  operator?: string
  reviewers: string[]
}

/**
 * Creates an enrolment for each first account of a sandbox that has no passkey: its human, its operator, its
 * reviewers. Needs the database's owner, because no API call can enrol an operator.
 */
export async function createFirstEnrolments(databaseUrl: string, humanUrn: string): Promise<FirstEnrolments> {
  const db = await openOwnerPool(databaseUrl)
  try {
    return await db.transaction().execute(async (tx) => {
      const enrolments: FirstEnrolments = { reviewers: [] }
      for (const { id, role, is_reviewer: isReviewer } of await listFirst(tx, humanUrn)) {
        const { enrolment } = await createEnrolment(tx, { humanId: id, issuedBy: id, validSeconds: VALID_SECONDS })
        if (isReviewer) enrolments.reviewers.push(enrolment)
        else enrolments[role === 'operator' ? 'operator' : 'human'] ??= enrolment
      }
      return enrolments
    })
  } finally {
    await db.destroy()
  }
}

// All other operators signed up with a passkey.
function listFirst(tx: Tx, humanUrn: string) {
  return tx
    .selectFrom('market.humans as human')
    .select(['human.id', 'human.role', 'human.is_reviewer'])
    .where('human.erased_at', 'is', null)
    .where(({ eb, and, or }) =>
      or([
        eb('human.id', '=', parseUrn('human', humanUrn) ?? null),
        and([eb('human.role', '=', 'operator'), eb('human.created_by', 'is', null)]),
      ]),
    )
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('market.passkeys as passkey')
            .select('passkey.id')
            .whereRef('passkey.human_id', '=', 'human.id')
            .where('passkey.flagged_at', 'is', null),
        ),
      ),
    )
    .orderBy('human.id')
    .forNoKeyUpdate()
    .execute()
}
