import { urn } from '../../../protocol/encoding/urn.ts'
import { serve } from '../../platform/http/serve/serve.ts'
import { eraseHuman } from './erase.ts'
import { announceDepartures } from './leave.ts'
import { eraseMe } from './routes.ts'

export const erasureHandlers = [
  serve(eraseMe, async (tx, { actor, settings }) => {
    await announceDepartures(tx, settings, actor)
    const erasedAt = await eraseHuman(tx, actor.humanId)
    return { status: 200, body: { urn: urn('human', actor.humanId), erased_at: erasedAt.toISOString() } }
  }),
]
