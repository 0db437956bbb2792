import { after, before, beforeEach, describe, it } from 'node:test'
import { expect } from 'chai'
import { sql } from 'kysely'
import pg from 'pg'
import { purge } from '../../../../api/purge.ts'
import { sendEmailConfirmations } from '../../../../api/workspace/mails/sendConfirmations.ts'
import { sendNotifications } from '../../../../api/workspace/notifications/send.ts'
import type { Account } from '../../../kit/api/identity/accounts/owners.ts'
import { webhooksOf } from '../../../kit/api/platform/webhooks/world.ts'
import { passTime } from '../../../kit/api/trading.ts'
import { newMember } from '../../../kit/api/workspace/joining.ts'
import { type MailServer, startMailServer } from '../../../kit/api/workspace/mailServer.ts'
import { startWorkspace, type Workspace } from '../../../kit/api/workspace/world.ts'
import { meetAt } from '../../../kit/between/statements.ts'

const HOUR = 3_600
const DAY = 24 * HOUR
const ONE_CLICK = { 'Content-Type': 'application/x-www-form-urlencoded' }

describe('mails to people', () => {
  let world: Workspace
  let mail: MailServer
  /** Attaches files to a page of Ada's, who wants mails. */
  let ben: Account

  before(async () => {
    world = await startWorkspace()
    mail = await startMailServer()
    world.api.settings.mail = { url: mail.url, from: 'market@example.com' }
    ben = await newMember(world, 'Ben')
    const kinds = [{ kind: 'attachment.created', channels: ['email'] }]
    expect((await world.mine('PUT', '/notification-prefs', { kinds })).status).to.equal(200)
  })
  after(async () => {
    await mail?.stop()
    await world?.stop()
  })
  beforeEach(async () => {
    for (const table of ['notifications', 'email_confirmations', 'notification_mails'])
      await sql`delete from ${sql.table(`market.${table}`)}`.execute(world.api.db)
    await sql`update market.humans set confirmed_email = null`.execute(world.api.db)
    mail.mails.length = 0
    mail.refusal = null
  })

  const services = () => webhooksOf(world.api).services
  const send = () => sendNotifications(services())
  const happen = async () =>
    expect((await world.upload({ page: world.page.id, insert: 'none' }, undefined, ben)).status).to.equal(201)
  /** The same happens so many times. */
  const happenOften = async (times: number) => {
    await happen()
    await sql`with another as (
        insert into market.notifications (id, org_id, account_id, human_id, kind, role, entity_type, entity_id, short_id,
          space_id)
        select gen_random_uuid(), org_id, account_id, human_id, kind, role, entity_type, entity_id, short_id, space_id
        from market.notifications, generate_series(2, ${times}) returning id)
      insert into market.notification_sends (notification_id, channel, next_attempt_at)
      select id, 'email', market.now() from another`.execute(world.api.db)
  }
  /** How many mails are counted, and how many confirmations asked for. */
  const rowsKept = async () => {
    const { rows } = await sql<{ mails: string; confirmations: string }>`
      select (select count(*) from market.notification_mails) as mails,
        (select count(*) from market.email_confirmations) as confirmations`.execute(world.api.db)
    return rows.flatMap(({ mails, confirmations }) => [Number(mails), Number(confirmations)])
  }
  const ask = async (by = world.ada) => (await world.mine('POST', '/email/confirmations', undefined, by)).status
  const isConfirmed = async () => {
    const { status, body } = await world.mine('GET', '/email')
    expect(status, JSON.stringify(body)).to.equal(200)
    return body.is_confirmed
  }
  /** What the audit log has of the addresses of people, oldest first. */
  const audited = async () => {
    const { rows } = await sql<{ actor: string; action: string; subject: string; details: unknown }>`
      select actor, action, subject, details from market.audit_log where action like 'email.%' order by id`.execute(
      world.api.db,
    )
    return rows
  }
  const entry = (action: string) => ({ actor: world.ada.urn, action, subject: world.ada.urn, details: null })
  const confirmAll = () => sql`update market.humans set confirmed_email = email`.execute(world.api.db)
  /** The text of a mail as it is read: without the soft breaks of its encoding. */
  const textOf = (index = 0) => decoded(String(mail.mails[index]?.text))
  const decoded = (text: string) => {
    const [headers = '', ...body] = text.split('\r\n\r\n')
    const content = body.join('\r\n\r\n')
    const isQuoted = /^Content-Transfer-Encoding: quoted-printable/im.test(headers)
    const plain = isQuoted ? content.replaceAll(/=\r?\n/g, '').replaceAll('=3D', '=') : content
    return `${headers}\r\n\r\n${plain}`
  }
  const linkIn = (text: string, path: string) => {
    const link = new RegExp(`http\\S*/mail/${path}\\?token=[A-Za-z0-9_-]+`).exec(text)?.[0]
    if (!link) throw new Error(`the mail has no link: ${text}`)
    return reached(link)
  }
  // The links have the address that the service is known by, and not where it listens here.
  const reached = (link: string) => link.replace(world.api.settings.baseUrl, world.api.baseUrl)
  /** Asks for a confirmation and returns the link that comes by mail. */
  const confirmationLink = async () => {
    expect(await ask()).to.equal(202)
    await sendEmailConfirmations(services())
    return linkIn(textOf(mail.mails.length - 1), 'confirm')
  }
  const post = (link: string) => fetch(link, { method: 'POST', headers: ONE_CLICK, body: 'List-Unsubscribe=One-Click' })

  describe('to an address', () => {
    it('are counted for as long as they count, and what asked for a confirmation is kept as long', async () => {
      expect(await ask()).to.equal(202)
      await confirmAll()
      await happen()
      await send()
      expect(await rowsKept()).to.deep.equal([1, 1])
      await passTime(world.api, HOUR)
      await purge({ ...services(), db: world.api.serviceDb })
      expect(await rowsKept()).to.deep.equal([0, 1])
      await passTime(world.api, DAY)
      await purge({ ...services(), db: world.api.serviceDb })
      expect(await rowsKept()).to.deep.equal([0, 0])
    })

    it('are none before its owner confirmed it, whatever happens [risk other-address]', async () => {
      await happenOften(25)
      await send()
      expect(mail.mails).to.have.length(0)
    })

    it('come once it was confirmed by the link, whose opening alone confirms nothing [risk mail-server]', async () => {
      const link = await confirmationLink()
      const page = await fetch(link)
      expect([page.status, page.headers.get('content-type'), page.headers.get('referrer-policy')]).to.deep.equal([
        ...[200, 'text/html; charset=utf-8', 'no-referrer'],
      ])
      expect(await page.text())
        .to.include('<form method="post">')
        .and.not.include(new URL(link).searchParams.get('token'))
      expect(await isConfirmed()).to.equal(false)
      expect((await post(link)).status).to.equal(200)
      expect(await isConfirmed()).to.equal(true)
      await happen()
      await send()
      expect(mail.mails).to.have.length(2)
    })

    it('are confirmed once by a link, within a day, and for the address that it was sent to', async () => {
      const link = await confirmationLink()
      const before = await audited()
      const both = await Promise.all([post(link), post(link)])
      expect(both.map(({ status }) => status).sort()).to.deep.equal([200, 404])
      expect((await audited()).slice(before.length)).to.deep.equal([entry('email.confirm')])
      await sql`update market.humans set confirmed_email = null`.execute(world.api.db)
      const late = await confirmationLink()
      await passTime(world.api, DAY + 1)
      expect((await post(late)).status).to.equal(404)
      const former = await confirmationLink()
      await sql`update market.humans set email = 'other@example.com' where id = ${world.ada.id}`.execute(world.api.db)
      expect((await post(former)).status).to.equal(404)
      expect((await post(former.replace(/token=.*/, `token=${'A'.repeat(43)}`))).status).to.equal(404)
      expect(await isConfirmed()).to.equal(false)
    })

    it('are confirmed by the link of the newest attempt, also if an earlier attempt ends after it began', async () => {
      expect(await ask()).to.equal(202)
      const watcher = new pg.Client({ connectionString: world.api.databaseUrl })
      await watcher.connect()
      // The first attempt takes longer than a minute: before it is recorded, another worker tries, and the
      // server refuses.
      const next = async () => {
        await passTime(world.api, 61)
        mail.refusal = 450
        await sendEmailConfirmations(services())
        mail.refusal = null
      }
      await meetAt(2, () => sendEmailConfirmations(services()), next, watcher)
      await watcher.end()
      await passTime(world.api, HOUR)
      await sendEmailConfirmations(services())
      expect(mail.mails).to.have.length(2)
      expect((await post(linkIn(textOf(1), 'confirm'))).status).to.equal(200)
      expect(await isConfirmed()).to.equal(true)
    })

    it('are none once the address was changed', async () => {
      await confirmAll()
      await sql`update market.humans set email = 'another@example.com' where id = ${world.ada.id}`.execute(world.api.db)
      await happen()
      await send()
      expect([mail.mails.length, await isConfirmed()]).to.deep.equal([0, false])
    })

    it('are three confirmations a day, of a person and to an address, also by calls at once', async () => {
      const statuses = await Promise.all(Array.from({ length: 6 }, () => ask()))
      expect(statuses.sort()).to.deep.equal([202, 202, 202, 429, 429, 429])
      await sql`update market.humans set email = (select upper(email) from market.humans where id = ${world.ada.id})
        where id = ${ben.id}`.execute(world.api.db)
      expect(await ask(ben)).to.equal(429)
      await passTime(world.api, DAY + 1)
      expect(await ask()).to.equal(202)
    })

    it('are confirmations that are tried again, and leave no link that works in the database', async () => {
      mail.refusal = 451
      expect(await ask()).to.equal(202)
      await sendEmailConfirmations(services())
      mail.refusal = null
      await sendEmailConfirmations(services())
      expect(mail.mails).to.have.length(0)
      await passTime(world.api, 61)
      await sendEmailConfirmations(services())
      await sendEmailConfirmations(services())
      expect(mail.mails).to.have.length(1)
      const token = new URL(linkIn(textOf(), 'confirm')).searchParams.get('token')
      const { rows } = await sql`select asked::text as row from market.email_confirmations asked`.execute(world.api.db)
      expect(JSON.stringify(rows)).to.not.include(token).and.not.include('@')
      // Not once their link has expired.
      expect(await ask()).to.equal(202)
      await passTime(world.api, DAY)
      await sendEmailConfirmations(services())
      expect(mail.mails).to.have.length(1)
    })

    it('are not asked for without a mail server, or for an address that is confirmed', async () => {
      await confirmAll()
      expect(await ask()).to.equal(409)
      const { mail: configured } = world.api.settings
      world.api.settings.mail = undefined
      try {
        expect(await ask(ben)).to.equal(409)
      } finally {
        world.api.settings.mail = configured
      }
    })
  })

  describe('end by one click', () => {
    it('by the link in each mail that a mail client posts to, without a session or a redirect', async () => {
      await confirmAll()
      await happen()
      await send()
      const [headers = ''] = textOf().split('\r\n\r\n')
      expect(headers).to.include('List-Unsubscribe-Post: List-Unsubscribe=One-Click')
      const link = reached(/^List-Unsubscribe:\s+<([^>]+)>/m.exec(headers)?.[1] ?? '')
      const page = await fetch(link)
      expect([page.status, (await page.text()).includes('<form method="post">')]).to.deep.equal([200, true])
      expect(await isConfirmed()).to.equal(true)
      const form = new FormData()
      form.set('List-Unsubscribe', 'One-Click')
      const before = await audited()
      const answer = await fetch(link, { method: 'POST', body: form, redirect: 'manual' })
      expect([answer.status, await isConfirmed()]).to.deep.equal([200, false])
      expect((await post(link)).status).to.equal(200)
      expect((await audited()).slice(before.length)).to.deep.equal([entry('email.unsubscribe')])
      await happen()
      await send()
      expect(mail.mails).to.have.length(1)
    })

    it('for the person whose link it is, and by no link that we did not make [risk mail-link]', async () => {
      const unused = await confirmationLink()
      await confirmAll()
      await happen()
      await send()
      const link = linkIn(textOf(1), 'unsubscribe')
      const last = link.at(-1) === 'A' ? 'B' : 'A'
      for (const forged of [link.slice(0, -1) + last, link.replace(/token=./, 'token=_'), link.slice(0, -4)])
        expect((await post(forged)).status, forged).to.be.within(400, 404)
      expect(await isConfirmed()).to.equal(true)
      expect((await post(link)).status).to.equal(200)
      const { rows } = await sql`select id from market.humans where confirmed_email is null`.execute(world.api.db)
      expect(rows).to.deep.equal([{ id: world.ada.id }])
      // A link that waits in the mailbox does not turn them on again.
      expect((await post(unused)).status).to.equal(404)
    })
  })

  describe('are few', () => {
    beforeEach(() => confirmAll())

    it('all that is due is one mail', async () => {
      await happenOften(25)
      await Promise.all([send(), send()])
      expect(mail.mails).to.have.length(1)
      expect(textOf()).to.include('Subject: 25 notifications')
      expect(textOf().match(/\/attachments\//g)).to.have.length(25)
    })

    it('above four in an hour the rest waits for the end of it, and is one mail', async () => {
      for (let event = 0; event < 10; event++) {
        await happen()
        await send()
      }
      expect(mail.mails).to.have.length(4)
      await passTime(world.api, HOUR - 60)
      await send()
      expect(mail.mails).to.have.length(4)
      await passTime(world.api, 120)
      await send()
      expect(mail.mails).to.have.length(5)
      expect(textOf(4)).to.include('Subject: 6 notifications').and.include('List-Unsubscribe-Post')
    })

    it('what was read meanwhile is in none', async () => {
      await happen()
      await sql`update market.notifications set read_at = market.now()`.execute(world.api.db)
      await happen()
      await send()
      expect(textOf()).to.include('Subject: A file was attached')
    })

    it('a mail that the server did not take counts for nothing, and is sent again with all that is due', async () => {
      await happen()
      await happen()
      mail.refusal = 451
      for (let attempt = 0; attempt < 4; attempt++) {
        await send()
        await passTime(world.api, 600)
      }
      mail.refusal = null
      await happen()
      await passTime(world.api, 2 * HOUR)
      await send()
      expect(mail.mails).to.have.length(1)
      expect(textOf()).to.include('Subject: 3 notifications')
    })
  })
})
