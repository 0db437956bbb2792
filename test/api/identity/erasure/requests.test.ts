import { after, before, describe, it } from 'node:test'
import { expect } from 'chai'
import { sql } from 'kysely'
import { tellOfErasures } from '../../../../api/identity/erasure/jobs.ts'
import { type Account, newHuman } from '../../../kit/api/identity/accounts/owners.ts'
import { fileDueErasure, runErasures } from '../../../kit/api/identity/erasure.ts'
import { type Api, expectProblem, startApi } from '../../../kit/api/platform/http/api.ts'
import { jobServices } from '../../../kit/api/trading/disputes/arbitration.ts'

const FORBIDDEN = '42501'

describe('a request to erase somebody', () => {
  let api: Api
  before(async () => {
    api = await startApi()
  })
  after(() => api.stop())

  const services = () => jobServices({ serviceDb: api.workerDb, settings: api.settings })
  const me = (who: Account) => api.send('GET', '/v1/me', { token: who.token })
  const failure = (text: string, db = api.serviceDb) =>
    sql
      .raw(text)
      .execute(db)
      .then(
        () => 'done',
        ({ code }: { code: string }) => code,
      )
  const file = (who: Account) => failure(`insert into market.erasure_requests (human_id) values ('${who.id}')`)
  const tell = () => tellOfErasures(services())
  /** The channels by which a person was notified of something, and whether whatever they prefer. */
  const notices = async (who: Account, kind: string) => {
    const { rows } = await sql<{ channel: string; is_urgent: boolean }>`
      select send.channel, send.is_urgent from market.notification_sends send
      join market.notifications told on told.id = send.notification_id
      where told.account_id = ${who.id} and told.kind = ${kind} and told.is_in_app order by 1`.execute(api.db)
    return rows
  }
  const EVERY_CHANNEL = [
    { channel: 'email', is_urgent: true },
    { channel: 'push', is_urgent: true },
  ]
  /** Moves the notice of a request to the past. */
  const age = async (who: Account, interval: string) => {
    await sql`delete from market.erasure_requests where human_id = ${who.id}`.execute(api.db)
    await sql`insert into market.erasure_requests (human_id, told_at)
      values (${who.id}, market.now() - ${interval}::interval)`.execute(api.db)
  }

  it('is what an erasure needs: the login of the API erases nobody, and that of the worker nobody without one [risk market-api]', async () => {
    const victim = await newHuman(api, 'Victim')
    const erase = `select market.erase_human('${victim.id}')`
    expect(await failure(erase)).to.equal(FORBIDDEN)
    expect(await failure(erase, api.workerDb)).to.equal('55000')
    expect(await file(victim)).to.equal('done')
    expect(await failure(erase)).to.equal(FORBIDDEN)
    expect(await failure(erase, api.workerDb)).to.equal('55000')
    await tell()
    expect(await failure(erase, api.workerDb)).to.equal('55000')
    expect((await me(victim)).status).to.equal(200)
  })

  it('is dated by the database alone, when the worker notifies the person [risk market-api]', async () => {
    const victim = await newHuman(api, 'Victim')
    for (const column of ['told_at', 'requested_at'])
      expect(
        await failure(
          `insert into market.erasure_requests (human_id, ${column}) values ('${victim.id}', now() - interval '9 days')`,
        ),
      ).to.equal(FORBIDDEN)
    expect(await file(victim)).to.equal('done')
    const date = `update market.erasure_requests set told_at = now() - interval '9 days' where human_id = '${victim.id}'`
    expect(await failure(date)).to.equal(FORBIDDEN)
    expect(await failure(date, api.workerDb)).to.equal('done')
    expect(await failure(date, api.workerDb)).to.equal('23514')
    await runErasures(api)
    expect((await me(victim)).status).to.equal(200)
  })

  it('that a thief of the API’s login files is told to the person by every channel, who cancels it [risk market-api]', async () => {
    const victim = await newHuman(api, 'Victim')
    await sql`insert into market.push_subscriptions (id, account_id, human_id, endpoint, p256dh, auth)
      values (gen_random_uuid(), ${victim.id}, ${victim.id}, 'https://push.example.com/w', 'w', 'a')`.execute(api.db)
    await sql`insert into market.notification_prefs (account_id, human_id, kinds, hidden_roles)
      values (${victim.id}, ${victim.id}, '[{"kind": "erasure.requested", "channels": [], "in_quiet_hours": false}]', '[]')`.execute(
      api.db,
    )
    expect(await file(victim)).to.equal('done')
    // Two workers, and no reader of the event log, whose place the thief may have moved.
    await Promise.all([tell(), tell()])
    expect(await notices(victim, 'erasure.requested')).to.deep.equal(EVERY_CHANNEL)
    const { body } = await api.send('GET', '/me/notifications', { token: victim.token })
    expect((body as unknown as { items: object[] }).items[0]).to.include({
      kind: 'erasure.requested',
      url: `${api.settings.baseUrl}/console/account`,
    })
    expect(Date.parse(String((await me(victim)).body.erase_at)) - Date.now()).to.be.within(71.9 * 3.6e6, 72.1 * 3.6e6)

    expect((await api.send('DELETE', '/v1/me/erase', { token: victim.token })).status).to.equal(204)
    expect(await notices(victim, 'erasure.cancelled')).to.deep.equal(EVERY_CHANNEL)
    expect((await me(victim)).body.erase_at).to.equal(null)
    expectProblem(await api.send('DELETE', '/v1/me/erase', { token: victim.token }), 404, 'resource/not-found')
    await runErasures(api)
    expect((await me(victim)).body.display_name).to.equal('Victim')
  })

  it('is carried out three days after the notice, and no sooner', async () => {
    const leaver = await newHuman(api, 'Leaver')
    const filed = await api.send('POST', '/v1/me/erase', { token: leaver.token })
    expect(filed.status).to.equal(202)
    expect(filed.body.erase_at).to.equal((await me(leaver)).body.erase_at)
    await age(leaver, '71 hours 59 minutes')
    await runErasures(api)
    expect((await me(leaver)).status).to.equal(200)
    await age(leaver, '72 hours')
    await runErasures(api)
    expectProblem(await me(leaver), 401, 'auth/unauthenticated')
  })

  it('waits while something is open, and holds up nobody else', async () => {
    const [busy, leaver] = [await newHuman(api), await newHuman(api)]
    for (const { id } of [busy, leaver]) await fileDueErasure(api.db, id)
    await sql`update market.humans set role = 'operator' where id = ${busy.id}`.execute(api.db)
    await runErasures(api)
    expect((await me(busy)).status).to.equal(200)
    expectProblem(await me(leaver), 401, 'auth/unauthenticated')
    await sql`update market.humans set role = 'member' where id = ${busy.id}`.execute(api.db)
    await runErasures(api)
    expectProblem(await me(busy), 401, 'auth/unauthenticated')
  })
})
