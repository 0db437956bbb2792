import { serve } from '../../platform/http/serve/serve.ts'
import { findReceipt } from './internal/find.ts'
import { proveReceipt } from './internal/proof.ts'
import { signReceipt as sign } from './internal/sign.ts'
import { toReceipt, toStub } from './internal/wire.ts'
import { getReceipt, signReceipt, verifyReceipt } from './routes.ts'

export const receiptHandlers = [
  serve(getReceipt, async (tx, { actor }, { params }) => ({
    status: 200 as const,
    body: toReceipt(await findReceipt(tx, params.urn, actor), actor),
  })),

  serve(verifyReceipt, async (tx, call, { params }) => ({
    status: 200 as const,
    body: await proveReceipt(tx, call, params.urn),
  })),

  serve(signReceipt, async (tx, call, { params, body }) => {
    const receipt = await sign(tx, call, params.urn, { accept: body.accept, reason: body.reason || null })
    return { status: 200 as const, body: { ...toStub(receipt), state: receipt.state } }
  }),
]
