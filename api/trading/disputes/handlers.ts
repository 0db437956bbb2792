import { urn } from '../../../protocol/encoding/urn.ts'
import type { CallContext } from '../../context.ts'
import { readingAgents } from '../../identity/accounts/owner.ts'
import type { Tx } from '../../platform/db/pool.ts'
import { serve } from '../../platform/http/serve/serve.ts'
import { presentNative } from '../orders/payment/present.ts'
import { appealVerdict as appeal } from './appeals/appeal.ts'
import { stateAppeal as state } from './appeals/appealStatement.ts'
import { toAppealRequirements } from './appeals/appealWire.ts'
import { fundAppeal as fund } from './appeals/fundAppeal.ts'
import { listDisputeParts, readDisputeParts } from './record/queries.ts'
import { findVerdict } from './record/verdicts.ts'
import {
  appealVerdict,
  declareReady,
  fundAppeal,
  getDispute,
  getVerdict,
  listDisputes,
  openDispute,
  respondToDispute,
  stateAppeal,
  submitEvidence,
  verifyVerdict,
  waiveAppeal,
} from './routes.ts'
import { toDispute, toVerdict } from './wire/wire.ts'
import { openDispute as open } from './work/open.ts'
import { proveVerdict } from './work/proof.ts'
import { declareReady as ready, respond, submitEvidence as submit, waiveAppeal as waive } from './work/submit.ts'

async function answer(tx: Tx, { actor, settings }: CallContext, disputeId: string) {
  return { status: 200 as const, body: toDispute(settings, await readDisputeParts(tx, actor, disputeId)) }
}

export const disputeHandlers = [
  serve(openDispute, async (tx, call, { body }) => {
    const { order_urn: orderId, opener_urn: openerId, claim: statement, evidence = [] } = body
    const { id } = await open(tx, call, { orderId, openerId, statement, evidence })
    return { ...(await answer(tx, call, id)), status: 201 as const }
  }),

  serve(listDisputes, async (tx, { actor, settings }, { query, list }) => {
    const { state, agent_urn: agentId } = query
    const own = await readingAgents(tx, actor, agentId)
    const { items: disputes, next_cursor } = await list.read(
      ({ from, limit }) => listDisputeParts(tx, own, { state, before: from, limit }),
      (row) => toDispute(settings, row),
    )
    return { status: 200, body: { disputes, next_cursor } }
  }),

  serve(getDispute, (tx, call, { params }) => answer(tx, call, params.urn)),

  serve(respondToDispute, async (tx, call, { params, body }) => {
    await respond(tx, call, params.urn, body.response, body.evidence)
    return answer(tx, call, params.urn)
  }),

  serve(submitEvidence, async (tx, call, { params, body }) => {
    await submit(tx, call, params.urn, body.evidence)
    return answer(tx, call, params.urn)
  }),

  serve(declareReady, async (tx, call, { params }) => {
    await ready(tx, call, params.urn)
    return answer(tx, call, params.urn)
  }),

  serve(waiveAppeal, async (tx, call, { params }) => {
    await waive(tx, call, params.urn)
    return answer(tx, call, params.urn)
  }),

  serve(appealVerdict, async (tx, call, { params }) => ({
    status: 402 as const,
    body: toAppealRequirements(call.settings.chain, await appeal(tx, call, params.urn)),
  })),

  serve(stateAppeal, async (tx, call, { params, body }) => {
    await state(tx, call, params.urn, body.statement)
    return answer(tx, call, params.urn)
  }),

  serve(fundAppeal, {
    prepare: (services, _call, { params, body }) => presentNative(services, params.urn, body.signed_authorization),
    run: async (tx, call, { params }, payment) => {
      await fund(tx, call, params.urn, payment)
      return { status: 202 as const, body: { dispute_urn: urn('dispute', params.urn), state: 'offered' as const } }
    },
  }),

  serve(getVerdict, async (tx, { actor }, { params }) => ({
    status: 200 as const,
    body: toVerdict(await findVerdict(tx, actor, params.urn)),
  })),

  serve(verifyVerdict, async (tx, call, { params }) => ({
    status: 200 as const,
    body: await proveVerdict(tx, call, params.urn),
  })),
]
