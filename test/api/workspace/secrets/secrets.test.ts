import { randomBytes } from 'node:crypto'
import { after, before, describe, it } from 'node:test'
import { expect } from 'chai'
import { sql } from 'kysely'
import { rotateKeys } from '../../../../api/keyRotation/rotate.ts'
import { inTransaction } from '../../../../api/platform/db/transaction.ts'
import { CURRENT_VERSION } from '../../../../api/platform/http/route/versions.ts'
import { sha256Hex } from '../../../../protocol/encoding/canonical.ts'
import { type Account, newAgent } from '../../../kit/api/identity/accounts/owners.ts'
import { expectProblem, type Reply } from '../../../kit/api/platform/http/api.ts'
import { passTime } from '../../../kit/api/trading.ts'
import { eventsOf, newMember } from '../../../kit/api/workspace/joining.ts'
import { expectCode, startWorkspace, type Workspace } from '../../../kit/api/workspace/world.ts'

const VALUE = 'correct horse battery staple\n'
const DAY = 86_400

describe('a secret', () => {
  let world: Workspace
  let bob: Account
  before(async () => {
    world = await startWorkspace()
    bob = await newMember(world, 'Bob')
  })
  after(() => world.stop())

  let number = 0
  const keep = async (by = bob, body: object = {}) => {
    const reply = await world.call('POST', '/secrets', by, { name: `KEY_${++number}`, value: VALUE, ...body })
    expect(reply.status, JSON.stringify(reply.body)).to.equal(201)
    expect(JSON.stringify(reply.body)).not.to.include('horse')
    return reply.body as unknown as { id: string; short_id: string; name: string }
  }
  const reveal = (ref: string, by: Account, body: object = {}) => world.call('POST', `/secrets/${ref}/reveal`, by, body)
  const expectUnconfirmed = (reply: Reply) =>
    expectCode(reply, 403, 'workspace/confirmation-required', 'confirmation_required')
  const setPolicy = (agents_ask: boolean, by = world.ada) => world.call('PUT', '/secret-policy', by, { agents_ask })
  const ask = async (secret: string, answer?: 'confirmed' | 'declined') => {
    const { status, body } = await world.call('POST', '/confirmations', world.agent, { question: 'May I?', secret })
    expect(status, JSON.stringify(body)).to.equal(201)
    if (answer) await world.call('POST', `/confirmations/${body.id}/answer`, world.ada, { answer })
    return String(body.id)
  }
  /** In which tables of the database a text is, as it is or as hex. */
  const tablesWith = async (text: string) => {
    const { rows: tables } = await sql<{ name: string }>`
      select format('%I.%I', schemaname, tablename) as name from pg_tables where schemaname in ('market', 'limits')
      `.execute(world.api.db)
    const hex = Buffer.from(text).toString('hex')
    const found: string[] = []
    for (const { name } of tables) {
      const { rows } = await sql`select from ${sql.raw(name)} held
        where strpos(held::text, ${text}) > 0 or strpos(held::text, ${hex}) > 0 limit 1`.execute(world.api.db)
      if (rows.length > 0) found.push(name)
    }
    return found
  }

  it('is kept once for one key, and the key leaves no hash that its value could be searched by', async () => {
    const body = { name: 'KEYED', value: VALUE }
    const send = (value: string) =>
      world.api.send('POST', `/orgs/${world.slug}/secrets`, {
        token: bob.token,
        body: { ...body, value },
        headers: { 'Idempotency-Key': 'one-secret' },
      })
    const [first, again] = [await send(VALUE), await send(VALUE)]
    expect([first.status, again.status], JSON.stringify(again.body)).to.deep.equal([201, 201])
    expect(again.body).to.deep.equal(first.body)
    expectProblem(await send('another'), 409, 'idempotency/key-reused', 'Idempotency-Key')
    const { fingerprint } = await world.api.db
      .selectFrom('market.idempotent_answers')
      .select('fingerprint')
      .where('key', '=', 'one-secret')
      .executeTakeFirstOrThrow()
    const request = JSON.stringify(['post', `/orgs/${world.slug}/secrets`, '', CURRENT_VERSION, null])
    expect(fingerprint.toString('hex')).to.not.equal(sha256Hex(`${request}\n${JSON.stringify(body)}`))
  })

  it('is listed by name, once, and revealed with an event and an audit entry, which its author is told of [spec w6.1:10]', async () => {
    const secret = await keep()
    const { items } = (await world.call('GET', '/secrets')).body as unknown as { items: { name: string }[] }
    expect(JSON.stringify(items)).to.not.include('horse')
    // The org's twin has one of this name too.
    expect(items.filter(({ name }) => name === secret.name)).to.have.length(1)
    const { body } = await reveal(secret.short_id, world.ada)
    expect(body).to.include({ name: secret.name, version: 1, value: VALUE })
    const [event] = (await eventsOf(world, 'secret.*')).filter(({ payload }) => payload.entity_id === secret.id)
    expect(event?.payload.data).to.deep.equal({ version: 1, confirmation_id: null })
    const { items: told } = (await world.call('GET', '/notifications', bob)).body as unknown as {
      items: { kind: string }[]
    }
    expect(told.map(({ kind }) => kind)).to.deep.equal(['secret.revealed'])
    const entries = await world.api.db
      .selectFrom('market.audit_log')
      .select(['action', 'actor'])
      .where(sql<boolean>`details->>'secret_id' = ${secret.id}`)
      .orderBy('id')
      .execute()
    expect(entries).to.deep.equal([
      { action: 'secret.create', actor: bob.urn },
      { action: 'secret.revealed', actor: world.ada.urn },
    ])
  })

  it('is nowhere in the database in the clear, and of no use in another row [risk signing-key blob-store backup]', async () => {
    const headers = { 'idempotency-key': 'once' }
    const path = `/orgs/${world.slug}/secrets`
    const body = { name: 'ONE', value: VALUE }
    const { body: one } = await world.api.send('POST', path, { token: bob.token, body, headers })
    const two = await keep(bob, { value: 'another value' })
    const again = { token: bob.token, body: {}, headers }
    expect((await world.api.send('POST', `${path}/${one.id}/reveal`, again)).body.value).to.equal(VALUE)
    expect(await tablesWith(VALUE.trim())).to.deep.equal([])
    expect(await tablesWith('ONE')).to.have.members(['market.secrets', 'market.idempotent_answers'])
    await sql`update market.secrets set sealed_value = (select sealed_value from market.secrets where id = ${String(one.id)})
      where id = ${two.id}`.execute(world.api.db)
    expect((await reveal(two.id, bob)).status).to.equal(500)
  })

  it('is sealed anew where SIGNING_KEY is replaced', async () => {
    const { db, settings } = world.api
    const { id } = await keep()
    const next = randomBytes(32).toString('hex')
    const rotate = (signingKey: string, formerSigningKey: string) =>
      inTransaction(db, 'read write', (tx) => rotateKeys(tx, { signingKey, otherSigningKeys: [formerSigningKey] }, []))
    await rotate(next, settings.signingKey)
    expect((await reveal(id, bob)).status).to.equal(500)
    await rotate(settings.signingKey, next)
    expect((await reveal(id, bob)).body.value).to.equal(VALUE)
  })

  it('gets another value, and goes, by its author or a manager of the org alone', async () => {
    const carol = await newMember(world, 'Carol')
    const secret = await keep()
    const path = `/secrets/${secret.short_id}`
    const replace = (by: Account) => world.call('PUT', `${path}/value`, by, { value: 'new' })
    expect((await replace(carol)).status).to.equal(403)
    expect((await world.call('DELETE', path, carol)).status).to.equal(403)
    expect((await replace(bob)).body).to.include({ version: 2, updated_by: bob.urn })
    expect((await reveal(secret.id, carol)).body).to.include({ version: 2, value: 'new' })
    const twin = await world.call('POST', '/secrets', carol, { name: secret.name, value: 'x' })
    expectCode(twin, 409, 'workspace/secret-exists', 'secret_exists')
    const alike = { name: secret.name.toUpperCase().replace('E', '\u0415'), value: 'x' }
    expect(alike.name).to.not.equal(secret.name)
    expectCode(await world.call('POST', '/secrets', carol, alike), 409, 'workspace/secret-exists', 'secret_exists')
    expect((await world.call('DELETE', path, world.ada)).status).to.equal(204)
    expect((await reveal(secret.id, bob)).status).to.equal(404)
  })

  it('of a private space is its members’', async () => {
    const { body: space } = await world.call('POST', '/spaces', world.ada, { name: 'Ours', visibility: 'private' })
    const secret = await keep(world.ada, { space: space.id })
    expect((await reveal(secret.id, bob)).status).to.equal(404)
    expect(JSON.stringify((await world.call('GET', '/secrets', bob)).body)).not.to.include(secret.id)
    expect((await world.call('GET', '/secrets', world.stranger)).status).to.equal(404)
    const { body: ours } = await world.call('GET', `/secrets?space=${space.id}`)
    expect((ours.items as { id: string }[]).map(({ id }) => id)).to.deep.equal([secret.id])
    await world.call('PATCH', `/spaces/${space.id}`, world.ada, { archived: true })
    expect((await world.call('DELETE', `/secrets/${secret.id}`)).status).to.equal(409)
    expect((await reveal(secret.id, world.ada)).status).to.equal(200)
  })

  it('is revealed to an agent once for each question that its human has confirmed', async () => {
    const [secret, other] = [await keep(), await keep()]
    expectUnconfirmed(await reveal(secret.id, world.agent))
    for (const given of [undefined, 'declined'] as const)
      expectUnconfirmed(await reveal(secret.id, world.agent, { confirmation: await ask(secret.id, given) }))
    const confirmation = await ask(secret.short_id, 'confirmed')
    expectUnconfirmed(await reveal(other.id, world.agent, { confirmation }))
    const second = await newAgent(world.api, world.ada)
    expectUnconfirmed(await reveal(secret.id, second, { confirmation }))
    expect((await reveal(secret.id, world.agent, { confirmation })).body.value).to.equal(VALUE)
    expectUnconfirmed(await reveal(secret.id, world.agent, { confirmation }))
    const late = await ask(secret.id, 'confirmed')
    await passTime(world.api, DAY)
    expectUnconfirmed(await reveal(secret.id, world.agent, { confirmation: late }))
  })

  it('is revealed to agents without asking where owners and admins say so, and never to one that is shut out', async () => {
    const secret = await keep()
    for (const by of [bob, world.agent]) expect((await setPolicy(false, by)).status).to.equal(403)
    expect((await setPolicy(false)).body).to.deep.equal({ agents_ask: false })
    expect((await reveal(secret.id, world.agent)).body.value).to.equal(VALUE)
    await world.call('PUT', '/kill-switch', world.ada, { engaged: true })
    expect((await reveal(secret.id, world.agent)).status).to.equal(403)
    await world.call('PUT', '/kill-switch', world.ada, { engaged: false })
    await setPolicy(true)
    expectUnconfirmed(await reveal(secret.id, world.agent))
  })
})
