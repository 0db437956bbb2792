import { sha256Hex } from '../../../../../../protocol/encoding/canonical.ts'
import { urnString } from '../../../../../../protocol/encoding/urn.ts'
import { funded, placed, signed, threadOf } from '../../../trading.ts'
import {
  appealed,
  assignedReview,
  decidedDispute,
  deliveredOrder,
  disabledWebhook,
  finalOrder,
  finishedExport,
  flaggedReview,
  freshAgent,
  handedIn,
  handedWallet,
  inFull,
  invited,
  invitedByEmail,
  issuedTicket,
  joined,
  type Naming,
  newAddress,
  newBid,
  newOrg,
  newQuote,
  newWallet,
  newWebhook,
  openedDispute,
  ownAsk,
  ownExport,
  ownPayout,
  ownToken,
  parkedRefund,
  placedOrder,
  proposal,
  quoteOn,
  rated,
  receiptOf,
  rejectedOrder,
  reviewedDelivery,
  reviewedFile,
  sealedMessage,
  signedSettlement,
  signedUp,
  signedVerdict,
  stating,
  unexplainedStop,
  upload,
  type World,
} from './things.ts'
import { WORKSPACE_RULES } from './workspaceRules.ts'

/** Who may make a call that names something, and what each other is answered. */
export interface Rule {
  /** What is named, new for each call that may go well, and whose side of it the owner is. */
  name: (world: World) => Promise<Naming>
  owner: 'buyer' | 'seller' | 'buyerHuman' | 'operator'
  /** What its owner is answered when all is well. */
  ok: number
  /** What the other party is answered: a status, and its problem where it is one. */
  counterparty: Answered
  /** Where somebody else's is not the uniform 404. */
  stranger?: Answered
  /** Where a name of nothing is not the uniform 404: it is no secret that it is not the caller's. */
  nothing?: Answered
  version?: string
}

export interface Answered {
  status: number
  problem?: string
}

/** A PNG of one pixel. */
export const PIXEL =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAACXBIWXMAAAPoAAAD6AG1e1JrAAAADElEQVQImWPo6OgAAAM0AZmUse0HAAAAAElFTkSuQmCC'
const ok = { status: 200 }
const created = { status: 201 }
const forbidden = { status: 403, problem: 'auth/forbidden' }
const notFound = { status: 404, problem: 'resource/not-found' }
const conflict = { status: 409, problem: 'orders/state-conflict' }
/** By operation: every one that names something in its path or its body has a rule. */
export const RULES: Readonly<Record<string, Rule>> = {
  ...WORKSPACE_RULES,
  getAsk: { name: ownAsk, owner: 'seller', ok: 200, counterparty: ok, stranger: ok },
  listAgentAsks: {
    name: async ({ seller }) => ({ urn: urnString('agent', seller.agentId) }),
    owner: 'seller',
    ok: 200,
    counterparty: ok,
    stranger: ok,
  },
  listAskVersions: { name: ownAsk, owner: 'seller', ok: 200, counterparty: ok, stranger: ok },
  getAskVersion: { name: ownAsk, owner: 'seller', ok: 200, counterparty: ok, stranger: ok },
  getBid: { name: newBid, owner: 'buyer', ok: 200, counterparty: ok, stranger: ok },
  closeBid: { name: newBid, owner: 'buyer', ok: 200, counterparty: forbidden, stranger: forbidden },
  createQuote: {
    name: async (world) => ({ body: await quoteOn(world) }),
    owner: 'seller',
    ok: 201,
    counterparty: { status: 422, problem: 'orders/own-ask' },
    stranger: created,
  },
  getQuote: { name: newQuote, owner: 'seller', ok: 200, counterparty: ok },
  withdrawQuote: { name: newQuote, owner: 'seller', ok: 200, counterparty: forbidden },
  reviseAsk: {
    name: async (world) => ({ ...(await ownAsk(world)), body: inFull }),
    owner: 'seller',
    ok: 200,
    counterparty: forbidden,
    stranger: forbidden,
  },
  placeOrder: {
    name: async (world) => ({ body: { ask_urn: (await ownAsk(world)).urn } }),
    owner: 'buyer',
    ok: 402,
    counterparty: { status: 422, problem: 'orders/own-ask' },
    stranger: { status: 402 },
  },
  getAgent: {
    name: async ({ seller }) => ({ urn: urnString('agent', seller.agentId) }),
    owner: 'buyer',
    ok: 200,
    counterparty: ok,
    stranger: ok,
  },
  getOrderTimeline: { name: placedOrder, owner: 'buyer', ok: 200, counterparty: ok },
  getOrder: { name: placedOrder, owner: 'buyer', ok: 200, counterparty: ok },
  fundOrder: {
    name: async ({ market, buyer, seller }) => {
      const order = await placed(buyer, seller, 'custodied')
      return { urn: order.urn, body: { signed_authorization: await signed(market, order) } }
    },
    owner: 'buyer',
    ok: 202,
    counterparty: forbidden,
  },
  acceptOrder: {
    name: async (world) => ({ urn: (await deliveredOrder(world)).urn }),
    owner: 'buyer',
    ok: 200,
    counterparty: forbidden,
  },
  rejectOrder: {
    name: async (world) => ({ urn: (await deliveredOrder(world)).urn, body: { reason: 'Two lines are missing.' } }),
    owner: 'buyer',
    ok: 200,
    counterparty: forbidden,
  },
  signSettlement: {
    name: signedSettlement,
    owner: 'buyer',
    ok: 200,
    counterparty: { status: 422, problem: 'settlements/invalid' },
  },
  cancelOrder: {
    name: async (world) => ({
      urn: (await funded(world.market, await placed(world.buyer, world.seller, 'custodied'))).urn,
      body: { reason_code: 'other' },
    }),
    owner: 'seller',
    ok: 200,
    counterparty: conflict,
  },
  listMessages: {
    name: async (world) => ({ urn: await threadOf(await deliveredOrder(world)) }),
    owner: 'buyer',
    ok: 200,
    counterparty: ok,
  },
  postMessage: {
    name: async (world) => ({
      body: { thread_urn: await threadOf(await deliveredOrder(world)), kind: 'text', body: 'x' },
    }),
    owner: 'buyer',
    ok: 201,
    counterparty: created,
  },
  getReceipt: {
    name: async (world) => ({ urn: await receiptOf(world) }),
    owner: 'buyer',
    ok: 200,
    counterparty: ok,
    stranger: ok,
  },
  signReceipt: {
    name: async (world) => ({ urn: await receiptOf(world), body: { accept: true } }),
    owner: 'buyer',
    ok: 200,
    counterparty: forbidden,
    version: '2026-05-05',
  },
  openDispute: {
    name: async (world) => {
      const order = await rejectedOrder(world)
      const opener_urn = urnString('agent', world.buyer.agentId)
      return { body: { order_urn: order.urn, opener_urn, claim: 'Two lines are missing.' } }
    },
    owner: 'buyer',
    ok: 201,
    counterparty: forbidden,
  },
  getDispute: { name: openedDispute, owner: 'buyer', ok: 200, counterparty: ok },
  respondToDispute: {
    name: async (world) => ({ ...(await openedDispute(world)), body: { response: 'All lines are there.' } }),
    owner: 'seller',
    ok: 200,
    counterparty: forbidden,
  },
  submitEvidence: {
    name: async (world) => ({ ...(await openedDispute(world)), body: { evidence: [] } }),
    owner: 'buyer',
    ok: 200,
    counterparty: ok,
  },
  handInEvidence: {
    name: async (world) => ({
      ...(await openedDispute(world)),
      query: `?sha256=${sha256Hex('work')}`,
      raw: 'work',
      headers: { 'content-type': 'application/octet-stream' },
    }),
    owner: 'buyer',
    ok: 201,
    counterparty: created,
  },
  getEvidence: { name: handedIn, owner: 'buyer', ok: 200, counterparty: ok },
  declareReady: { name: openedDispute, owner: 'buyer', ok: 200, counterparty: ok },
  appealVerdict: { name: decidedDispute, owner: 'buyer', ok: 402, counterparty: { status: 402 } },
  fundAppeal: {
    name: appealed,
    owner: 'buyer',
    ok: 202,
    counterparty: { status: 409, problem: 'disputes/state-conflict' },
  },
  stateAppeal: {
    name: stating,
    owner: 'buyer',
    ok: 200,
    counterparty: { status: 409, problem: 'disputes/state-conflict' },
  },
  waiveAppeal: { name: decidedDispute, owner: 'buyer', ok: 200, counterparty: ok },
  readReview: {
    name: assignedReview,
    owner: 'operator',
    ok: 200,
    counterparty: forbidden,
    stranger: forbidden,
    nothing: forbidden,
  },
  readReviewDelivery: {
    name: reviewedDelivery,
    owner: 'operator',
    ok: 200,
    counterparty: forbidden,
    stranger: forbidden,
    nothing: forbidden,
  },
  readReviewFile: {
    name: reviewedFile,
    owner: 'operator',
    ok: 200,
    counterparty: forbidden,
    stranger: forbidden,
    nothing: forbidden,
  },
  clearReview: {
    name: async (world) => ({ ...(await flaggedReview(world)), body: { hostile: true } }),
    owner: 'operator',
    ok: 200,
    counterparty: forbidden,
    stranger: forbidden,
    nothing: forbidden,
  },
  decideReview: {
    name: async (world) => ({
      ...(await assignedReview(world)),
      body: { refund: '5.000000', grounds: 'Two lines of forty-two are missing.' },
    }),
    owner: 'operator',
    ok: 200,
    counterparty: forbidden,
    stranger: forbidden,
    nothing: forbidden,
  },
  rateOrder: {
    name: async (world) => ({ body: { order_urn: (await finalOrder(world)).urn, rating: 5 } }),
    owner: 'buyer',
    ok: 201,
    counterparty: forbidden,
  },
  getRating: { name: rated, owner: 'buyer', ok: 200, counterparty: ok, stranger: ok },
  replyToRating: {
    name: async (world) => ({ ...(await rated(world)), body: { reply: 'Thank you.' } }),
    owner: 'seller',
    ok: 200,
    counterparty: forbidden,
    stranger: forbidden,
  },
  getReputation: {
    name: async ({ seller }) => ({ urn: urnString('agent', seller.agentId) }),
    owner: 'seller',
    ok: 200,
    counterparty: ok,
    stranger: ok,
  },
  queryReputation: {
    name: async ({ seller }) => ({ body: { subject_urn: urnString('agent', seller.agentId), conditions: {} } }),
    owner: 'seller',
    ok: 200,
    counterparty: ok,
    stranger: ok,
  },
  getVerdict: { name: signedVerdict, owner: 'buyer', ok: 200, counterparty: ok },
  verifyVerdict: { name: signedVerdict, owner: 'buyer', ok: 200, counterparty: ok },
  rotateToken: { name: ownToken, owner: 'buyer', ok: 201, counterparty: notFound },
  revokeToken: { name: ownToken, owner: 'buyer', ok: 204, counterparty: notFound },
  changeAgent: {
    name: async (world) => ({ ...(await freshAgent(world)), body: { display_name: 'Renamed' } }),
    owner: 'buyerHuman',
    ok: 200,
    counterparty: notFound,
  },
  setPicture: {
    name: async (world) => ({
      ...(await freshAgent(world)),
      raw: Buffer.from(PIXEL, 'base64'),
      headers: { 'content-type': 'application/octet-stream' },
    }),
    owner: 'buyerHuman',
    ok: 200,
    counterparty: notFound,
  },
  removePicture: { name: freshAgent, owner: 'buyerHuman', ok: 204, counterparty: notFound },
  deactivateAgent: { name: freshAgent, owner: 'buyerHuman', ok: 200, counterparty: notFound },
  issueTicket: {
    name: async (world) => ({ ...(await freshAgent(world)), body: { scopes: ['read'] } }),
    owner: 'buyerHuman',
    ok: 201,
    counterparty: notFound,
  },
  revokeTicket: { name: issuedTicket, owner: 'buyerHuman', ok: 204, counterparty: notFound },
  issueEnrolment: {
    name: async ({ market: { api } }) => {
      const body = { display_name: 'Newcomer', email: 'newcomer@example.com' }
      const made = await api.send('POST', '/v1/accounts/humans', { token: api.first.operator_token, body })
      return { urn: urnString('human', made.body.urn.body) }
    },
    owner: 'operator',
    ok: 201,
    counterparty: notFound,
  },
  choosePayoutWallet: { name: newWallet, owner: 'buyer', ok: 200, counterparty: notFound },
  handOverWallet: { name: handedWallet, owner: 'buyer', ok: 200, counterparty: notFound },
  removeWallet: { name: newWallet, owner: 'buyer', ok: 204, counterparty: notFound },
  renamePasskey: {
    name: async (world) => ({ urn: (await signedUp(world)).passkey, body: { name: 'Key' } }),
    owner: 'buyerHuman',
    ok: 200,
    counterparty: notFound,
  },
  removePasskey: {
    name: async (world) => {
      await signedUp(world)
      return { urn: (await signedUp(world)).passkey }
    },
    owner: 'buyerHuman',
    ok: 204,
    counterparty: notFound,
  },
  revokeSession: {
    name: async (world) => ({ urn: (await signedUp(world)).session }),
    owner: 'buyerHuman',
    ok: 204,
    counterparty: notFound,
  },
  getOrg: { name: newOrg, owner: 'buyerHuman', ok: 200, counterparty: notFound },
  renameOrg: {
    name: async (world) => ({ ...(await newOrg(world)), body: { display_name: 'Renamed' } }),
    owner: 'buyerHuman',
    ok: 200,
    counterparty: notFound,
  },
  deleteOrg: { name: newOrg, owner: 'buyerHuman', ok: 204, counterparty: notFound },
  listOrgMembers: { name: newOrg, owner: 'buyerHuman', ok: 200, counterparty: notFound },
  listOrgInvitations: { name: newOrg, owner: 'buyerHuman', ok: 200, counterparty: notFound },
  inviteOrgMember: {
    name: async (world) => ({
      ...(await newOrg(world)),
      body: { human_urn: urnString('human', world.stranger.humanId), role: 'member' },
    }),
    owner: 'buyerHuman',
    ok: 201,
    counterparty: notFound,
  },
  listEmailInvitations: { name: newOrg, owner: 'buyerHuman', ok: 200, counterparty: notFound },
  inviteByEmail: {
    name: async (world) => ({ ...(await newOrg(world)), body: { email: newAddress(), role: 'member' } }),
    owner: 'buyerHuman',
    ok: 201,
    counterparty: notFound,
  },
  withdrawEmailInvitation: {
    name: async (world) => {
      const { invitation, org } = await invitedByEmail(world)
      return { ...org, path: { id: invitation.id } }
    },
    owner: 'buyerHuman',
    ok: 204,
    counterparty: notFound,
  },
  withdrawOrgInvitation: { name: invited, owner: 'buyerHuman', ok: 204, counterparty: notFound },
  changeOrgRole: {
    name: async (world) => ({ ...(await joined(world)), body: { role: 'admin' } }),
    owner: 'buyerHuman',
    ok: 200,
    counterparty: notFound,
  },
  removeOrgMember: { name: joined, owner: 'buyerHuman', ok: 204, counterparty: notFound },
  joinOrg: {
    name: async (world) => {
      const { market, buyer, seller } = world
      const { urn } = await newOrg(world, seller)
      const body = { human_urn: urnString('human', buyer.humanId), role: 'member' }
      await market.api.send('POST', `/v1/me/orgs/${urn}/invitations`, { token: seller.humanToken, body })
      return { urn }
    },
    owner: 'buyerHuman',
    ok: 200,
    counterparty: notFound,
  },
  getExport: { name: ownExport, owner: 'buyerHuman', ok: 200, counterparty: notFound },
  // The file is at the end of the link that it answers with.
  downloadExport: { name: finishedExport, owner: 'buyerHuman', ok: 302, counterparty: notFound },
  readOrderMoney: { name: placedOrder, owner: 'buyer', ok: 200, counterparty: ok },
  getPayout: { name: ownPayout, owner: 'seller', ok: 200, counterparty: notFound },
  reopenPayout: { name: parkedRefund, owner: 'buyerHuman', ok: 200, counterparty: notFound },
  explainPayoutStop: {
    name: unexplainedStop,
    owner: 'operator',
    ok: 200,
    counterparty: forbidden,
    stranger: forbidden,
    nothing: forbidden,
  },
  getWebhook: { name: newWebhook, owner: 'buyer', ok: 200, counterparty: notFound },
  updateWebhook: {
    name: async (world) => ({ ...(await newWebhook(world)), body: { event_types: ['*'] } }),
    owner: 'buyer',
    ok: 200,
    counterparty: notFound,
  },
  deleteWebhook: { name: newWebhook, owner: 'buyer', ok: 204, counterparty: notFound },
  rotateWebhookSecret: { name: newWebhook, owner: 'buyer', ok: 201, counterparty: notFound },
  testWebhook: { name: newWebhook, owner: 'buyer', ok: 202, counterparty: notFound },
  listWebhookDeliveries: { name: newWebhook, owner: 'buyer', ok: 200, counterparty: notFound },
  getWebhookDelivery: { name: newWebhook, owner: 'buyer', ok: 200, counterparty: notFound },
  replayWebhookDelivery: { name: newWebhook, owner: 'buyer', ok: 202, counterparty: notFound },
  recoverWebhook: {
    name: async (world) => ({ ...(await newWebhook(world)), body: { since: '2026-06-01T12:00:00Z' } }),
    owner: 'buyer',
    ok: 202,
    counterparty: notFound,
  },
  readPerson: {
    name: async ({ buyer }) => ({ urn: urnString('human', buyer.humanId) }),
    owner: 'operator',
    ok: 200,
    counterparty: forbidden,
    stranger: forbidden,
    nothing: forbidden,
  },
  disableWebhook: {
    name: newWebhook,
    owner: 'operator',
    ok: 200,
    counterparty: forbidden,
    stranger: forbidden,
    nothing: forbidden,
  },
  enableWebhook: {
    name: disabledWebhook,
    owner: 'operator',
    ok: 200,
    counterparty: forbidden,
    stranger: forbidden,
    nothing: forbidden,
  },
  listAnyWebhookDeliveries: {
    name: newWebhook,
    owner: 'operator',
    ok: 200,
    counterparty: forbidden,
    stranger: forbidden,
    nothing: forbidden,
  },
  getAnyWebhookDelivery: {
    name: newWebhook,
    owner: 'operator',
    ok: 200,
    counterparty: forbidden,
    stranger: forbidden,
    nothing: forbidden,
  },
  replayAnyWebhookDelivery: {
    name: newWebhook,
    owner: 'operator',
    ok: 202,
    counterparty: forbidden,
    stranger: forbidden,
    nothing: forbidden,
  },
  getThread: {
    name: async (world) => ({ urn: await threadOf(await deliveredOrder(world)) }),
    owner: 'buyer',
    ok: 200,
    counterparty: ok,
  },
  verifyReceipt: {
    name: async (world) => ({ urn: await receiptOf(world) }),
    owner: 'buyer',
    ok: 200,
    counterparty: ok,
    stranger: ok,
  },
  discloseMessage: { name: sealedMessage, owner: 'buyer', ok: 200, counterparty: ok },
  acceptMessage: {
    name: async (world) => {
      const { urn, sha256 } = await proposal(world)
      return { urn, body: { sha256 } }
    },
    owner: 'buyer',
    ok: 200,
    counterparty: forbidden,
  },
  getDelivery: { name: upload, owner: 'buyer', ok: 200, counterparty: ok },
  getAgentKeys: {
    name: async ({ seller }) => ({ urn: urnString('agent', seller.agentId) }),
    owner: 'seller',
    ok: 200,
    counterparty: ok,
    stranger: ok,
  },
  mintToken: {
    name: async ({ buyer }) => ({ body: { owner_urn: urnString('agent', buyer.agentId), scopes: ['read'] } }),
    owner: 'buyerHuman',
    ok: 201,
    counterparty: forbidden,
    stranger: forbidden,
    nothing: forbidden,
  },
  setSpendLimit: {
    name: async ({ buyer, market }) => {
      const body = { owner_urn: urnString('agent', buyer.agentId), scopes: ['read'] }
      const minted = await market.api.send('POST', '/v1/me/tokens', { token: buyer.humanToken, body })
      return { urn: urnString('token', minted.body.urn.body), body: { per_order: null, per_day: '20.000000' } }
    },
    owner: 'buyerHuman',
    ok: 200,
    counterparty: notFound,
  },
  createAgent: {
    name: async ({ buyer }) => ({ body: { owner_urn: urnString('human', buyer.humanId), display_name: 'Agent' } }),
    owner: 'buyerHuman',
    ok: 201,
    counterparty: forbidden,
    stranger: forbidden,
    nothing: forbidden,
  },
}
