import { once } from 'node:events'
import { connect } from 'node:net'
import { after, before, describe, it } from 'node:test'
import { expect } from 'chai'
import { sql } from 'kysely'
import { z } from 'zod'
import { Problem } from '../../../../api/errors.ts'
import { defineRoute } from '../../../../api/platform/http/route/route.ts'
import { serve } from '../../../../api/platform/http/serve/serve.ts'
import { orderProblems } from '../../../../api/trading/orders/record/problems.ts'
import { type Api, expectProblem, startApi } from '../../../kit/api/platform/http/api.ts'

const number = z.object({ value: z.string() })
const write = {
  method: 'post',
  access: { scope: 'transact', as: 'any' },
  answers: { 200: { description: '', schema: number } },
} as const

describe('every answer', () => {
  let api: Api
  const lines: string[] = []
  before(async () => {
    api = await startApi({ log: { write: (line) => void lines.push(line) } })
  })
  after(() => api.stop())

  it('has an id that is in the log, and says which version it is in [spec 2.1:9 9:1]', async () => {
    const { headers } = await api.send('GET', '/healthz', { headers: { 'market-version': '2026-05-05' } })
    expect(headers.get('market-version')).to.equal('2026-05-05')
    expect(headers.get('vary')).to.equal('Market-Version, Origin')
    expect(headers.get('cache-control')).to.equal('no-store')
    expect(lines.some((line) => JSON.parse(line).requestId === headers.get('x-request-id'))).to.equal(true)
  })

  it('to a read without a version is in the current one [spec 9:4]', async () => {
    const { headers } = await api.send('GET', '/healthz', { headers: { 'market-version': undefined } })
    expect(headers.get('market-version')).to.equal('2026-05-17')
  })

  it('in an older version says since when there is a later one [spec 9:6] [risk API9]', async () => {
    const send = (version: string) => api.send('GET', '/v1/me', { headers: { 'market-version': version } })
    expect((await send('2026-05-05')).headers.get('deprecation')).to.equal(`@${Date.UTC(2026, 4, 17) / 1000}`)
    expect((await send('2026-05-17')).headers.has('deprecation')).to.equal(false)
    expect((await send('2026-05-05')).headers.get('sunset')).to.equal('Tue, 01 Jun 2027 00:00:00 GMT')
    expect((await send('2026-05-17')).headers.has('sunset')).to.equal(false)
  })

  it('to a problem in 2026-05-05 has the address of its page as type, whatever it is refused by [spec 7:3]', async () => {
    const older = { headers: { 'market-version': '2026-05-05' } }
    const refusals = [
      ['GET', '/v1/me', 'auth/unauthenticated'],
      ['GET', '/v1/nothing', 'request/not-found'],
      ['DELETE', '/v1/me', 'request/method-not-allowed'],
    ] as const
    for (const [method, path, name] of refusals) {
      const { type } = (await api.send(method, path, older)).body
      expect(type).to.equal(`${api.settings.baseUrl}/problems/${name}`)
      const page = await fetch(api.baseUrl + new URL(String(type)).pathname)
      expect([page.status, page.headers.get('content-type')]).to.deep.equal([200, 'text/html; charset=utf-8'])
      expect((await api.send(method, path)).body.type).to.equal(`market:error:${name}`)
    }
  })

  it('leaves no secret and no personal data in the log', async () => {
    const body = { display_name: 'Grace Hopper', email: 'grace@example.com' }
    await api.send('POST', '/v1/accounts/humans', { token: api.first.operator_token, body })
    await api.send('POST', '/v1/accounts/humans?email=grace@example.com', { token: api.first.operator_token, body })
    await api.send('GET', `/v1/${api.first.operator_token}`, { token: api.first.operator_token })
    const log = lines.join('')
    for (const secret of ['grace', 'Grace', api.first.operator_token.slice('market_pat_'.length)]) {
      expect(log).not.to.include(secret)
    }
  })
})

describe('a verb over HTTP', () => {
  let api: Api
  let attempts = 0
  const reached = Promise.withResolvers<void>()
  const mayGoOn = Promise.withResolvers<void>()
  const route = (operationId: string) =>
    defineRoute({ ...write, operationId, path: `/test/${operationId}`, summary: '' })
  before(async () => {
    api = await startApi({
      handlers: [
        serve(route('fault'), async (tx) => {
          await tx
            .insertInto('market.humans')
            .values({ id: '01890000-0000-7000-8000-000000000001', display_name: 'x', email: 'x', created_by: null })
            .execute()
          throw new Error('of no interest to callers')
        }),
        // As the generator of the OpenAPI document fails.
        serve(route('oddity'), () => Promise.reject({ message: 'of no interest to callers' })),
        serve(route('refuse'), async (tx) => {
          await tx
            .insertInto('market.humans')
            .values({ id: '01890000-0000-7000-8000-000000000002', display_name: 'x', email: 'x', created_by: null })
            .execute()
          throw new Problem(orderProblems.stateConflict, { detail: 'Not now.' })
        }),
        serve(route('deadlock'), async (tx) => {
          attempts += 1
          if (attempts < 3)
            await sql`do $$ begin raise exception 'lost' using errcode = 'deadlock_detected'; end $$`.execute(tx)
          return { status: 200, body: { value: String(attempts) } }
        }),
        serve(route('slow'), {
          withoutTransaction: async ({ db }) => {
            reached.resolve()
            await mayGoOn.promise
            await db.selectFrom('market.humans').select('id').execute()
            return { status: 200, body: { value: 'done' } }
          },
        }),
        serve(
          defineRoute({ ...write, operationId: 'readonly', method: 'get', path: '/test/readonly', summary: '' }),
          async (tx) => {
            await sql`create table public.sneaked ()`.execute(tx)
            return { status: 200, body: { value: 'written' } }
          },
        ),
      ],
    })
  })

  const post = (name: string) => api.send('POST', `/test/${name}`, { token: api.first.human_token })
  const humans = async () => (await api.db.selectFrom('market.humans').select('id').execute()).length

  it('that fails is a 500 without a word of the fault, and is rolled back [spec 7:18]', async () => {
    const before = await humans()
    const reply = await post('fault')
    expectProblem(reply, 500, 'service/fault')
    expect(JSON.stringify(reply.body)).not.to.include('interest')
    expect(await humans()).to.equal(before)
  })

  it('that fails with what is no Error is a 500 as well', async () => {
    const reply = await post('oddity')
    expectProblem(reply, 500, 'service/fault')
    expect(reply.headers.get('x-request-id')).to.be.a('string')
    expect(JSON.stringify(reply.body)).not.to.include('interest')
  })

  it('that refuses is rolled back', async () => {
    const before = await humans()
    expectProblem(await post('refuse'), 409, 'orders/state-conflict')
    expect(await humans()).to.equal(before)
  })

  it('is run again when Postgres gave it up for another', async () => {
    expect((await post('deadlock')).body).to.deep.equal({ value: '3' })
  })

  it('cannot write on a GET', async () => {
    expectProblem(await api.send('GET', '/test/readonly', { token: api.first.human_token }), 500, 'service/fault')
  })

  it('says 503 while the database is gone, and goes on when it is back', async () => {
    await sql`select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()`.execute(
      api.db,
    )
    const replies = await Promise.all(
      Array.from({ length: 5 }, () => api.send('GET', '/v1/me', { token: api.first.human_token })),
    )
    for (const { status } of replies) expect(status).to.be.oneOf([200, 503])
    expect((await api.send('GET', '/v1/me', { token: api.first.human_token })).status).to.equal(200)
  })

  it('still has the database when the service is told to stop, and is answered; nobody new is', async () => {
    const slow = post('slow')
    await reached.promise
    const stopped = api.stop()
    await refused(Number(new URL(api.baseUrl).port))
    mayGoOn.resolve()
    expect((await slow).body).to.deep.equal({ value: 'done' })
    await stopped
  })
})

async function refused(port: number): Promise<void> {
  const [error] = await once(connect(port, '127.0.0.1'), 'error')
  expect(error.code).to.equal('ECONNREFUSED')
}
