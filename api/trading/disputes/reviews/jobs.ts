import { actOnDue } from '../../../platform/jobs/due.ts'
import type { JobServices } from '../../../platform/jobs/services.ts'
import { assignReviewers } from '../assignment/assign.ts'
import { lockDisputeRow } from '../record/find.ts'

/**
 * Assigns reviewers to the disputes that lack one: nobody was eligible, or a reviewer did not open the case
 * in time.
 */
export async function staffReviews(services: JobServices): Promise<void> {
  const { db, settings } = services
  const find = (passedOver: readonly string[], limit: number) =>
    db
      .selectFrom('market.disputes')
      .select('id')
      .where('state', 'in', ['pre_review', 'in_review'])
      .$if(passedOver.length > 0, (query) => query.where('id', 'not in', passedOver))
      .orderBy('id')
      .limit(limit)
      .execute()
  await actOnDue(services, 'review', find, async (tx, id) => {
    const locked = await lockDisputeRow(tx, id)
    const isReviewed = locked?.dispute.state === 'in_review' || locked?.dispute.state === 'pre_review'
    if (isReviewed) await assignReviewers(tx, settings.rules, locked.order, locked.dispute)
    return false
  })
}
