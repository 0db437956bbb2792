import { notFound } from '../../errors.ts'
import { serve } from '../../platform/http/serve/serve.ts'
import { findKeys, toKeys } from './find.ts'
import { checkKeysSignature, publishKeys as publish } from './internal/publish.ts'
import { getAgentKeys, publishKeys } from './routes.ts'

export const keyHandlers = [
  serve(publishKeys, {
    prepare: (services, call, { body }) => checkKeysSignature(services, call, body),
    run: async (tx, call, _input, keys) => ({
      status: 201,
      body: toKeys(call.settings.chain, await publish(tx, call, keys)),
    }),
  }),

  serve(getAgentKeys, async (tx, { settings }, { params }) => {
    const keys = await findKeys(tx, params.urn)
    if (!keys) throw notFound('agent with keys')
    return { status: 200, body: toKeys(settings.chain, keys) }
  }),
]
