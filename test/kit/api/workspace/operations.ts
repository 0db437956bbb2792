import { expect } from 'chai'
import { strToU8, zipSync } from 'fflate'
import { pino } from 'pino'
import { openRpc } from '../../../../api/payments/chain/nodes.ts'
import type { JobServices } from '../../../../api/platform/jobs/services.ts'
import { runImports } from '../../../../api/workspace/imports/run.ts'
import { expireLeases } from '../../../../api/workspace/tasks/leases.ts'
import { type Account, newAgent, newHuman } from '../identity/accounts/owners.ts'
import type { ReplyBody } from '../platform/http/api.ts'
import { passTime } from '../trading.ts'
import { invite, join } from './joining.ts'
import type { Workspace } from './world.ts'

/** The org in which the operations are performed, a second member, and the webhook that is told. */
export interface Scene {
  world: Workspace
  bob: Account
  hook: string
}

/** Performs what a type of event is about, and returns the id of the thing that it happened to. */
type Operation = (scene: Scene) => Promise<string>

const ok = async ({ world }: Scene, method: string, path: string, body?: object, by?: Account): Promise<ReplyBody> => {
  const reply = await world.call(method, path, by, body)
  expect(reply.status, `${method} ${path}: ${JSON.stringify(reply.body)}`).to.be.within(200, 299)
  return reply.body
}

/** The id of what a POST made. */
const made = async (scene: Scene, path: string, body: object, by?: Account) =>
  String((await ok(scene, 'POST', path, body, by)).id)

const newSpace = (scene: Scene) => made(scene, '/spaces', { name: 'Plans' })
const newTask = (scene: Scene) => made(scene, '/tasks', { space: scene.world.page.space_id, title: 'Verse' })
const newView = (scene: Scene) => made(scene, '/views', { name: 'Mine', query: 'assignee=me' })
const newComment = (scene: Scene) => made(scene, '/comments', { page: scene.world.page.id, text: 'Why?' })
const newPage = async ({ world }: Scene) => (await world.newPage('one')).id
const newAttachment = async ({ world }: Scene) => (await world.attach(await world.newPage(), 'Forty-two.')).id

/**
 * A thing of its own, and steps on it, one after another: the method, what follows its path, and the body.
 */
type Step = readonly [method: string, at: string, body?: object | undefined, by?: 'bob']

function on(kind: string, make: (scene: Scene) => Promise<string>, ...steps: Step[]): Operation {
  return async (scene) => {
    const id = await make(scene)
    for (const [method, at, body, by] of steps)
      await ok(scene, method, `/${kind}/${id}${at}`, body, by === 'bob' ? scene.bob : undefined)
    return id
  }
}

const task = (...steps: Step[]) => on('tasks', newTask, ...steps)
const page = (...steps: Step[]) => on('pages', newPage, ...steps)
const comment = (...steps: Step[]) => on('comments', newComment, ...steps)
const attachment = (...steps: Step[]) => on('attachments', newAttachment, ...steps)
const CLAIM: Step = ['POST', '/claim', {}, 'bob']
const SUBMIT: Step = ['POST', '/submit', {}, 'bob']

const servicesOf = ({ world: { api } }: Scene): JobServices => ({
  ...{ db: api.db, settings: api.settings, rpc: openRpc('http://127.0.0.1:9'), log: pino({ level: 'silent' }) },
})

const newImport = async (scene: Scene) => {
  const archive = Buffer.from(zipSync({ 'verse.md': strToU8('# Verse') }))
  const { id } = await scene.world.attach(await scene.world.newPage(), archive, 'verse.zip')
  return made(scene, '/imports', { attachment: id, space: scene.world.page.space_id })
}
const finishedImport = async (scene: Scene) => {
  const id = await newImport(scene)
  await runImports(servicesOf(scene))
  return id
}

/** A member who came, and what is done to them at their path. */
function member(method?: string, body?: object): Operation {
  return async ({ world }) => {
    const carol = await newHuman(world.api, 'Carol')
    const org = await join(world, carol)
    const path = `/v1/me/orgs/${org}/members/${carol.urn}`
    if (method) await world.api.send(method, path, { token: world.ada.token, ...(body ? { body } : {}) })
    return carol.id
  }
}

function agent(...steps: string[]): Operation {
  return async (scene) => {
    const own = await newAgent(scene.world.api, scene.bob)
    await ok(scene, 'POST', '/agents', { agent_urn: own.urn }, scene.bob)
    for (const step of steps) await ok(scene, 'POST', `/agents/${own.urn}/${step}`)
    return own.id
  }
}

/** A human who is invited, and whose invitation is withdrawn. */
const invitation =
  ({ isWithdrawn }: { isWithdrawn: boolean }): Operation =>
  async ({ world }) => {
    const dora = await newHuman(world.api, 'Dora')
    const org = await invite(world, dora)
    const path = `/v1/me/orgs/${org}/invitations/${dora.urn}`
    if (isWithdrawn) await world.api.send('DELETE', path, { token: world.ada.token })
    return dora.id
  }

/** Each type of event of the workspace's specification (6.1), and an operation that emits it. */
export const OPERATIONS: Readonly<Record<string, Operation>> = {
  'task.created': task(),
  'task.updated': task(['PATCH', '', { title: 'Prose' }]),
  'task.state_changed': task(CLAIM),
  'task.claimed': task(CLAIM),
  'task.released': task(CLAIM, ['POST', '/release', undefined, 'bob']),
  'task.claim_stale': async (scene) => {
    const id = await task(['POST', '/claim', { lease_seconds: 1 }, 'bob'])(scene)
    await passTime(scene.world.api, 2)
    await expireLeases(servicesOf(scene))
    return id
  },
  'task.submitted': task(CLAIM, SUBMIT),
  'task.approved': task(CLAIM, SUBMIT, ['POST', '/approve']),
  'task.rejected': task(CLAIM, SUBMIT, ['POST', '/reject', { reason: 'Two lines are missing.' }]),
  'task.completed': task(CLAIM, SUBMIT, ['POST', '/approve']),
  'task.refiled': task(['POST', '/archive'], ['POST', '/refile']),
  'task.archived': task(['POST', '/archive']),
  'page.created': page(),
  'page.updated': page(['PATCH', '', { text: 'two' }]),
  'page.moved': async (scene) => {
    const id = await newPage(scene)
    await ok(scene, 'POST', `/pages/${id}/move`, { parent: await newPage(scene) })
    return id
  },
  'page.deleted': page(['DELETE', '']),
  'page.restored': page(['DELETE', ''], ['POST', '/restore']),
  'page.purged': async (scene) => {
    const id = await newPage(scene)
    await ok(scene, 'DELETE', `/pages/${id}`)
    await ok(scene, 'POST', '/trash/empty')
    return id
  },
  'page.published': page(['POST', '/publish']),
  'comment.created': comment(),
  'comment.updated': comment(['PATCH', '', { text: 'Why not?' }]),
  'comment.resolved': comment(['POST', '/resolve']),
  'comment.reopened': comment(['POST', '/resolve'], ['POST', '/reopen']),
  'comment.deleted': comment(['DELETE', '']),
  'attachment.created': attachment(),
  'attachment.updated': attachment(['PATCH', '', { filename: 'prose.txt' }]),
  'attachment.deleted': attachment(['DELETE', '']),
  'attachment.restored': attachment(['DELETE', ''], ['POST', '/restore']),
  'attachment.purged': attachment(['DELETE', ''], ['POST', '/purge']),
  'invitation.created': invitation({ isWithdrawn: false }),
  'invitation.ended': invitation({ isWithdrawn: true }),
  'member.added': member(),
  'member.removed': member('DELETE'),
  'member.role_changed': member('PATCH', { role: 'admin' }),
  'agent.created': agent(),
  'agent.paused': agent('pause'),
  'agent.resumed': agent('pause', 'resume'),
  'agent.revoked': agent('revoke'),
  'agent.kill_switch': async (scene) => {
    for (const engaged of [true, false]) await ok(scene, 'PUT', '/kill-switch', { engaged })
    const { slug } = scene.world
    const org = scene.world.api.db.selectFrom('market.orgs').select('id').where('slug', '=', slug)
    return (await org.executeTakeFirstOrThrow()).id
  },
  'decision.recorded': (scene) => made(scene, '/decisions', { space: scene.world.page.space_id, title: 'Verse' }),
  'secret.revealed': on('secrets', (scene) => made(scene, '/secrets', { name: 'KEY', value: 'horse' }), [
    'POST',
    '/reveal',
    {},
  ]),
  'import.started': newImport,
  'import.finished': finishedImport,
  'import.undone': on('imports', finishedImport, ['POST', '/undo', {}]),
  'space.created': newSpace,
  'space.updated': on('spaces', newSpace, ['PATCH', '', { name: 'Verse' }]),
  'space.deleted': on('spaces', newSpace, ['DELETE', '']),
  'view.created': newView,
  'view.deleted': on('views', newView, ['DELETE', '']),
  'webhook.test': async (scene) => {
    await ok(scene, 'POST', `/webhooks/${scene.hook}/test`)
    return scene.hook
  },
}
