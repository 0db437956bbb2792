import { urnString } from '../../../protocol/encoding/urn.ts'
import { readPage } from '../../platform/http/route/pagination.ts'
import { serve } from '../../platform/http/serve/serve.ts'
import { explainStop as explain } from './explain.ts'
import { listStopRows, toStop } from './list.ts'
import { explainStop, listStops, stopPayouts } from './routes.ts'
import { stopPayouts as stop } from './stop.ts'

export const stopHandlers = [
  serve(stopPayouts, async (tx, { actor }, { body }) => {
    const raised = await stop(tx, { actor: urnString('human', actor.humanId), ...body })
    if (!raised) throw new Error('a stop without a fact has no other to conflict with')
    return { status: 201, body: toStop(raised) }
  }),

  serve(listStops, async (tx, { actor, settings }, { query }) => {
    const bound = ['stops', actor.humanId]
    const { rows, next_cursor } = await readPage(settings, bound, query, ({ from, limit }) =>
      listStopRows(tx, { before: from, limit }),
    )
    return { status: 200, body: { stops: rows.map(toStop), next_cursor } }
  }),

  serve(explainStop, async (tx, { actor }, { params, body }) => ({
    status: 200,
    body: toStop(await explain(tx, { actor: urnString('human', actor.humanId), stopId: params.urn, ...body })),
  })),
]
