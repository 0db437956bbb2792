import { urn } from '../../../protocol/encoding/urn.ts'
import { serve } from '../../platform/http/serve/serve.ts'
import { cancelErasure, requestErasure } from './internal/request.ts'
import * as routes from './routes.ts'

export const erasureHandlers = [
  serve(routes.eraseMe, async (tx, { actor }) => {
    const eraseAt = await requestErasure(tx, actor)
    return { status: 202, body: { urn: urn('human', actor.humanId), erase_at: eraseAt.toISOString() } }
  }),

  serve(routes.cancelErasure, async (tx, call) => {
    await cancelErasure(tx, call)
    return { status: 204, body: undefined }
  }),
]
