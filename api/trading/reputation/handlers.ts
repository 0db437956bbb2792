import { serve } from '../../platform/http/serve/serve.ts'
import { alphaBpsOf } from './alpha.ts'
import { answerQuery } from './internal/answer.ts'
import { readReputation } from './internal/read.ts'
import { toRecord } from './internal/wire.ts'
import { getReputation, queryReputation } from './routes.ts'

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
