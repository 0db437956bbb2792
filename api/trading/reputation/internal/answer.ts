import { urnString } from '../../../../protocol/encoding/urn.ts'
import type { CallContext } from '../../../context.ts'
import { readClock } from '../../../platform/db/clock.ts'
import type { Tx } from '../../../platform/db/pool.ts'
import type { Account } from '../../../platform/http/route/schemas.ts'
import { signAs } from '../../../platform/signing/keys.ts'
import type { Conditions, SupportingBody } from '../routes.ts'
import { readWindow } from './read.ts'
import { toSupporting } from './wire.ts'

const TYPE = 'market:reputation-answer:1' as const

/**
 * Answers whether an account meets conditions. The question is signed with the answer, so that it fits no
 * other question (spec 4). Throws 404 for no account.
 */
export async function answerQuery(
  tx: Tx,
  { settings }: CallContext,
  { subject_urn: subject, conditions }: { subject_urn: Account; conditions: Conditions },
) {
  const supporting = toSupporting(await readWindow(tx, subject, conditions.window_months))
  const answer = {
    type: TYPE,
    subject_urn: urnString(subject.kind, subject.id),
    conditions,
    result: meets(supporting, conditions),
    supporting,
    as_of: (await readClock(tx)).toISOString(),
  }
  const { keyId: key_id, signature } = await signAs(tx, settings, 'reputation', answer)
  return { ...answer, key_id, signature: `ed25519:${signature}` }
}

function meets(found: SupportingBody, wanted: Conditions): boolean {
  return (
    found.unweighted_count >= (wanted.min_unweighted_count ?? 0) &&
    found.weighted_rating_avg >= (wanted.min_weighted_rating_avg ?? 0) &&
    found.weighted_dispute_loss_rate <= (wanted.max_weighted_dispute_loss_rate ?? 1)
  )
}
