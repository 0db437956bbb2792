import { urnString } from '../../../protocol/encoding/urn.ts'
import { serve } from '../../platform/http/serve/serve.ts'
import { explainStop, listStops, stopPayouts } from './routes.ts'
import { explainStop as explain, listStopRows, stopPayouts as stop, toStop } from './stops.ts'

export const stopHandlers = [
  serve(stopPayouts, async (tx, { actor }, { body }) => {
    const raised = await stop(tx, { actor: urnString('human', actor.humanId), ...body })
    if (!raised) throw new Error('a stop without a fact has no other to conflict with')
    return { status: 201, body: toStop(raised) }
  }),

  serve(listStops, async (tx, _call, { list }) => {
    const { items: stops, next_cursor } = await list.read(
      ({ from, limit }) => listStopRows(tx, { before: from, limit }),
      toStop,
    )
    return { status: 200, body: { stops, next_cursor } }
  }),

  serve(explainStop, async (tx, { actor }, { params, body }) => ({
    status: 200,
    body: toStop(await explain(tx, { actor: urnString('human', actor.humanId), stopId: params.urn, ...body })),
  })),
]
