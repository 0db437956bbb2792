import { after, before, beforeEach, describe, it } from 'node:test'
import { expect } from 'chai'
import { sql } from 'kysely'
import { rotateKeys } from '../../../../api/keyRotation/rotate.ts'
import { inTransaction } from '../../../../api/platform/db/transaction.ts'
import { purge } from '../../../../api/purge.ts'
import { sendInvitations } from '../../../../api/workspace/mails/sendInvitations.ts'
import { type Account, newHuman } from '../../../kit/api/identity/accounts/owners.ts'
import { erase } from '../../../kit/api/identity/erasure.ts'
import { expectProblem } from '../../../kit/api/platform/http/api.ts'
import { webhooksOf } from '../../../kit/api/platform/webhooks/world.ts'
import { passTime } from '../../../kit/api/trading.ts'
import { newMember } from '../../../kit/api/workspace/joining.ts'
import { type MailServer, startMailServer } from '../../../kit/api/workspace/mailServer.ts'
import { startWorkspace, type Workspace } from '../../../kit/api/workspace/world.ts'

const DAY = 86_400
const TO = 'stranger@example.org'
const ONE_CLICK = { 'Content-Type': 'application/x-www-form-urlencoded' }

describe('an invitation by mail', () => {
  let world: Workspace
  let mail: MailServer
  let org: string
  let orgId: string
  let count = 0

  before(async () => {
    world = await startWorkspace()
    mail = await startMailServer()
    const { rows } = await sql<{ id: string }>`select id from market.orgs where slug = ${world.slug}`.execute(
      world.api.db,
    )
    orgId = String(rows[0]?.id)
    org = `/v1/me/orgs/market:org:${orgId}`
  })
  after(async () => {
    await mail?.stop()
    await world?.stop()
  })
  beforeEach(async () => {
    world.api.settings.mail = { url: mail.url, from: 'market@example.com' }
    for (const table of ['email_invitations', 'invitation_refusals', 'notifications'])
      await sql`delete from ${sql.table(`market.${table}`)}`.execute(world.api.db)
    mail.mails.length = 0
  })

  const call = (method: string, path: string, body?: object, by = world.ada) =>
    world.api.send(method, path, { token: by.token, ...(body ? { body } : {}) })
  const invite = (email = TO, by = world.ada, to = org, role = 'member') =>
    call('POST', `${to}/email_invitations`, { email, role }, by)
  const services = () => webhooksOf(world.api).services
  const send = () => sendInvitations(services())
  const mailed = (index = 0) => {
    const [headers = '', ...body] = String(mail.mails[index]?.text).split('\r\n\r\n')
    const content = body.join('\r\n\r\n')
    return `${headers}\n\n${/quoted-printable/i.test(headers) ? content.replaceAll(/=\r?\n/g, '').replaceAll('=3D', '=') : content}`
  }
  const tokenIn = (text: string) => String(/\/console\/invitation#([A-Za-z0-9_-]{43})/.exec(text)?.[1])
  const tokenByMail = async (email = TO, role = 'member') => {
    expect((await invite(email, world.ada, org, role)).status).to.equal(201)
    await send()
    return tokenIn(mailed(mail.mails.length - 1))
  }
  const answer = (how: 'read' | 'accept' | 'decline', token: string, by: Account) =>
    call('POST', `/v1/me/invitations/${how}`, { token }, by)
  const stored = async () => {
    const { rows } = await sql<{
      row: string
    }>`select invited::text as row from market.email_invitations invited`.execute(world.api.db)
    return rows.map(({ row }) => row).join('\n')
  }
  const open = async () =>
    (await call('GET', `${org}/email_invitations`)).body.invitations as { id: string; email: string }[]
  /** Another org, of somebody else unless they are named. */
  const another = async (owner?: Account) => {
    count += 1
    const by = owner ?? (await newHuman(world.api, `Owner ${count}`))
    const made = await call('POST', '/v1/me/orgs', { slug: `other-${count}`, display_name: 'http://spam.example' }, by)
    return { by, org: `/v1/me/orgs/market:org:${(made.body.urn as { body: string }).body}` }
  }

  it('is one mail with a link, whose opener joins as themselves, once; the inviter is told [risk mail-server]', async () => {
    const eve = await newHuman(world.api, 'Eve')
    const token = await tokenByMail(TO, 'admin')
    expect(mail.mails.map(({ to }) => to)).to.deep.equal([[TO]])
    expect((await answer('read', token, eve)).body).to.include({
      slug: world.slug,
      role: 'admin',
      invited_by: 'First human',
    })
    expect((await answer('accept', token, eve)).body).to.include({ slug: world.slug, role: 'admin' })
    for (const how of ['read', 'accept', 'decline'] as const)
      expectProblem(await answer(how, token, world.ada), 404, 'resource/not-found')
    const { body } = await world.call('GET', '/notifications')
    const [told] = body.items as { kind: string; entity_id: string }[]
    expect([told?.kind, told?.entity_id]).to.deep.equal(['member.added', eve.id])
    await send()
    expect(mail.mails).to.have.length(1)
  })

  it('leaves its address nowhere: not in the table, an event, the audit log or after its end [risk invitation-tables]', async () => {
    const token = await tokenByMail()
    const leaves = async () => {
      const { rows } = await sql<{ text: string }>`
        select payload::text as text from market.events union all select details::text from market.audit_log`.execute(
        world.api.db,
      )
      return [await stored(), ...rows.map(({ text }) => text)].join('\n')
    }
    expect(await leaves())
      .to.not.include(TO)
      .and.not.include(Buffer.from(TO).toString('hex'))
      .and.not.include(token)
    expect(await open()).to.have.length(1)
    expect((await answer('decline', token, await newHuman(world.api, 'No'))).status).to.equal(204)
    expect(await open()).to.deep.equal([])
    const { rows } = await sql`
      select from market.email_invitations where num_nonnulls(sealed_address, token_hash) > 0`.execute(world.api.db)
    expect(rows).to.deep.equal([])
    const { rows: events } = await sql<{ type: string; actor: string | null }>`
      select event_type as type, payload->>'actor_id' as actor from market.events
      where event_type like 'invitation.%' order by id desc limit 1`.execute(world.api.db)
    expect(events).to.deep.equal([{ type: 'invitation.ended', actor: null }])
  })

  it('is one an address and org, also once it was withdrawn or declined, until it would have expired', async () => {
    const made = await invite()
    await send()
    expectProblem(await invite(TO.toUpperCase()), 409, 'orgs/already-invited', 'email')
    const { id } = made.body.invitation as { id: string }
    const path = `${org}/email_invitations/${id}`
    expect((await call('DELETE', path)).status).to.equal(204)
    expectProblem(await call('DELETE', path), 404, 'resource/not-found')
    expectProblem(await invite(), 409, 'orgs/already-invited', 'email')
    expectProblem(await answer('accept', tokenIn(mailed()), world.ada), 404, 'resource/not-found')
    await passTime(world.api, world.api.settings.rules.invitationSeconds)
    expect((await invite()).status).to.equal(201)
    await purge({ ...services(), db: world.api.serviceDb })
    await send()
    expect(mail.mails).to.have.length(2)
  })

  it('is neither listed, read, answered, withdrawn nor sent once it has expired', async () => {
    const token = await tokenByMail()
    const [{ id } = { id: '' }] = await open()
    expect((await invite('waiting@example.org')).status).to.equal(201)
    await passTime(world.api, world.api.settings.rules.invitationSeconds)
    expect(await open()).to.deep.equal([])
    await send()
    expect(mail.mails).to.have.length(1)
    for (const how of ['read', 'accept', 'decline'] as const)
      expectProblem(await answer(how, token, world.stranger), 404, 'resource/not-found')
    expectProblem(await call('DELETE', `${org}/email_invitations/${id}`), 404, 'resource/not-found')
  })

  it('is three a day for an address from all orgs, and none more by deleting the org [risk invitation-mail]', async () => {
    const spammer = await newHuman(world.api, 'Spammer')
    for (let sent = 0; sent < 3; sent += 1) {
      const own = await another(spammer)
      expect((await invite(TO, spammer, own.org)).status).to.equal(201)
      await send()
      expect((await call('DELETE', own.org, undefined, spammer)).status).to.equal(204)
    }
    const statuses = async () => {
      const { by, org: other } = await another()
      return (await invite(TO, by, other)).status
    }
    expect(await statuses()).to.equal(429)
    expect(mail.mails).to.have.length(3)
    expect(mailed()).to.include('"other-').and.not.include('spam.example').and.not.include('Spammer')
    await passTime(world.api, DAY)
    expect(await statuses()).to.equal(201)
  })

  it('is twenty a day for an org and for a person, also by calls at once', async () => {
    const many = await Promise.all(Array.from({ length: 22 }, (_one, index) => invite(`s${index}@example.org`)))
    expect(
      many
        .map(({ status }) => status)
        .sort()
        .slice(-3),
    ).to.deep.equal([201, 429, 429])
    const own = await another(world.ada)
    expect((await invite(TO, world.ada, own.org)).status).to.equal(429)
    const { by, org: other } = await another()
    expect((await invite(TO, by, other)).status).to.equal(201)
  })

  it('is none any more for an address whose owner said so by one click, and no org is told [risk invitation-mail]', async () => {
    const token = await tokenByMail()
    const [headers = ''] = mailed().split('\n\n')
    const link = /^List-Unsubscribe: ?<(.+)>/im.exec(headers.replaceAll(/\r?\n[ \t]/g, ''))?.[1]
    expect(headers).to.match(/^List-Unsubscribe-Post: List-Unsubscribe=One-Click/im)
    const reached = String(link).replace(world.api.settings.baseUrl, world.api.baseUrl)
    expect(await (await fetch(reached)).text()).to.include('<form method="post">')
    expect((await answer('read', token, world.ada)).status).to.equal(200)
    const post = (to: string) => fetch(to, { method: 'POST', headers: ONE_CLICK, body: 'List-Unsubscribe=One-Click' })
    expect((await post(reached.replace(/token=.{4}/, 'token=AAAA'))).status).to.equal(404)
    for (const _twice of [1, 2]) expect((await post(reached)).status).to.equal(200)
    expectProblem(await answer('read', token, world.ada), 404, 'resource/not-found')
    const { by, org: other } = await another()
    expect((await invite(TO, by, other)).status).to.equal(201)
    await send()
    expect(mail.mails).to.have.length(1)
    const { rows } = await sql<{ all: string }>`
      select address_hash::text as all from market.invitation_refusals`.execute(world.api.db)
    expect(rows).to.have.length(1)
  })

  it('is a link for the inviter to pass on where no mail is sent, a newer one in the place of the former', async () => {
    world.api.settings.mail = undefined
    const [first, second] = [await invite(), await invite()]
    for (const { status } of [first, second]) expect(status).to.equal(201)
    const eve = await newHuman(world.api, 'Eva')
    expectProblem(await answer('accept', tokenIn(String(first.body.link)), eve), 404, 'resource/not-found')
    expect((await answer('accept', tokenIn(String(second.body.link)), eve)).status).to.equal(200)
    world.api.settings.mail = { url: mail.url, from: 'market@example.com' }
    expect((await invite()).body).to.not.have.property('link')
  })

  it('is for owners and admins to send, and ends with the role of who sent it', async () => {
    const [admin, member] = [await newMember(world, 'Admin', 'admin'), await newMember(world, 'Member')]
    expect((await invite(TO, member)).status).to.equal(403)
    expect((await call('GET', `${org}/email_invitations`, undefined, member)).status).to.equal(403)
    expect((await invite(TO, admin, org, 'owner')).status).to.equal(403)
    expect((await invite(TO, await newHuman(world.api, 'Nobody'))).status).to.equal(404)
    expect((await invite(TO, admin)).status).to.equal(201)
    await send()
    const token = tokenIn(mailed())
    await call('PATCH', `${org}/members/${admin.urn}`, { role: 'member' })
    expectProblem(await answer('accept', token, member), 404, 'resource/not-found')
  })

  it('ends with its org, with the account of who sent it, and with that of whose address it is', async () => {
    const deleted = await another()
    expect((await invite('guest@example.org', deleted.by, deleted.org)).status).to.equal(201)
    expect((await call('DELETE', deleted.org, undefined, deleted.by)).status).to.equal(204)
    const sender = await another()
    await invite(TO, sender.by, sender.org)
    const invited = await newHuman(world.api, 'Invited')
    const { rows } = await sql<{ email: string }>`select email from market.humans where id = ${invited.id}`.execute(
      world.api.db,
    )
    await invite(String(rows[0]?.email))
    for (const { token } of [sender.by, invited]) expect((await erase(world.api, token)).status).to.equal(202)
    const { rows: left } = await sql`
      select from market.email_invitations where sealed_address is not null`.execute(world.api.db)
    expect(left).to.deep.equal([])
    await send()
    expect(mail.mails).to.have.length(0)
  })

  it('keeps its address where SIGNING_KEY is replaced', async () => {
    const { settings, db } = world.api
    await invite()
    const former = settings.signingKey
    const rotate = (signingKey: string, other: string) =>
      inTransaction(db, 'read write', (tx) => rotateKeys(tx, { signingKey, otherSigningKeys: [other] }, []))
    settings.signingKey = 'cd'.repeat(32)
    await rotate(settings.signingKey, former)
    expect((await open()).map(({ email }) => email)).to.deep.equal([TO])
    await rotate(former, settings.signingKey)
    settings.signingKey = former
  })
})
