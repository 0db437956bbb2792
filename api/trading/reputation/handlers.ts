import { serve } from '../../platform/http/serve/serve.ts'
import { alphaBpsOf } from './alpha.ts'
import { answerQuery } from './answer.ts'
import { readReputation } from './read.ts'
import { getReputation, queryReputation } from './routes.ts'
import { toRecord } from './wire.ts'

export const reputationHandlers = [
  serve(getReputation, async (tx, { settings }, { params }) => {
    const record = await readReputation(tx, params.urn, alphaBpsOf(settings.rules))
    return { status: 200 as const, body: toRecord(params.urn, record, settings.rules) }
  }),

  serve(queryReputation, async (tx, call, { body }) => ({
    status: 200 as const,
    body: await answerQuery(tx, call, body),
  })),
]
