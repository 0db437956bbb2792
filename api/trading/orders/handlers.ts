import type { z } from 'zod'
import { readingAgents } from '../../identity/accounts/owner.ts'
import { serve } from '../../platform/http/serve/serve.ts'
import { placeOrPay, prepareFunding, preparePlacement, takePayment } from './payment/pay.ts'
import { checkSettlement, type SignedSettlement, signSettlement as sign } from './payment/signSettlement.ts'
import { lockOrderAs } from './record/find.ts'
import { ACTING_PARTY } from './record/guards.ts'
import { listOrderRows, readOrderRecord, readRecords } from './record/queries.ts'
import {
  acceptOrder,
  cancelOrder,
  fundOrder,
  getOrder,
  listOrders,
  placeOrder,
  rejectOrder,
  signSettlement,
} from './routes.ts'
import { acceptOrder as accept } from './work/accept.ts'
import { cancelOrder as cancel } from './work/cancel.ts'
import { rejectOrder as reject } from './work/reject.ts'

export const orderHandlers = [
  serve(placeOrder, { prepare: preparePlacement, run: placeOrPay }),
  serve(fundOrder, { prepare: prepareFunding, run: takePayment }),

  serve(listOrders, async (tx, { actor, settings }, { query, list }) => {
    const { role, state, agent_urn: agentId, counterparty_urn: counterpartyId, updated_since: updatedSince } = query
    const filter = { role, state, counterpartyId, updatedSince }
    const own = await readingAgents(tx, actor, agentId)
    const { items: rows, next_cursor } = await list.read(({ from, limit }) =>
      listOrderRows(tx, own, { ...filter, before: from, limit }),
    )
    const ids = rows.map(({ id }) => id)
    const orders = await readRecords(tx, settings, ids, own)
    return { status: 200 as const, body: { orders, next_cursor } }
  }),

  // One statement, which is a snapshot of its own.
  serve(getOrder, {
    withoutTransaction: async ({ db }, call, { params }) => ({
      status: 200 as const,
      body: await readOrderRecord(db, call, params.urn),
    }),
  }),

  serve(acceptOrder, async (tx, call, { params }) => {
    await accept(tx, call.settings, await lockOrderAs(tx, call.actor, params.urn, ACTING_PARTY.accept))
    return { status: 200 as const, body: await readOrderRecord(tx, call, params.urn) }
  }),

  serve(rejectOrder, async (tx, call, { params, body }) => {
    const order = await lockOrderAs(tx, call.actor, params.urn, ACTING_PARTY.reject)
    await reject(tx, call.settings, order, body.reason || null)
    return { status: 200 as const, body: await readOrderRecord(tx, call, params.urn) }
  }),

  serve(signSettlement, {
    prepare: (services, call, { params, body }) => checkSettlement(services, call, params.urn, signedIn(body)),
    run: async (tx, call, { params, body }, signature) => {
      await sign(tx, call, params.urn, signedIn(body), signature)
      return { status: 200 as const, body: await readOrderRecord(tx, call, params.urn) }
    },
  }),

  serve(cancelOrder, async (tx, call, { params, body }) => {
    await cancel(tx, call, params.urn, body.reason_code)
    return { status: 200 as const, body: await readOrderRecord(tx, call, params.urn) }
  }),
]

function signedIn({
  refund,
  payee,
  valid_before,
  wallet,
  signature,
}: z.output<typeof signSettlement.body>): SignedSettlement {
  return { refundMicros: refund, payee, validBefore: valid_before, wallet, signature }
}
