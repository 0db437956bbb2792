import { after, before, describe, it } from 'node:test'
import { expect } from 'chai'
import { pino } from 'pino'
import { openRpc } from '../../../../api/payments/chain/nodes.ts'
import type { TaskState } from '../../../../api/platform/db/generated/tables.ts'
import type { TaskAction } from '../../../../api/workspace/tasks/internal/guards.ts'
import { type OwnTransition, taskTransitions } from '../../../../api/workspace/tasks/internal/states.ts'
import { expireLeases } from '../../../../api/workspace/tasks/leases.ts'
import type { Account } from '../../../kit/api/identity/accounts/owners.ts'
import type { Reply } from '../../../kit/api/platform/http/api.ts'
import { passTime } from '../../../kit/api/trading.ts'
import { eventsOf, newMember } from '../../../kit/api/workspace/joining.ts'
import { expectCode, startWorkspace, type Workspace } from '../../../kit/api/workspace/world.ts'

interface Task {
  id: string
  short_id: string
  state: TaskState
  may: TaskAction[]
  claimed_by: string | null
  lease_until: string | null
  result: string | null
  reason: string | null
  files: { id: string }[]
}

const STATES = Object.keys({
  open: true,
  offered: true,
  claimed: true,
  submitted: true,
  approved: true,
  rejected: true,
  archived: true,
} satisfies Record<TaskState, true>) as TaskState[]
const HAS_CLAIMANT: readonly TaskState[] = ['claimed', 'submitted', 'approved', 'rejected']
const BODIES: Partial<Record<OwnTransition, object>> = {
  claim: {},
  submit: { result: 'Done.' },
  reject: { reason: 'Two lines are missing.' },
}
// Leases expire by themselves, and an offer needs an agent: test/api/workspace/tasks/taskOrders.test.ts.
const STEPS = ['claim', 'release', 'submit', 'approve', 'reject', 'refile', 'archive'] as const

describe('a task', () => {
  let world: Workspace
  let bob: Account
  let carol: Account
  before(async () => {
    world = await startWorkspace()
    bob = await newMember(world, 'Bob')
    carol = await newMember(world, 'Carol')
  })
  after(() => world.stop())

  const taskIn = ({ status, body }: Reply, expected = 200) => {
    expect(status, JSON.stringify(body)).to.equal(expected)
    return body as unknown as Task
  }
  const file = async () =>
    taskIn(await world.call('POST', '/tasks', world.ada, { space: world.page.space_id, title: 'Write verse' }), 201)
  const step = (task: Task, name: string, by: Account, body?: object) =>
    world.call('POST', `/tasks/${task.short_id}/${name}`, by, body)
  const read = async ({ id }: Task) => taskIn(await world.call('GET', `/tasks/${id}`))
  const work = () => {
    const log = pino({ level: 'silent' })
    return expireLeases({ db: world.api.db, rpc: openRpc('http://127.0.0.1:9'), settings: world.api.settings, log })
  }

  type Who = 'author' | 'claimant' | 'other'
  type Step = (typeof STEPS)[number]

  /** Who does the work decides nothing on it, nobody else hands it in, and no other member gives it back. */
  const forbidden: Partial<Record<Step, (who: Who, hasClaimant: boolean) => boolean>> = {
    release: (who, hasClaimant) => who === 'other' || (who === 'claimant' && !hasClaimant),
    submit: (who, hasClaimant) => hasClaimant && who !== 'claimant',
    approve: (who, hasClaimant) => hasClaimant && who === 'claimant',
    reject: (who, hasClaimant) => hasClaimant && who === 'claimant',
  }
  const expectedOf = (state: TaskState, name: Step, who: Who) => {
    if (forbidden[name]?.(who, HAS_CLAIMANT.includes(state))) return 403
    // Who claims again renews the lease.
    if (name === 'claim' && state === 'claimed' && who === 'claimant') return 200
    return (taskTransitions[name].from as readonly TaskState[]).includes(state) ? 200 : 409
  }
  const byOf = (who: Who) => ({ author: world.ada, claimant: bob, other: carol })[who]
  const setState = async (task: Task, state: TaskState) => {
    const standing = { state, claimed_by: HAS_CLAIMANT.includes(state) ? bob.urn : null, lease_until: null }
    await world.api.db.updateTable('market.tasks').set(standing).where('id', '=', task.id).execute()
  }
  const tryStep = async (task: Task, name: Step, state: TaskState, who: Who) => {
    const by = byOf(who)
    await setState(task, state)
    const reply = await step(task, name, by, BODIES[name])
    const expected = expectedOf(state, name, who)
    expect(reply.status, `${state} ${name} ${who}: ${JSON.stringify(reply.body)}`).to.equal(expected)
    const after = await read(task)
    expect(after.state).to.equal(reply.status === 200 ? taskTransitions[name].to : state)
  }

  for (const name of STEPS)
    it(`walks: ${name}, from every state, by everybody`, async () => {
      const task = await file()
      for (const state of STATES)
        for (const who of ['author', 'claimant', 'other'] as const) await tryStep(task, name, state, who)
      expect((await step(task, name, world.stranger, BODIES[name])).status).to.equal(404)
    })

  it('is taken back from its claimant by its author, who need be no admin', async () => {
    const draft = { space: world.page.space_id, title: 'Write verse' }
    const task = taskIn(await world.call('POST', '/tasks', carol, draft), 201)
    taskIn(await step(task, 'claim', bob, {}))
    expect(taskIn(await step(task, 'release', carol))).to.include({ state: 'open', claimed_by: null })
  })

  it('is claimed, handed in, rejected, handed in again and approved, each step told [spec w6.1:3]', async () => {
    const task = await file()
    const attached = await world.attach(world.page, 'notes')
    // The same version again changes nothing, and is not told.
    for (const ref of [attached.short_id, attached.id])
      taskIn(await world.call('PUT', `/tasks/${task.id}/files/${ref}`))
    taskIn(await world.call('PATCH', `/tasks/${task.id}`, world.ada, { text: 'Forty-two lines.', page: world.page.id }))
    taskIn(await step(task, 'claim', bob, {}))
    taskIn(await step(task, 'submit', bob, { result: 'Forty lines.' }))
    taskIn(await step(task, 'reject', carol, { reason: 'Two lines are missing.' }))
    taskIn(await step(task, 'submit', bob, { result: 'Forty-two lines.' }))
    const done = taskIn(await step(task, 'approve', world.ada))
    expect(done).to.include({ state: 'approved', result: 'Forty-two lines.', reason: null, claimed_by: bob.urn })
    expect(done.files.map(({ id }) => id)).to.deep.equal([attached.id])
    taskIn(await world.call('DELETE', `/tasks/${task.id}/files/${attached.id}`))
    taskIn(await step(task, 'refile', carol))
    taskIn(await step(task, 'archive', carol))
    const own = (await eventsOf(world, 'task.*')).filter(({ payload }) => payload.entity_id === task.id)
    expect(own.map(({ event_type }) => event_type).filter((type) => type !== 'task.state_changed')).to.deep.equal([
      ...['task.created', 'task.updated', 'task.updated', 'task.claimed', 'task.submitted', 'task.rejected'],
      ...['task.submitted', 'task.approved', 'task.completed', 'task.updated', 'task.refiled', 'task.archived'],
    ])
    expect(own.filter(({ event_type }) => event_type === 'task.state_changed')).to.have.length(7)
    const { body } = await world.call('GET', '/notifications', bob)
    const kinds = (body.items as { kind: string }[]).map(({ kind }) => kind)
    expect(kinds).to.include.members(['task.rejected', 'task.approved'])
  })

  it('is not handed in or rejected with words that show nothing, and can be handed in without any', async () => {
    const task = await file()
    taskIn(await step(task, 'claim', bob, {}))
    for (const result of ['', '  ', '\u200b\n', '\u00ad\u3164']) {
      const { status, body } = await step(task, 'submit', bob, { result })
      expect([status, body.field], JSON.stringify(result)).to.deep.equal([400, 'result'])
    }
    expect(taskIn(await step(task, 'submit', bob, {}))).to.include({ state: 'submitted', result: null })
    expect((await step(task, 'reject', carol, { reason: ' ' })).status).to.equal(400)
  })

  it('is open again when its lease is over, unless that was renewed [spec w6.1:4]', async () => {
    const [kept, left] = [await file(), await file()]
    for (const task of [kept, left]) taskIn(await step(task, 'claim', bob, { lease_seconds: 600 }))
    await passTime(world.api, 400)
    taskIn(await step(kept, 'claim', bob, { lease_seconds: 600 }))
    await passTime(world.api, 400)
    await work()
    expect(await read(kept)).to.include({ state: 'claimed', claimed_by: bob.urn })
    expect(await read(left)).to.include({ state: 'open', claimed_by: null, lease_until: null })
    const last = (await eventsOf(world, 'task.claim_stale')).at(-1)
    expect(last?.payload.entity_id).to.equal(left.id)
    const taken = taskIn(await step(left, 'claim', carol, {}))
    expect(taken.claimed_by).to.equal(carol.urn)
  })

  it('is claimed by somebody else as soon as a lease is over, which is told first', async () => {
    const task = await file()
    taskIn(await step(task, 'claim', bob, { lease_seconds: 600 }))
    const mayOf = async (by: Account) => taskIn(await world.call('GET', `/tasks/${task.id}`, by)).may
    expect(await mayOf(carol)).not.to.include('claim')
    await passTime(world.api, 601)
    expect(await mayOf(carol))
      .to.include('claim')
      .and.not.include('renew')
    expect(await mayOf(bob))
      .to.include('renew')
      .and.not.include('claim')
    expect(taskIn(await step(task, 'claim', carol, {})).claimed_by).to.equal(carol.urn)
    expect((await eventsOf(world, 'task.claim_stale')).at(-1)?.payload.entity_id).to.equal(task.id)
  })

  it('is claimed by one of many who claim at once', async () => {
    const task = await file()
    const replies = await Promise.all([world.ada, bob, carol, world.agent].map((by) => step(task, 'claim', by, {})))
    expect(replies.map(({ status }) => status).sort()).to.deep.equal([200, 409, 409, 409])
    const [refused] = replies.filter(({ status }) => status === 409)
    if (refused) expectCode(refused, 409, 'workspace/task-state-conflict', 'task_state_conflict')
  })

  /**
   * The steps that `may` lists for somebody by what the calls answer; two more are the seller's or need an
   * agent.
   */
  const answeredFor = (state: TaskState, who: Who) =>
    STEPS.filter((name) => expectedOf(state, name, who) === 200).map((name) =>
      name === 'claim' && state === 'claimed' ? 'renew' : name,
    )

  for (const state of STATES)
    it(`says what may be done, as the calls answer: ${state}`, async () => {
      const task = await file()
      const attached = await world.attach(world.page, 'notes')
      await setState(task, state)
      for (const who of ['author', 'claimant', 'other'] as const) {
        const { may } = taskIn(await world.call('GET', `/tasks/${task.id}`, byOf(who)))
        const changed = await world.call('PATCH', `/tasks/${task.id}`, byOf(who), { text: 'Forty-two lines.' })
        taskIn(await world.call('PUT', `/tasks/${task.id}/files/${attached.id}`, byOf(who)))
        expect(may, who).to.have.members([
          ...answeredFor(state, who),
          ...(changed.status === 200 ? ['update'] : []),
          ...(state === 'open' ? ['offer'] : []),
          ...(state === 'offered' ? ['withdraw_offer'] : []),
          'plan',
          'change_files',
        ])
      }
      const { body } = await world.call('GET', `/tasks?state=${state}`, carol)
      const listed = (body.items as Task[]).find(({ id }) => id === task.id)
      expect(listed?.may).to.deep.equal(taskIn(await world.call('GET', `/tasks/${task.id}`, carol)).may)
    })

  it('says that nothing may be done in an archived space', async () => {
    const space = (await world.call('POST', '/spaces', world.ada, { name: 'Past' })).body
    const body = { space: space.short_id, title: 'Write verse' }
    const task = taskIn(await world.call('POST', '/tasks', world.ada, body), 201)
    expect(task.may).to.include('claim')
    expect((await world.call('PATCH', `/spaces/${space.short_id}`, world.ada, { archived: true })).status).to.equal(200)
    expect((await read(task)).may).to.deep.equal([])
    for (const name of ['claim', 'archive']) expect((await step(task, name, bob, {})).status, name).to.equal(409)
  })
})
