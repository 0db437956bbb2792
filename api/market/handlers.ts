import { serve } from '../http/serve.ts'
import { createAsk as create } from './create.ts'
import { findAsk } from './find.ts'
import { reviseAsk as revise } from './revise.ts'
import { createAsk, getAsk, reviseAsk } from './routes.ts'
import { toAsk } from './wire.ts'

export const marketHandlers = [
  serve(createAsk, async (tx, call, { body }) => ({ status: 201 as const, body: toAsk(await create(tx, call, body)) })),
  serve(getAsk, async (tx, _call, { params }) => ({
    status: 200 as const,
    body: toAsk(await findAsk(tx, params.urn)),
  })),
  serve(reviseAsk, async (tx, call, { params, body }) => ({
    status: 200 as const,
    body: toAsk(await revise(tx, call, params.urn, body)),
  })),
]
