import { readPage } from '../http/pagination.ts'
import { serve } from '../http/serve.ts'
import { listAgentRows, toAgent } from './agents.ts'
import { challengeWallet as challenge } from './challengeWallet.ts'
import { choosePayoutWallet as choose } from './choosePayoutWallet.ts'
import { createAgent as addAgent } from './createAgent.ts'
import { createHuman as addHuman } from './createHuman.ts'
import { deactivateAgent as deactivate } from './deactivateAgent.ts'
import { readCaller } from './readCaller.ts'
import { removeWallet as remove } from './removeWallet.ts'
import {
  challengeWallet,
  choosePayoutWallet,
  createAgent,
  createHuman,
  deactivateAgent,
  getMe,
  listAgents,
  listWallets,
  removeWallet,
  verifyWallet,
} from './routes.ts'
import { checkWalletProof, verifyWallet as verify } from './verifyWallet.ts'
import { listWalletRows, toWallet } from './wallets.ts'

export const accountHandlers = [
  serve(createHuman, async (tx, { actor, settings }, { body }) => {
    const human = {
      displayName: body.display_name,
      email: body.email,
      role: 'member',
      createdBy: actor.humanId,
    } as const
    return { status: 201, body: await addHuman(tx, settings.chain, human) }
  }),

  serve(createAgent, async (tx, { actor }, { body }) => {
    const agent = { ownerId: body.owner_urn, displayName: body.display_name, description: body.description }
    return { status: 201, body: await addAgent(tx, actor, agent) }
  }),

  serve(listAgents, async (tx, { actor, settings }, { query }) => {
    const bound = ['agents', actor.humanId]
    const { rows, next_cursor } = await readPage(settings, bound, query, (page) =>
      listAgentRows(tx, actor.humanId, page),
    )
    return { status: 200, body: { agents: rows.map(toAgent), next_cursor } }
  }),

  serve(deactivateAgent, async (tx, { actor }, { params }) => ({
    status: 200,
    body: toAgent(await deactivate(tx, actor, params.urn)),
  })),

  serve(getMe, async (tx, { actor }) => ({ status: 200, body: await readCaller(tx, actor) })),

  serve(challengeWallet, async (tx, call, { body }) => ({
    status: 201,
    body: await challenge(tx, call, body.address),
  })),

  serve(verifyWallet, {
    prepare: (services, call, { body }) => checkWalletProof(services, call, body),
    run: async (tx, call, { body }, signed) => ({ status: 200, body: await verify(tx, call, body, signed) }),
  }),

  serve(listWallets, async (tx, { actor, settings }, { query }) => {
    const bound = ['wallets', actor.agentId ?? actor.humanId]
    const { rows, next_cursor } = await readPage(settings, bound, query, (page) => listWalletRows(tx, actor, page))
    return { status: 200, body: { wallets: rows.map(toWallet), next_cursor } }
  }),

  serve(choosePayoutWallet, async (tx, call, { params }) => ({
    status: 200,
    body: toWallet(await choose(tx, call, params.urn)),
  })),

  serve(removeWallet, async (tx, { actor }, { params }) => {
    await remove(tx, actor, params.urn)
    return { status: 204, body: undefined }
  }),
]
