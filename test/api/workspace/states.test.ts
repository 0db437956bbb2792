import { after, before, describe, it } from 'node:test'
import { expect } from 'chai'
import { type AgentTransition, agentTransitions } from '../../../api/workspace/agents/internal/states.ts'
import { type Account, newAgent } from '../../kit/api/identity/accounts/owners.ts'
import { startWorkspace, type Workspace } from '../../kit/api/workspace/world.ts'

/** A step on a thing: the method, what follows its path, and the body. */
type Step = readonly [method: string, at: string, body?: object]

/** The steps that lead to each state from the beginning, and what each step answers in each state. */
interface Walk {
  states: Readonly<Record<string, readonly string[]>>
  steps: Readonly<Record<string, Step>>
  answers: Readonly<Record<string, Readonly<Record<string, number>>>>
}

// Tasks have a walk of their own (tasks.test.ts), and so do uploads, whose states are bytes
// (uploads.test.ts).
const WALKS: Readonly<Record<'pages' | 'attachments' | 'comments', Walk>> = {
  pages: {
    states: { active: [], published: ['publish'], trashed: ['trash'] },
    steps: {
      edit: ['PATCH', '', { text: 'two' }],
      move: ['POST', '/move', { parent: null }],
      publish: ['POST', '/publish'],
      trash: ['DELETE', ''],
      restore: ['POST', '/restore'],
    },
    answers: {
      active: { edit: 200, move: 200, publish: 200, trash: 200, restore: 409 },
      published: { edit: 200, move: 200, publish: 200, trash: 200, restore: 409 },
      trashed: { edit: 404, move: 404, publish: 404, trash: 404, restore: 200 },
    },
  },
  attachments: {
    states: { active: [], trashed: ['trash'], purged: ['trash', 'purge'] },
    steps: {
      rename: ['PATCH', '', { filename: 'prose.txt' }],
      trash: ['DELETE', ''],
      restore: ['POST', '/restore'],
      purge: ['POST', '/purge'],
    },
    answers: {
      active: { rename: 200, trash: 200, restore: 409, purge: 409 },
      trashed: { rename: 409, trash: 409, restore: 200, purge: 204 },
      purged: { rename: 404, trash: 404, restore: 404, purge: 404 },
    },
  },
  comments: {
    states: { open: [], resolved: ['resolve'], deleted: ['delete'] },
    steps: {
      edit: ['PATCH', '', { text: 'Why not?' }],
      resolve: ['POST', '/resolve'],
      reopen: ['POST', '/reopen'],
      delete: ['DELETE', ''],
    },
    answers: {
      open: { edit: 200, resolve: 200, reopen: 409, delete: 200 },
      resolved: { edit: 200, resolve: 409, reopen: 200, delete: 200 },
      // Its thread stays, and is resolved like any other.
      deleted: { edit: 409, resolve: 200, reopen: 409, delete: 409 },
    },
  },
}

describe('the states of what is in an org', () => {
  let world: Workspace
  before(async () => {
    world = await startWorkspace()
  })
  after(() => world.stop())

  const make: Record<keyof typeof WALKS, () => Promise<string>> = {
    pages: async () => (await world.newPage('one')).id,
    attachments: async () => (await world.attach(await world.newPage(), 'Forty-two.')).id,
    comments: async () =>
      String((await world.call('POST', '/comments', world.ada, { page: world.page.id, text: 'Why?' })).body.id),
  }
  const events = async () => {
    const { count } = await world.api.db
      .selectFrom('market.events')
      .select(({ fn }) => fn.countAll<bigint>().as('count'))
      .executeTakeFirstOrThrow()
    return Number(count)
  }

  /** Takes one step from a state that the path leads to, of a thing of its own, and compares the answer. */
  const walk = async (kind: keyof typeof WALKS, state: string, path: readonly string[], name: string) => {
    const { steps, answers } = WALKS[kind] as Walk
    const id = await make[kind]()
    const take = ([how, where, what]: Step) => world.call(how, `/${kind}/${id}${where}`, world.ada, what)
    for (const step of path) expect((await take(steps[step] as Step)).status, step).to.be.oneOf([200, 204])
    const before = await events()
    const { status, body } = await take(steps[name] as Step)
    expect(status, `${name}: ${JSON.stringify(body)}`).to.equal(answers[state]?.[name])
    // What is refused changes nothing, and is not told.
    if (status >= 400) expect(await events()).to.equal(before)
  }

  for (const kind of Object.keys(WALKS) as (keyof typeof WALKS)[]) {
    const { states, steps } = WALKS[kind] as Walk
    for (const [state, path] of Object.entries(states))
      it(`walks: ${kind} that are ${state}, by every step`, async () => {
        for (const name of Object.keys(steps)) await walk(kind, state, path, name)
      })
  }

  it('walks: an agent, by every step from every state', async () => {
    const agent: Account = await newAgent(world.api, world.ada)
    await world.call('POST', '/agents', world.ada, { agent_urn: agent.urn })
    for (const step of Object.keys(agentTransitions) as AgentTransition[])
      for (const state of ['active', 'paused', 'revoked'] as const) {
        await world.api.db.updateTable('market.org_agents').set({ state }).where('agent_id', '=', agent.id).execute()
        const { from, to } = agentTransitions[step]
        const { status, body } = await world.call('POST', `/agents/${agent.urn}/${step}`)
        const isAllowed = (from as readonly string[]).includes(state)
        expect(status, `${step} from ${state}: ${JSON.stringify(body)}`).to.equal(isAllowed ? 200 : 409)
        if (isAllowed) expect(body.state).to.equal(to)
      }
  })
})
