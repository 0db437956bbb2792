import { after, before, beforeEach, describe, it } from 'node:test'
import { expect } from 'chai'
import { sql } from 'kysely'
import { pushKeys } from '../../../../api/workspace/notifications/channels.ts'
import { nextSendInMs, sendNotifications } from '../../../../api/workspace/notifications/send.ts'
import { type Account, newHuman } from '../../../kit/api/identity/accounts/owners.ts'
import type { Reply } from '../../../kit/api/platform/http/api.ts'
import { webhooksOf } from '../../../kit/api/platform/webhooks/world.ts'
import { passTime } from '../../../kit/api/trading.ts'
import { type MailServer, startMailServer } from '../../../kit/api/workspace/mailServer.ts'
import {
  type Browser,
  newBrowser,
  type PushService,
  startPushService,
  vapidOf,
} from '../../../kit/api/workspace/pushReceiver.ts'
import { startWorkspace, type Workspace } from '../../../kit/api/workspace/world.ts'

const HOUR = 3_600
const DAY = 24 * HOUR
const KIND = 'attachment.created'

describe('notifications that are sent', () => {
  let world: Workspace
  let ben: Account
  let service: PushService
  let mail: MailServer

  before(async () => {
    world = await startWorkspace()
    service = await startPushService()
    mail = await startMailServer()
    world.api.settings.mail = { url: mail.url, from: 'market@example.com' }
    ben = await newHuman(world.api, 'Ben')
    await setMember(ben)
  })
  after(async () => {
    await service?.stop()
    await mail?.stop()
    await world?.stop()
  })
  beforeEach(async () => {
    for (const table of ['notifications', 'push_subscriptions', 'notification_prefs'])
      await sql`delete from ${sql.table(`market.${table}`)}`.execute(world.api.db)
    Object.assign(service, { status: 201, pushed: [] })
    mail.mails.length = 0
    mail.refusal = null
  })

  const setMember = ({ id }: Account) =>
    sql`insert into market.org_members (org_id, human_id, role)
      select id, ${id}, 'member' from market.orgs where slug = ${world.slug}`.execute(world.api.db)
  const okOf = (reply: Reply, status: number) => {
    expect(reply.status, JSON.stringify(reply.body)).to.equal(status)
    return reply.body
  }
  const setPrefs = async (prefs: object) =>
    okOf(await world.mine('PUT', '/notification-prefs', { kinds: [], ...prefs }), 200)
  const subscribe = async (browser: Browser = newBrowser(service), by = world.ada) => {
    const { endpoint, keys } = browser
    const body = { endpoint, keys, expirationTime: null }
    return { browser, id: String(okOf(await world.mine('POST', '/push-subscriptions', body, by), 201).id) }
  }
  /** Ben attaches a file to a page of Ada's. */
  const happen = async () =>
    String(okOf(await world.upload({ page: world.page.id, insert: 'none' }, undefined, ben), 201).id)
  const listed = async () => okOf(await world.call('GET', '/notifications'), 200).items as { id: string }[]
  const send = () => sendNotifications(webhooksOf(world.api).services)
  const waiting = async () =>
    (await sql<{ count: number }>`select count(*)::int as count from market.notification_sends`.execute(world.api.db))
      .rows[0]?.count
  /** A window of an hour on each side of now, there. */
  const windowAround = async (zone: string) => {
    const { rows } = await sql<{ from: string; until: string }>`
      select to_char((market.now() at time zone ${zone})::time - interval '1 hour', 'HH24:MI') as from,
        to_char((market.now() at time zone ${zone})::time + interval '1 hour', 'HH24:MI') as until`.execute(
      world.api.db,
    )
    return { ...rows[0], time_zone: zone }
  }

  describe('to a device', () => {
    it('are encrypted for it alone, and signed with the key that is published [spec w4:28]', async () => {
      const { browser } = await subscribe()
      const attachment = await happen()
      await send()
      const [message, ...others] = service.pushed
      if (!message) throw new Error('nothing was pushed')
      expect(others).to.have.length(0)
      expect(message.path).to.equal(new URL(browser.endpoint).pathname)
      expect(message.headers).to.include({ 'content-encoding': 'aes128gcm', ttl: String(DAY) })
      const [told] = await listed()
      expect(browser.open(message)).to.include({
        ...{ id: told?.id, kind: KIND, org: world.slug, entity_id: attachment },
        title: 'A file was attached to a page of yours',
      })
      expect(() => newBrowser(service).open(message)).to.throw()
      const { claims, key } = vapidOf(message)
      expect(claims.aud).to.equal(service.url)
      expect(Number(claims.exp) * 1000).to.be.within(Date.now(), Date.now() + DAY * 1000)
      expect(key).to.equal(pushKeys(world.api.settings).publicKey)
      expect(await waiting()).to.equal(0)
    })

    for (const status of [404, 410]) {
      it(`remove it where its service says ${status}`, async () => {
        await subscribe()
        await happen()
        service.status = status
        await send()
        expect(okOf(await world.mine('GET', '/push-subscriptions'), 200).items).to.deep.equal([])
        expect(await waiting()).to.equal(0)
      })
    }

    for (const status of [400, 403]) {
      it(`remove it where its service says ${status} for a week, and tell its owner in the app`, async () => {
        await subscribe()
        service.status = status
        const devices = async () => okOf(await world.mine('GET', '/push-subscriptions'), 200).items as object[]
        for (const days of [3, 3, 2]) {
          await happen()
          await send()
          expect(await devices()).to.have.length(1)
          await passTime(world.api, days * DAY)
        }
        await happen()
        await send()
        expect([await devices(), await waiting()]).to.deep.equal([[], 0])
        const { items } = okOf(await world.mine('GET', '/notifications'), 200)
        expect((items as { kind: string; url: string }[]).map(({ kind }) => kind)).to.deep.equal([
          'push.device_removed',
        ])
      })
    }

    it('keep it where its service took one within the week, and show when that was, and its browser', async () => {
      const { browser } = await subscribe()
      const { endpoint, keys } = browser
      await world.mine('POST', '/push-subscriptions', { endpoint, keys, browser: 'Firefox on Android' })
      const device = async () =>
        (okOf(await world.mine('GET', '/push-subscriptions'), 200).items as Record<string, string | null>[])[0]
      expect(await device()).to.include({ browser: 'Firefox on Android', last_success_at: null })
      for (const status of [403, 201, 403, 403]) {
        service.status = status
        await happen()
        await send()
        await passTime(world.api, 5 * DAY)
      }
      expect(Date.parse((await device())?.last_success_at ?? ''))
        .to.be.a('number')
        .and.be.greaterThan(0)
      expect(await waiting()).to.equal(0)
    })

    it('are tried again where the service fails, and given up where it refuses', async () => {
      await subscribe()
      await happen()
      service.status = 503
      await send()
      expect(await waiting()).to.equal(1)
      await send()
      expect(service.pushed).to.have.length(1)
      expect(await nextSendInMs(webhooksOf(world.api).services)).to.be.within(1, 60_000)
      service.status = 201
      await passTime(world.api, 61)
      await send()
      expect([service.pushed.length, await waiting()]).to.deep.equal([2, 0])
      await happen()
      service.status = 413
      await send()
      expect(await waiting()).to.equal(0)
      expect(okOf(await world.mine('GET', '/push-subscriptions'), 200).items).to.have.length(1)
    })

    it('end after six attempts', async () => {
      await subscribe()
      await happen()
      service.status = 500
      for (let attempt = 0; attempt < 8; attempt++) {
        await send()
        await passTime(world.api, DAY)
      }
      expect([service.pushed.length, await waiting()]).to.deep.equal([6, 0])
    })

    it('go although a row on file says that another was tried less than no time', async () => {
      const constraint = sql.raw('market.notification_sends drop constraint notification_sends_attempts')
      const { rows } = await sql<{
        definition: string
      }>`select pg_get_constraintdef(oid) as definition from pg_constraint
        where conname = 'notification_sends_attempts'`.execute(world.api.db)
      await subscribe()
      await happen()
      try {
        // Before there was the constraint, a stolen login could write that.
        await sql`alter table ${constraint}`.execute(world.api.db)
        await sql`update market.notification_sends set attempts = -5`.execute(world.api.db)
        await happen()
        await send()
        expect([service.pushed.length, await waiting()]).to.deep.equal([2, 0])
      } finally {
        const add = `alter table market.notification_sends add constraint notification_sends_attempts ${rows[0]?.definition}`
        await sql.raw(add).execute(world.api.db)
      }
    })

    it('end with the device, and with its account leaving the org [spec w4:29]', async () => {
      const { id } = await subscribe()
      await happen()
      expect((await world.mine('DELETE', `/push-subscriptions/${id}`, undefined, ben)).status).to.equal(404)
      expect((await world.mine('DELETE', `/push-subscriptions/${id}`)).status).to.equal(204)
      expect(await waiting()).to.equal(0)
      const page = okOf(
        await world.call('POST', '/pages', ben, { space: world.page.space_id, title: 'B', text: '' }),
        201,
      )
      await subscribe(newBrowser(service), ben)
      await world.upload({ page: String(page.id), insert: 'none' })
      expect(await waiting()).to.equal(1)
      await sql`delete from market.org_members where human_id = ${ben.id}`.execute(world.api.db)
      await send()
      await setMember(ben)
      expect([service.pushed.length, await waiting()]).to.deep.equal([0, 0])
    })

    it('are not sent once they were read', async () => {
      await subscribe()
      await happen()
      await world.call('POST', '/notifications/read', world.ada, { all: true })
      await send()
      expect([service.pushed.length, await waiting()]).to.deep.equal([0, 0])
    })

    it('go to no address that is not public, and to nothing without keys [spec w2:9 attacks:14]', async () => {
      const { keys, endpoint } = newBrowser(service)
      const idiom = String.fromCodePoint(
        ...Array.from({ length: 1_900 }, (_, place) => 0x4e00 + ((place * 7_919) % 20_000)),
      )
      const attempts = [
        { endpoint: 'https://10.0.0.1/push', keys, field: 'endpoint' },
        { endpoint: 'ftp://example.com', keys, field: 'endpoint' },
        // Nine characters for one, once they are written as a URL.
        { endpoint: `${endpoint}/${idiom}`, keys, field: 'endpoint' },
        { endpoint, keys: { ...keys, p256dh: Buffer.alloc(65, 4).toString('base64url') }, field: 'keys' },
        { endpoint, keys: { ...keys, auth: 'short' }, field: 'keys' },
      ]
      for (const { field, ...body } of attempts) {
        const reply = await world.mine('POST', '/push-subscriptions', body)
        expect([reply.status, reply.body.field], JSON.stringify(body)).to.deep.equal([400, field])
      }
      world.api.settings.webhooks.allowsLocal = false
      try {
        const reply = await world.mine('POST', '/push-subscriptions', { endpoint, keys })
        expect([reply.status, reply.body.field]).to.deep.equal([400, 'endpoint'])
      } finally {
        world.api.settings.webhooks.allowsLocal = true
      }
      // One that was named before, and resolves elsewhere now, is refused when it is connected to.
      await subscribe()
      await happen()
      const services = webhooksOf(world.api).services
      await sendNotifications({ ...services, settings: { ...services.settings, webhooks: { allowsLocal: false } } })
      expect([service.pushed.length, await waiting()]).to.deep.equal([0, 1])
    })

    describe('that somebody else registers', () => {
      const devicesOf = async (by: Account) =>
        okOf(await world.mine('GET', '/push-subscriptions', undefined, by), 200).items as {
          id: string
          endpoint: string
        }[]
      const register = (by: Account, { endpoint, keys }: Pick<Browser, 'endpoint' | 'keys'>) =>
        world.mine('POST', '/push-subscriptions', { endpoint, keys }, by)

      it('go to the account that registered its subscription last, and not to the former one, nor does what waited for them', async () => {
        const { browser, id } = await subscribe()
        await happen()
        expect(await waiting()).to.equal(1)
        const second = await subscribe(browser, ben)
        expect(second.id).not.to.equal(id)
        await send()
        await happen()
        await send()
        expect([service.pushed.length, await waiting()]).to.deep.equal([0, 0])
        expect([await devicesOf(world.ada), (await devicesOf(ben)).map((one) => one.id)]).to.deep.equal([
          ...[[], [second.id]],
        ])
        expect((await world.mine('DELETE', `/push-subscriptions/${id}`)).status).to.equal(404)
        await subscribe(browser)
        expect([(await devicesOf(world.ada)).length, await devicesOf(ben)]).to.deep.equal([1, []])
      })

      it('stay with it for somebody who knows its address or public key, but not its secret [risk push-address]', async () => {
        const { browser, id } = await subscribe()
        const foreign = newBrowser(service)
        const thefts = [
          { endpoint: browser.endpoint, keys: foreign.keys },
          { endpoint: browser.endpoint, keys: { ...browser.keys, auth: foreign.keys.auth } },
        ]
        for (const theft of thefts) {
          const reply = await register(ben, theft)
          expect([reply.status, reply.body.code], JSON.stringify(theft)).to.deep.equal([409, 'registered_elsewhere'])
        }
        expect((await devicesOf(world.ada)).map((one) => one.id)).to.deep.equal([id])
        expect(await devicesOf(ben)).to.deep.equal([])
        await happen()
        await send()
        expect(service.pushed).to.have.length(1)
      })

      it('go to one of two who register it at once', async () => {
        for (let round = 0; round < 5; round++) {
          const browser = newBrowser(service)
          const replies = await Promise.all([world.ada, ben, world.ada, ben].map((by) => register(by, browser)))
          expect(replies.map(({ status }) => status)).to.deep.equal([201, 201, 201, 201])
          const { rows } =
            await sql`select from market.push_subscriptions where endpoint = ${browser.endpoint}`.execute(world.api.db)
          expect(rows).to.have.length(1)
        }
        // Two devices, which both register in opposite order.
        const devices = [newBrowser(service), newBrowser(service)] as const
        await Promise.all([
          ...devices.map((browser) => register(world.ada, browser)),
          ...devices.toReversed().map((browser) => register(ben, browser)),
        ])
        const endpoints = [...(await devicesOf(world.ada)), ...(await devicesOf(ben))].map(({ endpoint }) => endpoint)
        expect(new Set(endpoints).size).to.equal(endpoints.length)
      })

      it('are for its browser in whatever form its address and its keys were written', async () => {
        const { endpoint, keys } = newBrowser(service)
        const forms = [
          { endpoint: endpoint.replace('http:', 'HTTP:'), keys },
          { endpoint: `${endpoint}#former`, keys },
          { endpoint, keys: { ...keys, p256dh: `${keys.p256dh}=` } },
        ]
        for (const form of forms) {
          okOf(await register(world.ada, form), 201)
          okOf(await register(ben, { endpoint, keys }), 201)
          expect(await devicesOf(world.ada), form.endpoint).to.deep.equal([])
        }
        expect(await devicesOf(ben)).to.have.length(1)
        const point = Buffer.from(keys.p256dh, 'base64url')
        const odd = (point.at(-1) ?? 0) % 2
        const packed = Buffer.concat([Buffer.of(2 + odd), point.subarray(1, 33)])
        const hybrid = Buffer.concat([Buffer.of(6 + odd), point.subarray(1)])
        for (const other of [packed, hybrid]) {
          const body = { endpoint, keys: { ...keys, p256dh: other.toString('base64url') } }
          const reply = await register(world.ada, body)
          expect([reply.status, reply.body.field]).to.deep.equal([400, 'keys'])
        }
      })
    })

    it('go once to a device that subscribes again, and to twenty at most', async () => {
      const { browser, id } = await subscribe()
      expect((await subscribe(browser)).id).to.equal(id)
      // By their endpoints alone: a browser may renew its keys, and keep them for another endpoint.
      const renewed = newBrowser(service)
      expect((await subscribe({ ...renewed, endpoint: browser.endpoint })).id).to.equal(id)
      for (let count = 0; count < 20; count++) await subscribe({ ...newBrowser(service), keys: renewed.keys })
      const items = okOf(await world.mine('GET', '/push-subscriptions'), 200).items as { id: string }[]
      expect(items.map((one) => one.id))
        .to.have.length(20)
        .and.not.include(id)
    })
  })

  describe('by mail', () => {
    before(() => sql`update market.humans set confirmed_email = email`.execute(world.api.db))

    it('go to the address of a human who wants them', async () => {
      await setPrefs({ kinds: [{ kind: KIND, channels: ['email'] }] })
      await subscribe()
      await happen()
      await send()
      const [sent, ...others] = mail.mails
      expect([others.length, service.pushed.length, (await listed()).length]).to.deep.equal([0, 0, 0])
      const { email } = await world.api.db
        .selectFrom('market.humans')
        .select('email')
        .where('id', '=', world.ada.id)
        .executeTakeFirstOrThrow()
      expect(sent?.to).to.deep.equal([email])
      expect(sent?.text).to.include('Subject: A file was attached to a page of yours').and.include('/attachments/')
      expect(sent?.text).to.include('From: market@example.com').and.include('Auto-Submitted: auto-generated')
    })

    it('say what happened and where to read it, to a thief of the mail server neither a name nor what anybody wrote [risk mail-server]', async () => {
      await setPrefs({ kinds: [{ kind: KIND, channels: ['email'] }] })
      await happen()
      await send()
      const [sent] = mail.mails
      expect(sent?.text).to.include('A file was attached to a page of yours')
      for (const written of ['Ben', 'verse.txt', 'Forty-two']) expect(sent?.text, written).to.not.include(written)
    })

    it('are tried again after a temporary refusal, and not after a lasting one', async () => {
      await setPrefs({ kinds: [{ kind: KIND, channels: ['email'] }] })
      await happen()
      mail.refusal = 451
      await send()
      expect(await waiting()).to.equal(1)
      mail.refusal = 550
      await passTime(world.api, HOUR)
      await send()
      expect([mail.mails.length, await waiting()]).to.deep.equal([0, 0])
    })

    it('are not offered without a server', async () => {
      const { mail: configured } = world.api.settings
      world.api.settings.mail = undefined
      try {
        const body = { kinds: [{ kind: KIND, channels: ['email'] }] }
        const { status, body: problem } = await world.mine('PUT', '/notification-prefs', body)
        expect([status, problem.field]).to.deep.equal([400, 'kinds'])
      } finally {
        world.api.settings.mail = configured
      }
    })
  })

  describe('as an account wants them', () => {
    it('are in the list and pushed, where nothing else is said [spec w2:8 w4:26]', async () => {
      expect(okOf(await world.mine('GET', '/notification-prefs'), 200)).to.deep.equal({
        ...{ kinds: [], quiet_hours: null, hidden_roles: [] },
      })
      await setPrefs({ kinds: [{ kind: 'task.assigned', channels: ['email'] }] })
      await subscribe()
      await happen()
      await send()
      expect([(await listed()).length, service.pushed.length, mail.mails.length]).to.deep.equal([1, 1, 0])
    })

    it('are replaced as a whole [spec w4:27]', async () => {
      const hours = { from: '22:00', until: '07:30', time_zone: 'Europe/Berlin' }
      const kinds = [{ kind: KIND, channels: [], in_quiet_hours: false }]
      expect(await setPrefs({ kinds, quiet_hours: hours })).to.deep.equal({
        kinds,
        quiet_hours: hours,
        hidden_roles: [],
      })
      await happen()
      expect([(await listed()).length, await waiting()]).to.deep.equal([0, 0])
      expect(await setPrefs({})).to.deep.equal({ kinds: [], quiet_hours: null, hidden_roles: [] })
    })

    it('are refused for what cannot be', async () => {
      const twice = { kind: KIND, channels: ['in_app'] }
      const late = new Date(Date.now() + 800 * DAY * 1000).toISOString()
      const wrong: [object, string][] = [
        [{ kinds: [twice, twice] }, 'kinds'],
        [{ kinds: [{ kind: KIND, channels: ['pigeon'] }] }, 'kinds'],
        [{ kinds: [{ kind: 'task.invented', channels: ['in_app'] }] }, 'kinds'],
        [{ kinds: [{ kind: 'constructor', channels: ['in_app'] }] }, 'kinds'],
        [{ quiet_hours: { from: '22:00', until: '22:00', time_zone: 'UTC' } }, 'quiet_hours'],
        [{ quiet_hours: { from: '25:00', until: '22:00', time_zone: 'UTC' } }, 'quiet_hours'],
        [{ quiet_hours: { from: '22:00', until: '07:00', time_zone: 'Mars/Olympus' } }, 'quiet_hours'],
        [{ hidden_roles: [{ role: 'author', until: late }] }, 'hidden_roles'],
        [{ hidden_roles: [{ role: 'king', until: late }] }, 'hidden_roles'],
        [{ hidden_roles: [{ role: 'author', until: '0000-01-01T00:00:00Z' }] }, 'hidden_roles'],
      ]
      for (const [prefs, field] of wrong) {
        const reply = await world.mine('PUT', '/notification-prefs', { kinds: [], ...prefs })
        expect(reply.status, JSON.stringify(prefs)).to.equal(400)
        expect(String(reply.body.field).split(/[.[]/)[0]).to.equal(field)
      }
    })

    it('wait for the end of quiet hours there, in the list and to devices, and are not lost [spec w3:7]', async () => {
      await setPrefs({ quiet_hours: await windowAround('Asia/Kathmandu') })
      await subscribe()
      await happen()
      await send()
      expect([(await listed()).length, service.pushed.length, await waiting()]).to.deep.equal([0, 0, 1])
      expect((await world.call('POST', '/notifications/read', world.ada, { all: true })).body).to.deep.equal({
        marked: 0,
      })
      await passTime(world.api, HOUR + 60)
      await send()
      expect([(await listed()).length, service.pushed.length, await waiting()]).to.deep.equal([1, 1, 0])
    })

    it('appear in quiet hours where their kind is let through', async () => {
      const kinds = [{ kind: KIND, channels: ['in_app'], in_quiet_hours: true }]
      await setPrefs({ kinds, quiet_hours: await windowAround('Asia/Kathmandu') })
      await happen()
      expect(await listed()).to.have.length(1)
    })

    it('are not tried again in quiet hours, but after them', async () => {
      const { rows } = await sql<{ from: string; until: string }>`
        select to_char(market.now() at time zone 'UTC' + interval '50 seconds', 'HH24:MI:SS') as from,
          to_char(market.now() at time zone 'UTC' + interval '2 hours', 'HH24:MI:SS') as until`.execute(world.api.db)
      const { from, until } = rows[0] as { from: string; until: string }
      await setPrefs({ quiet_hours: { from: '00:00', until: '00:01', time_zone: 'UTC' } })
      // To the second, so that the attempt is before them and the next one within them.
      await sql`update market.notification_prefs set quiet_from = ${from}, quiet_until = ${until}`.execute(world.api.db)
      await subscribe()
      service.status = 503
      await happen()
      await send()
      service.status = 201
      await passTime(world.api, HOUR)
      await send()
      expect([service.pushed.length, await waiting()]).to.deep.equal([1, 1])
      await passTime(world.api, HOUR + 60)
      await send()
      expect([service.pushed.length, await waiting()]).to.deep.equal([2, 0])
    })

    it('wait while the role is hidden, and then for the end of quiet hours [spec w3:8]', async () => {
      const { rows } = await sql<{ until: Date }>`select market.now() + interval '3 hours' as until`.execute(
        world.api.db,
      )
      const until = rows[0]?.until.toISOString()
      const offset = until?.replace('Z', '+00:00')
      expect(await setPrefs({ hidden_roles: [{ role: 'author', until: offset }] }))
        .to.have.property('hidden_roles')
        .that.deep.equals([{ role: 'author', until }])
      await happen()
      expect(await listed()).to.have.length(0)
      await setPrefs({ hidden_roles: [{ role: 'watcher', until }] })
      await happen()
      expect(await listed()).to.have.length(1)
      await passTime(world.api, 3 * HOUR + 1)
      expect(await listed()).to.have.length(2)
    })
  })

  it('know quiet hours that pass midnight, and clocks that are changed', async () => {
    const after = async (at: string, from: string, until: string, zone: string) => {
      const { rows } = await sql<{ time: Date }>`
        select market.after_quiet_hours(${at}::timestamptz, ${from}::time, ${until}::time, ${zone}) as time`.execute(
        world.api.db,
      )
      return rows[0]?.time.toISOString().slice(0, 16)
    }
    const night = ['22:00', '07:00', 'Europe/Berlin'] as const
    expect(await after('2026-06-01T20:30Z', ...night)).to.equal('2026-06-02T05:00')
    expect(await after('2026-06-02T04:59Z', ...night)).to.equal('2026-06-02T05:00')
    expect(await after('2026-06-02T05:00Z', ...night)).to.equal('2026-06-02T05:00')
    expect(await after('2026-06-01T19:59Z', ...night)).to.equal('2026-06-01T19:59')
    // The night of 28 to 29 March 2026 has an hour less there, that of 24 to 25 October one more.
    expect(await after('2026-03-28T22:00Z', ...night)).to.equal('2026-03-29T05:00')
    expect(await after('2026-10-24T21:00Z', ...night)).to.equal('2026-10-25T06:00')
    const noon = ['12:00', '13:00', 'America/New_York'] as const
    expect(await after('2026-01-01T17:30Z', ...noon)).to.equal('2026-01-01T18:00')
    expect(await after('2026-01-01T18:30Z', ...noon)).to.equal('2026-01-01T18:30')
    // 02:30 does not exist on the day that it would end.
    expect(await after('2026-03-29T00:30Z', '01:00', '02:30', 'Europe/Berlin')).to.equal('2026-03-29T01:30')
  })
})
