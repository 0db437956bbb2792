import { createECDH, randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { urnString } from '../../../../../../protocol/encoding/urn.ts'
import { funded, placed } from '../../../trading.ts'
import type { Rule } from './rules.ts'
import type { Naming, World } from './things.ts'

const BOUNDARY = 'boundary-of-the-form'
const SECRET = { name: 'API_KEY', value: 'correct horse' }
const TUS = { 'tus-resumable': '1.0.0' }
const HOOK = { url: 'https://example.com/hook', events: ['*'] }
/** A device of its own: no two have an endpoint or a key in common. */
const newDevice = () => {
  const keys = createECDH('prime256v1')
  const auth = 'BTBZMqHH6r4Tts7J_aSIgg'
  const endpoint = `https://push.example.com/${randomUUID()}`
  return { body: { endpoint, keys: { p256dh: keys.generateKeys('base64url'), auth } } }
}
const PLACED = { owner: 'buyer', counterparty: { status: 404, problem: 'resource/not-found' } } as const
const FORBIDDEN = { status: 403, problem: 'auth/forbidden' }
const TO_OPERATORS = { owner: 'operator', counterparty: FORBIDDEN, stranger: FORBIDDEN, nothing: FORBIDDEN } as const
const TO_PEOPLE = { ...PLACED, owner: 'buyerHuman' } as const

/**
 * The rules of what names something of the workspace: an org is its members', and to others as if it were not
 * there.
 */
export const WORKSPACE_RULES: Readonly<Record<string, Rule>> = {
  createSpace: { ...PLACED, name: async (world) => ({ path: await inOrg(world), body: { name: 'Plans' } }), ok: 201 },
  listSpaces: { ...PLACED, name: async (world) => ({ path: await inOrg(world) }), ok: 200 },
  getSpace: { ...PLACED, name: async (world) => ({ path: await namedSpace(world) }), ok: 200 },
  updateSpace: {
    ...TO_PEOPLE,
    name: async (world) => ({ path: await namedSpace(world), body: { archived: true } }),
    ok: 200,
  },
  deleteSpace: { ...TO_PEOPLE, name: async (world) => ({ path: await namedSpace(world) }), ok: 204 },
  listSpaceMembers: { ...PLACED, name: async (world) => ({ path: await namedSpace(world) }), ok: 200 },
  addSpaceMember: { ...TO_PEOPLE, name: async (world) => ({ path: await ownIn(world) }), ok: 204 },
  removeSpaceMember: {
    ...TO_PEOPLE,
    name: async (world) => {
      const path = await ownIn(world)
      const request = { token: world.buyer.humanToken }
      await world.market.api.send('PUT', `/orgs/${path.org}/spaces/${path.ref}/members/${path.human_urn}`, request)
      return { path }
    },
    ok: 204,
  },
  addOrgAgent: {
    ...TO_PEOPLE,
    name: async (world) => ({ path: await inOrg(world), body: { agent_urn: agentOf(world) } }),
    ok: 201,
  },
  listOrgAgents: { ...PLACED, name: async (world) => ({ path: await inOrg(world) }), ok: 200 },
  pauseOrgAgent: {
    ...TO_PEOPLE,
    name: async (world) => ({ path: { ...(await inOrg(world)), agent_urn: agentOf(world) } }),
    ok: 200,
  },
  resumeOrgAgent: {
    ...TO_PEOPLE,
    name: async (world) => {
      const path = { ...(await inOrg(world)), agent_urn: agentOf(world) }
      const request = { token: world.buyer.humanToken }
      await world.market.api.send('POST', `/orgs/${path.org}/agents/${path.agent_urn}/pause`, request)
      return { path }
    },
    ok: 200,
  },
  revokeOrgAgent: {
    ...TO_PEOPLE,
    name: async (world) => ({ path: { ...(await inOrg(world)), agent_urn: agentOf(world) } }),
    ok: 200,
  },
  getKillSwitch: { ...TO_PEOPLE, name: async (world) => ({ path: await inOrg(world) }), ok: 200 },
  setKillSwitch: {
    ...TO_PEOPLE,
    name: async (world) => ({ path: await inOrg(world), body: { engaged: true } }),
    ok: 200,
  },
  createTask: {
    ...PLACED,
    name: async (world) => {
      const { org, space } = await withSpace(world)
      return { path: { org }, body: { space, title: 'Verse' } }
    },
    ok: 201,
  },
  listTasks: { ...PLACED, name: async (world) => ({ path: await inOrg(world) }), ok: 200 },
  getTask: { ...PLACED, name: async (world) => ({ path: await withTask(world) }), ok: 200 },
  getOrderTask: {
    owner: 'seller',
    counterparty: { status: 200 },
    name: async (world) => {
      const order = await funded(world.market, await placed(world.buyer, world.seller, 'custodied'))
      const { ref } = await withTask(world)
      const claimed = {
        state: 'claimed',
        order_id: order.id,
        claimed_by: urnString('agent', world.seller.agentId),
      } as const
      await world.market.api.db.updateTable('market.tasks').set(claimed).where('short_id', '=', ref).execute()
      return { urn: order.urn }
    },
    ok: 200,
  },
  updateTask: { ...PLACED, name: async (world) => ({ path: await withTask(world), body: { title: 'New' } }), ok: 200 },
  createView: {
    ...PLACED,
    name: async (world) => ({ path: await inOrg(world), body: { name: 'Mine', query: 'assignee=me' } }),
    ok: 201,
  },
  listViews: { ...PLACED, name: async (world) => ({ path: await inOrg(world) }), ok: 200 },
  deleteView: { ...PLACED, name: async (world) => ({ path: await withView(world) }), ok: 204 },
  addTaskFile: { ...PLACED, name: async (world) => ({ path: await withTaskFile(world) }), ok: 200 },
  removeTaskFile: { ...PLACED, name: async (world) => ({ path: await withTaskFile(world) }), ok: 200 },
  claimTask: { ...PLACED, name: async (world) => ({ path: await withTask(world), body: {} }), ok: 200 },
  releaseTask: { ...PLACED, name: async (world) => ({ path: await withTask(world, 'claimed') }), ok: 200 },
  submitTask: { ...PLACED, name: async (world) => ({ path: await withTask(world, 'claimed'), body: {} }), ok: 200 },
  approveTask: {
    ...TO_PEOPLE,
    name: async (world) => ({ path: await withTask(world, 'submitted') }),
    ok: 200,
  },
  rejectTask: {
    ...TO_PEOPLE,
    name: async (world) => ({ path: await withTask(world, 'submitted'), body: { reason: 'Two are missing.' } }),
    ok: 200,
  },
  refileTask: { ...PLACED, name: async (world) => ({ path: await withTask(world, 'approved') }), ok: 200 },
  archiveTask: { ...PLACED, name: async (world) => ({ path: await withTask(world) }), ok: 200 },
  offerTask: {
    ...PLACED,
    name: async (world) => ({ path: await withTask(world), body: { max_price: '20.000000' } }),
    ok: 200,
  },
  withdrawTaskOffer: {
    ...PLACED,
    name: async (world) => {
      const path = await withTask(world)
      await send(world, 'POST', `/orgs/${path.org}/tasks/${path.ref}/offer`, { body: { max_price: '20.000000' } })
      return { path }
    },
    ok: 200,
  },
  createComment: {
    ...PLACED,
    name: async (world) => {
      const { org, ref } = await withPage(world)
      return { path: { org }, body: { page: ref, text: 'Why?' } }
    },
    ok: 201,
  },
  listComments: { ...PLACED, name: async (world) => ({ path: await inOrg(world) }), ok: 200 },
  getComment: { ...PLACED, name: async (world) => ({ path: await withComment(world) }), ok: 200 },
  editComment: {
    ...PLACED,
    name: async (world) => ({ path: await withComment(world), body: { text: 'So' } }),
    ok: 200,
  },
  deleteComment: { ...PLACED, name: async (world) => ({ path: await withComment(world) }), ok: 200 },
  resolveComment: { ...PLACED, name: async (world) => ({ path: await withComment(world) }), ok: 200 },
  reopenComment: {
    ...PLACED,
    name: async (world) => {
      const path = await withComment(world)
      await send(world, 'POST', `/orgs/${path.org}/comments/${path.ref}/resolve`)
      return { path }
    },
    ok: 200,
  },
  recordDecision: {
    ...PLACED,
    name: async (world) => {
      const { org, space } = await withSpace(world)
      return { path: { org }, body: { space, title: 'Verse' } }
    },
    ok: 201,
  },
  listDecisions: { ...PLACED, name: async (world) => ({ path: await inOrg(world) }), ok: 200 },
  getDecision: { ...PLACED, name: async (world) => ({ path: await withDecision(world) }), ok: 200 },
  createSecret: { ...PLACED, name: async (world) => ({ path: await inOrg(world), body: SECRET }), ok: 201 },
  listSecrets: { ...PLACED, name: async (world) => ({ path: await inOrg(world) }), ok: 200 },
  getSecret: { ...PLACED, name: async (world) => ({ path: await withSecret(world) }), ok: 200 },
  replaceSecretValue: {
    ...PLACED,
    name: async (world) => ({ path: await withSecret(world), body: { value: 'new' } }),
    ok: 200,
  },
  deleteSecret: { ...PLACED, name: async (world) => ({ path: await withSecret(world) }), ok: 204 },
  revealSecret: {
    ...PLACED,
    name: async (world) => {
      const path = await withSecret(world)
      const policy = { token: world.buyer.humanToken, body: { agents_ask: false } }
      await world.market.api.send('PUT', `/orgs/${path.org}/secret-policy`, policy)
      return { path, body: {} }
    },
    ok: 200,
  },
  getSecretPolicy: { ...PLACED, name: async (world) => ({ path: await inOrg(world) }), ok: 200 },
  setSecretPolicy: {
    ...TO_PEOPLE,
    name: async (world) => ({ path: await inOrg(world), body: { agents_ask: true } }),
    ok: 200,
  },
  startImport: {
    ...PLACED,
    name: async (world) => {
      const { org, ref: attachment } = await withAttachment(world)
      const space = await firstSpace(world, org)
      return { path: { org }, body: { attachment, space } }
    },
    ok: 201,
  },
  listImports: { ...PLACED, name: async (world) => ({ path: await inOrg(world) }), ok: 200 },
  getImport: { ...PLACED, name: async (world) => ({ path: await withImport(world) }), ok: 200 },
  undoImport: {
    ...PLACED,
    name: async (world) => {
      const path = await withImport(world)
      const finished = { state: 'finished', ended_at: new Date() } as const
      const { db } = world.market.api
      await db.updateTable('market.imports').set(finished).where('short_id', '=', path.ref).execute()
      return { path, body: {} }
    },
    ok: 200,
  },
  createPage: {
    ...PLACED,
    name: async (world) => {
      const { org, space } = await withSpace(world)
      return { path: { org }, body: { space, title: 'Plan' } }
    },
    ok: 201,
  },
  listPages: { ...PLACED, name: async (world) => ({ path: await inOrg(world) }), ok: 200 },
  getPage: { ...PLACED, name: async (world) => ({ path: await withPage(world) }), ok: 200 },
  editPage: { ...PLACED, name: async (world) => ({ path: await withPage(world), body: { text: 'New' } }), ok: 200 },
  trashPage: { ...PLACED, name: async (world) => ({ path: await withPage(world) }), ok: 200 },
  restorePage: {
    ...PLACED,
    name: async (world) => {
      const path = await withPage(world)
      await send(world, 'DELETE', `/orgs/${path.org}/pages/${path.ref}`)
      return { path }
    },
    ok: 200,
  },
  movePage: { ...PLACED, name: async (world) => ({ path: await withPage(world), body: { parent: null } }), ok: 200 },
  publishPage: { ...PLACED, name: async (world) => ({ path: await withPage(world) }), ok: 200 },
  setPagePresence: {
    ...PLACED,
    name: async (world) => ({ path: await withPage(world), body: { is_editing: false } }),
    ok: 200,
  },
  endPagePresence: { ...PLACED, name: async (world) => ({ path: await withPage(world) }), ok: 204 },
  listPageVersions: { ...PLACED, name: async (world) => ({ path: await withPage(world) }), ok: 200 },
  getPageVersion: {
    ...PLACED,
    name: async (world) => ({ path: { ...(await withPage(world)), number: '1' } }),
    ok: 200,
  },
  diffPageVersions: {
    ...PLACED,
    name: async (world) => ({ path: { ...(await withPage(world)), number: '1' } }),
    ok: 200,
  },
  restorePageVersion: {
    ...PLACED,
    name: async (world) => ({ path: { ...(await withPage(world)), number: '1' } }),
    ok: 200,
  },
  createEntry: { ...PLACED, name: async (world) => ({ path: await withPage(world), body: { text: 'One' } }), ok: 201 },
  listEntries: { ...PLACED, name: async (world) => ({ path: await withPage(world) }), ok: 200 },
  getEntry: { ...PLACED, name: async (world) => ({ path: await withEntry(world) }), ok: 200 },
  editEntry: { ...PLACED, name: async (world) => ({ path: await withEntry(world), body: { text: 'Two' } }), ok: 200 },
  deleteEntry: { ...PLACED, name: async (world) => ({ path: await withEntry(world) }), ok: 204 },
  uploadAttachment: {
    ...PLACED,
    name: async (world) => {
      const { org, ref } = await withPage(world)
      return { path: { org }, ...form(ref) }
    },
    ok: 201,
  },
  listAttachments: { ...PLACED, name: async (world) => ({ path: await inOrg(world) }), ok: 200 },
  getAttachment: { ...PLACED, name: async (world) => ({ path: await withAttachment(world) }), ok: 200 },
  updateAttachment: {
    ...PLACED,
    name: async (world) => ({ path: await withAttachment(world), body: { filename: 'new.txt' } }),
    ok: 200,
  },
  trashAttachment: { ...PLACED, name: async (world) => ({ path: await withAttachment(world) }), ok: 200 },
  restoreAttachment: {
    ...PLACED,
    name: async (world) => {
      const path = await withAttachment(world)
      await send(world, 'DELETE', `/orgs/${path.org}/attachments/${path.ref}`)
      return { path }
    },
    ok: 200,
  },
  purgeAttachment: {
    ...TO_PEOPLE,
    name: async (world) => {
      const path = await withAttachment(world)
      await send(world, 'DELETE', `/orgs/${path.org}/attachments/${path.ref}`)
      return { path }
    },
    ok: 204,
  },
  replaceAttachmentContent: {
    ...PLACED,
    name: async (world) => ({
      path: await withAttachment(world),
      raw: 'new bytes',
      headers: { 'content-type': 'application/octet-stream' },
    }),
    ok: 200,
  },
  listAttachmentVersions: { ...PLACED, name: async (world) => ({ path: await withAttachment(world) }), ok: 200 },
  restoreAttachmentVersion: {
    ...PLACED,
    name: async (world) => ({ path: { ...(await withAttachment(world)), number: '1' } }),
    ok: 200,
  },
  deleteAttachmentVersion: {
    ...TO_PEOPLE,
    name: async (world) => {
      const path = await withAttachment(world)
      await send(world, 'POST', `/orgs/${path.org}/attachments/${path.ref}/versions/1/restore`)
      return { path: { ...path, number: '1' } }
    },
    ok: 204,
  },
  emptyTrash: { ...TO_PEOPLE, name: async (world) => ({ path: await inOrg(world) }), ok: 200 },
  downloadPageArchive: { ...TO_PEOPLE, name: async (world) => ({ path: await withPage(world) }), ok: 200 },
  downloadSpaceArchive: { ...TO_PEOPLE, name: async (world) => ({ path: await namedSpace(world) }), ok: 200 },
  downloadAttachment: { ...TO_PEOPLE, name: async (world) => ({ path: await withAttachment(world) }), ok: 302 },
  downloadAttachmentVersion: {
    ...TO_PEOPLE,
    name: async (world) => ({ path: { ...(await withAttachment(world)), number: '1' } }),
    ok: 302,
  },
  getUpload: { ...PLACED, name: async (world) => ({ path: await withUpload(world), headers: TUS }), ok: 200 },
  appendToUpload: {
    ...PLACED,
    name: async (world) => ({
      path: await withUpload(world),
      raw: 'abc',
      headers: { ...TUS, 'upload-offset': '0', 'content-type': 'application/offset+octet-stream' },
    }),
    ok: 204,
  },
  terminateUpload: { ...PLACED, name: async (world) => ({ path: await withUpload(world), headers: TUS }), ok: 204 },
  previewAttachment: { ...PLACED, name: async (world) => ({ path: await withPreview(world) }), ok: 302 },
  readAttachmentText: { ...PLACED, name: async (world) => ({ path: await withAttachment(world) }), ok: 200 },
  searchWorkspace: { ...PLACED, name: async (world) => ({ path: await inOrg(world), query: '?q=verse' }), ok: 200 },
  listNotifications: { ...PLACED, name: async (world) => ({ path: await inOrg(world) }), ok: 200 },
  markNotificationsRead: {
    ...PLACED,
    name: async (world) => ({ path: await inOrg(world), body: { all: true } }),
    ok: 200,
  },
  createOrgWebhook: { ...PLACED, name: async (world) => ({ path: await inOrg(world), body: HOOK }), ok: 201 },
  listOrgWebhooks: { ...PLACED, name: async (world) => ({ path: await inOrg(world) }), ok: 200 },
  getOrgWebhook: { ...PLACED, name: async (world) => ({ path: await withWebhook(world) }), ok: 200 },
  updateOrgWebhook: {
    ...PLACED,
    name: async (world) => ({ path: await withWebhook(world), body: { events: ['task.*'] } }),
    ok: 200,
  },
  deleteOrgWebhook: { ...PLACED, name: async (world) => ({ path: await withWebhook(world) }), ok: 204 },
  rotateOrgWebhookSecret: { ...PLACED, name: async (world) => ({ path: await withWebhook(world) }), ok: 201 },
  testOrgWebhook: { ...PLACED, name: async (world) => ({ path: await withWebhook(world) }), ok: 202 },
  listOrgWebhookDeliveries: { ...PLACED, name: async (world) => ({ path: await withWebhook(world) }), ok: 200 },
  getOrgWebhookDelivery: { ...PLACED, name: async (world) => ({ path: await withOrgDelivery(world) }), ok: 200 },
  replayOrgWebhookDelivery: { ...PLACED, name: async (world) => ({ path: await withSentDelivery(world) }), ok: 202 },
  recoverOrgWebhook: {
    ...PLACED,
    name: async (world) => ({ path: await withWebhook(world), body: { since: '2026-06-01T12:00:00Z' } }),
    ok: 202,
  },
  deletePushSubscription: {
    ...PLACED,
    name: async (world) => ({
      path: { id: String((await send(world, 'POST', '/me/push-subscriptions', newDevice())).id) },
    }),
    ok: 204,
  },
  askConfirmation: {
    ...PLACED,
    name: async (world) => ({ path: await inOrg(world), body: { question: 'May I?' } }),
    ok: 201,
  },
  listConfirmations: { ...PLACED, name: async (world) => ({ path: await inOrg(world) }), ok: 200 },
  getConfirmation: { ...PLACED, name: async (world) => ({ path: await withConfirmation(world) }), ok: 200 },
  answerConfirmation: {
    ...TO_PEOPLE,
    name: async (world) => ({ path: await withConfirmation(world), body: { answer: 'confirmed' } }),
    ok: 200,
  },
  releaseQuarantined: {
    ...TO_OPERATORS,
    name: async (world) => ({ path: await withInfected(world) }),
    ok: 200,
  },
  rescanQuarantined: { ...TO_OPERATORS, name: async (world) => ({ path: await withInfected(world) }), ok: 200 },
  deleteQuarantined: { ...TO_OPERATORS, name: async (world) => ({ path: await withInfected(world) }), ok: 200 },
  getStorageUsage: { ...PLACED, name: async (world) => ({ path: await inOrg(world) }), ok: 200 },
}

export async function send({ market, buyer }: World, method: string, path: string, request: Omit<Naming, 'path'> = {}) {
  return (await market.api.send(method, path, { token: buyer.token, ...request })).body
}

/** A new org of the buyer's human. */
export async function inOrg({ market, buyer }: World): Promise<{ org: string }> {
  const slug = `org-${randomUUID().slice(0, 8)}`
  await market.api.send('POST', '/v1/me/orgs', { token: buyer.humanToken, body: { slug, display_name: 'Org' } })
  return { org: slug }
}

async function withSpace(world: World) {
  const { org } = await inOrg(world)
  return { org, space: String((await send(world, 'POST', `/orgs/${org}/spaces`, { body: { name: 'Plans' } })).id) }
}

async function namedSpace(world: World) {
  const { org, space: ref } = await withSpace(world)
  return { org, ref }
}

/** The buyer's human, and a space of their org. */
async function ownIn(world: World) {
  return { ...(await namedSpace(world)), human_urn: urnString('human', world.buyer.humanId) }
}

export function agentOf({ buyer }: World): string {
  return urnString('agent', buyer.agentId)
}

export async function withPage(world: World): Promise<{ org: string; ref: string }> {
  const { org, space } = await withSpace(world)
  const page = await send(world, 'POST', `/orgs/${org}/pages`, { body: { space, title: 'Plan' } })
  return { org, ref: String(page.short_id) }
}

/** A view that the buyer's agent saved. */
async function withView(world: World) {
  const { org } = await withSpace(world)
  const { short_id } = await send(world, 'POST', `/orgs/${org}/views`, { body: { name: 'Mine', query: '' } })
  return { org, ref: String(short_id) }
}

/** A task that the buyer's agent has claimed, unless it is open. */
export async function withTask(world: World, state: 'open' | 'claimed' | 'submitted' | 'approved' = 'open') {
  const { org, space } = await withSpace(world)
  const { short_id } = await send(world, 'POST', `/orgs/${org}/tasks`, { body: { space, title: 'Verse' } })
  const ref = String(short_id)
  const claimed_by = state === 'open' ? null : agentOf(world)
  const { db } = world.market.api
  await db.updateTable('market.tasks').set({ state, claimed_by }).where('short_id', '=', ref).execute()
  return { org, ref }
}

export async function withComment(world: World) {
  const { org, ref: page } = await withPage(world)
  const made = await send(world, 'POST', `/orgs/${org}/comments`, { body: { page, text: 'Why?' } })
  return { org, ref: String(made.short_id) }
}

export async function withEntry(world: World) {
  const { org, ref } = await withPage(world)
  const made = await send(world, 'POST', `/orgs/${org}/pages/${ref}/entries`, { body: { text: 'One' } })
  return { org, ref: String(made.short_id) }
}

export async function withDecision(world: World) {
  const { org, space } = await withSpace(world)
  const made = await send(world, 'POST', `/orgs/${org}/decisions`, { body: { space, title: 'Verse' } })
  return { org, ref: String(made.short_id) }
}

export async function withSecret(world: World) {
  const { org } = await inOrg(world)
  const made = await send(world, 'POST', `/orgs/${org}/secrets`, { body: SECRET })
  return { org, ref: String(made.short_id) }
}

async function withImport(world: World) {
  const { org, ref: attachment } = await withAttachment(world)
  const body = { attachment, space: await firstSpace(world, org) }
  const made = await send(world, 'POST', `/orgs/${org}/imports`, { body })
  return { org, ref: String(made.short_id) }
}

export async function firstSpace(world: World, org: string): Promise<string> {
  const { body } = await world.market.api.send('GET', `/orgs/${org}/spaces`, { token: world.buyer.token })
  return String((body.items as { id: string }[])[0]?.id)
}

async function withTaskFile(world: World) {
  const { org, ref: attachment } = await withAttachment(world)
  const space = await firstSpace(world, org)
  const task = await send(world, 'POST', `/orgs/${org}/tasks`, { body: { space, title: 'Verse' } })
  return { org, ref: String(task.short_id), attachment }
}

export async function withAttachment(world: World): Promise<{ org: string; ref: string }> {
  const { org, ref } = await withPage(world)
  const made = await send(world, 'POST', `/orgs/${org}/attachments`, form(ref))
  return { org, ref: String(made.short_id) }
}

/** A webhook of an org of the buyer's human. */
async function withWebhook(world: World): Promise<{ org: string; id: string }> {
  const { org } = await inOrg(world)
  const { body } = await world.market.api.send('POST', `/orgs/${org}/webhooks`, {
    token: world.buyer.humanToken,
    body: HOOK,
  })
  return { org, id: String(body.id) }
}

/** A test that was sent to a webhook of the org. */
async function withOrgDelivery(world: World): Promise<{ org: string; id: string; delivery: string }> {
  const { org, id } = await withWebhook(world)
  const { body } = await world.market.api.send('POST', `/orgs/${org}/webhooks/${id}/test`, {
    token: world.buyer.humanToken,
  })
  return { org, id, delivery: String(body.id) }
}

/** A test that its receiver took. */
async function withSentDelivery(world: World): Promise<{ org: string; id: string; delivery: string }> {
  const sent = await withOrgDelivery(world)
  const { db } = world.market.api
  await db
    .updateTable('market.webhook_deliveries')
    .set({ status: 'delivered', next_attempt_at: null, finished_at: sql<Date>`market.now()` })
    .where('id', '=', sent.delivery)
    .execute()
  return sent
}

/** A question of the buyer to its human. */
async function withConfirmation(world: World): Promise<{ org: string; id: string }> {
  const { org } = await inOrg(world)
  const asked = await send(world, 'POST', `/orgs/${org}/confirmations`, { body: { question: 'May I?' } })
  return { org, id: String(asked.id) }
}

/** A file that the virus scanner found. */
async function withInfected(world: World): Promise<{ id: string }> {
  await withAttachment(world)
  const { db } = world.market.api
  await db.updateTable('market.files').set({ scan_state: 'infected' }).where('text_state', '=', 'pending').execute()
  const infected = db.selectFrom('market.files').select('id').where('scan_state', '=', 'infected')
  return infected.orderBy('id', 'desc').executeTakeFirstOrThrow()
}

/** An upload of three bytes, none of which has arrived. */
async function withUpload(world: World): Promise<{ id: string }> {
  const { org, ref } = await withPage(world)
  const metadata = Object.entries({ org, page: ref, filename: 'verse.txt' })
    .map(([key, value]) => `${key} ${Buffer.from(value).toString('base64')}`)
    .join(',')
  const headers = { ...TUS, 'upload-length': '3', 'upload-metadata': metadata }
  const made = await world.market.api.send('POST', '/uploads', { token: world.buyer.token, headers })
  return { id: String(made.headers.get('location')).slice('/uploads/'.length) }
}

/** An attachment that has a preview. */
async function withPreview(world: World): Promise<{ org: string; ref: string }> {
  const path = await withAttachment(world)
  const { db } = world.market.api
  await db.updateTable('market.files').set({ text_state: 'ready', preview_state: 'ready' }).execute()
  return path
}

/** A form that attaches a file to a page. */
export function form(page: string) {
  const part = (disposition: string, value: string) =>
    `--${BOUNDARY}\r\nContent-Disposition: form-data; ${disposition}\r\n\r\n${value}\r\n`
  const raw = `${part('name="page"', page)}${part('name="file"; filename="verse.txt"', 'Forty-two.')}--${BOUNDARY}--\r\n`
  return { raw, headers: { 'content-type': `multipart/form-data; boundary=${BOUNDARY}` } }
}
