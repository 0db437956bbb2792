import { urn } from '../../../protocol/encoding/urn.ts'
import type { TableRule } from '../../platform/db/personalDataRule.ts'
import { type ServedRoute, serve } from '../../platform/http/serve/serve.ts'
import { endInvitationsTo } from '../orgs/answerInvitation.ts'
import { eraseHuman } from './erase.ts'
import { announceDepartures } from './leave.ts'
import { eraseMe } from './routes.ts'

/** `rules` are those of every table, in the order in which they are applied. */
export function erasureHandlers(rules: readonly [table: string, rule: TableRule][]): ServedRoute[] {
  return [
    serve(eraseMe, async (tx, { actor, settings }) => {
      await announceDepartures(tx, settings, actor)
      await endInvitationsTo(tx, settings, actor.humanId)
      const erasedAt = await eraseHuman(tx, actor.humanId, rules)
      return { status: 200, body: { urn: urn('human', actor.humanId), erased_at: erasedAt.toISOString() } }
    }),
  ]
}
