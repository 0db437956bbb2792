import { after, before, describe, it } from 'node:test'
import { expect } from 'chai'
import { urnString } from '../../protocol/encoding/urn.ts'
import { newBrowser } from '../kit/api/identity/passkeys/browser.ts'
import { expectProblem, type Reply } from '../kit/api/platform/http/api.ts'
import { startWorkspace, type Workspace } from '../kit/api/workspace/world.ts'

const REFUSED: [string, string][] = [
  ['a control character', 'Ada\u0007'],
  ['a line break', 'Ada\nOperator'],
  ['a line separator', 'Ada\u2028Operator'],
  ['an escape of a terminal', '\u001b[31mAda'],
  ['an override of the direction', 'Ada\u202Egnp.exe'],
  ['an embedding', '\u202BAda'],
  ['an isolate', 'Ada\u2066 x'],
  ['hidden words in tag characters', `Ada${String.fromCodePoint(0xe0041, 0xe0042)}`],
  ['nothing that shows: zero width', '\u200b\u200d\ufeff'],
  ['nothing that shows: spaces', ' \u00a0\u2003'],
  ['nothing that shows: fillers', '\u3164\u115f\u2800'],
  ['nothing that shows: marks that stand on nothing', '\u0301\ufe0f'],
]
const TAKEN = [
  'Ada Łovelace',
  'می\u200cخواهم',
  '👩\u200d👩\u200d👧',
  'מיכאל \u200f(ב)',
  'O’Neil & Söhne, 株式会社',
  '❤\ufe0f',
  '🏴\u{e0067}\u{e0062}\u{e0073}\u{e0063}\u{e0074}\u{e007f} Clan',
]

const STORED: [string, string][] = [
  ['Acme Labs ', 'Acme Labs'],
  ['\u00a0Acme \u3000Labs', 'Acme Labs'],
  ['Acme\u200bLabs', 'AcmeLabs'],
  ['Ac\u00adme\u2060', 'Acme'],
  ['Acme\u0301\u200dLabs', 'Acm\u00e9Labs'],
  ['\u200fAcme\ufe0f', 'Acme'],
  ...['می\u200cخواهم', 'क्\u200dष', '❤\ufe0f\u200d🔥', 'מיכאל \u200f(ב)'].map((same): [string, string] => [same, same]),
]

describe('a name', () => {
  let world: Workspace
  let places: [string, (name: string) => Promise<Reply>, string][]
  before(async () => {
    world = await startWorkspace()
    const { api, ada, agent, call, page } = world
    const v1 = (method: string, path: string, body: object, by = ada) =>
      api.send(method, path, { token: by.token, body })
    const orgs = (await api.send('GET', '/v1/me/orgs', { token: ada.token })).body.orgs as { urn: { body: string } }[]
    const orgUrn = urnString('org', orgs[0]?.urn.body ?? '')
    const offer = { description: 'Lines.', price: '20.000000' }
    const ask = urnString('ask', (await v1('POST', '/v1/asks', { ...offer, title: 'Verse' }, agent)).body.urn.body)
    const task = await call('POST', '/tasks', ada, { space: page.space_id, title: 'Write' })
    const secret = await call('POST', '/secrets', ada, { name: 'KEY', value: 'x' })
    expect(secret.status).to.equal(201)
    let number = 0
    const email = 'someone@example.com'
    places = [
      [
        'sign up',
        (name) =>
          newBrowser(api).send('POST', '/v1/me/passkeys/sign_up/options', { body: { display_name: name, email } }),
        'display_name',
      ],
      ['human', (name) => v1('POST', '/v1/accounts/humans', { display_name: name, email }), 'display_name'],
      [
        'agent',
        (name) => v1('POST', '/v1/accounts/agents', { owner_urn: ada.urn, display_name: name }),
        'display_name',
      ],
      ['org', (name) => v1('POST', '/v1/me/orgs', { slug: `other-${++number}`, display_name: name }), 'display_name'],
      ['org renamed', (name) => v1('PATCH', `/v1/me/orgs/${orgUrn}`, { display_name: name }), 'display_name'],
      ['ask', (name) => v1('POST', '/v1/asks', { ...offer, title: name }, agent), 'title'],
      ['ask revised', (name) => v1('PATCH', `/v1/asks/${ask}`, { title: name }, agent), 'title'],
      [
        'bid',
        (name) => v1('POST', '/v1/bids', { title: name, description: 'Lines.', max_price: '20.000000' }, agent),
        'title',
      ],
      ['space', (name) => call('POST', '/spaces', ada, { name }), 'name'],
      ['space renamed', (name) => call('PATCH', `/spaces/${page.space_id}`, ada, { name }), 'name'],
      ['page', (name) => call('POST', '/pages', ada, { space: page.space_id, title: name, text: '' }), 'title'],
      ['page renamed', (name) => call('PATCH', `/pages/${page.id}`, ada, { title: name }), 'title'],
      ['task', (name) => call('POST', '/tasks', ada, { space: page.space_id, title: name }), 'title'],
      ['task renamed', (name) => call('PATCH', `/tasks/${task.body.id}`, ada, { title: name }), 'title'],
      [
        'decision',
        (name) => call('POST', '/decisions', ada, { space: page.space_id, title: name, text: 'So.' }),
        'title',
      ],
      ['secret', (name) => call('POST', '/secrets', ada, { name, value: 'x' }), 'name'],
    ]
  })
  after(() => world.stop())

  for (const [what, name] of REFUSED) {
    it(`is refused with ${what}, wherever it is given`, async () => {
      for (const [place, give, field] of places) {
        const reply = await give(name)
        expect([place, reply.status, reply.body.field]).to.deep.equal([place, 400, field])
        expectProblem(reply, 400, 'request/invalid', field)
      }
    })
  }

  it('is taken in every script, with what its words and signs need', async () => {
    for (const name of TAKEN) {
      for (const [place, give] of places) {
        const { status, body } = await give(name)
        expect([place, name, status < 300 ? 200 : [status, body.detail]]).to.deep.equal([place, name, 200])
      }
    }
  })

  it('is stored in NFC, with single spaces, and without invisible characters that join nothing', async () => {
    const normalized = places.filter(([place]) => !/sign up|page|secret|^human$|^agent$/.test(place))
    for (const [name, stored] of STORED) {
      for (const [place, give, field] of normalized) {
        const { body } = await give(name)
        expect([place, name, body[field]]).to.deep.equal([place, name, stored])
      }
    }
  })

  it('of a label is stored as other names are, and found as it was typed or stored', async () => {
    const { ada, call, page } = world
    const made = await call('POST', '/tasks', ada, {
      space: page.space_id,
      title: 'Sort',
      labels: ['bug\u200b ', 'bug'],
    })
    expect(made.body.labels).to.deep.equal(['bug'])
    const query = new URLSearchParams({ label: ' bug\u00ad' })
    const { body } = await call('GET', `/tasks?${query}`, ada)
    expect((body.items as { id: string }[]).map(({ id }) => id)).to.deep.equal([made.body.id])
  })
})
