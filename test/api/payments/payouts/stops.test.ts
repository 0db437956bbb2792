import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { after, before, describe, it } from 'node:test'
import { promisify } from 'node:util'
import { expect } from 'chai'
import { sql } from 'kysely'
import { addStop, endStop } from '../../../../api/payments/stops/administer.ts'
import { ROOT } from '../../../../cli/machine/paths.ts'
import { parseUrn } from '../../../../protocol/encoding/urn.ts'
import { type Api, expectProblem, type Reply, startApi } from '../../../kit/api/platform/http/api.ts'

describe('the stop switch of payouts', () => {
  let api: Api
  let token: string

  before(async () => {
    api = await startApi()
    token = api.first.operator_token
  })

  after(() => api.stop())

  const stop = (reason: string) => api.send('POST', '/v1/payout-stops', { token, body: { reason } })
  const list = () => api.send('GET', '/v1/payout-stops', { token })
  const urnOf = ({ body }: Reply) => `market:${body.urn.prefix}:${body.urn.body}`
  const operatorId = ({ body }: Reply) => parseUrn('human', String(body.raised_by)) ?? ''
  const lift = (raised: Reply) => endStop(api.databaseUrl, operatorId(raised), raised.body.urn.body)
  const refusal = (call: Promise<unknown>) => call.then(() => undefined, String)
  const command = async (...args: string[]) => {
    const env = { PATH: process.env.PATH, DATABASE_URL: api.databaseUrl }
    return (await promisify(execFile)(process.execPath, [`${ROOT}cli/main.ts`, 'stops', ...args], { env })).stdout
  }

  it('is thrown by an operator and lifted by the owner, each time for all to see who did', async () => {
    const raised = await stop('The hot wallet is being moved.')
    expect(raised.status).to.equal(201)
    expect(raised.body).to.include({ reason: 'The hot wallet is being moved.', fact: null, lifted_at: null })
    const other = { place: 'escrow', reason: 'The service is in doubt.' } as const
    expect(await refusal(addStop(api.databaseUrl, randomUUID(), other))).to.match(/there is no such operator/)
    const added = await addStop(api.databaseUrl, operatorId(raised), other)
    expect(await command('lift', '--by', String(raised.body.raised_by), urnOf(raised))).to.match(/escrow .* in doubt\./)
    const { stops } = (await list()).body as { stops?: { lifted_by: string | null }[] }
    expect(stops?.map(({ lifted_by }) => lifted_by)).to.deep.equal([null, raised.body.raised_by])
    expect(await refusal(lift(raised))).to.include('resource/not-found')
    const entries = api.db.selectFrom('market.audit_log').select(['actor', 'action', 'details']).orderBy('id')
    const actor = raised.body.raised_by
    expect(await entries.where('subject', '=', urnOf(raised)).execute()).to.deep.equal([
      { actor, action: 'payouts.stop', details: { reason: 'The hot wallet is being moved.' } },
      { actor, action: 'payouts.resume', details: null },
    ])
    await endStop(api.databaseUrl, operatorId(raised), added.id)
  })

  it('is not released with the login of the service, nor moved, nor made as if it had been [risk market-api]', async () => {
    const { body } = await stop('A theft.')
    const attacks = [
      sql`update market.payout_stops set lifted_at = market.now(), lifted_by = 'x'`,
      sql`update market.payout_stops set place = 'escrow'`,
      sql`update market.payout_stops set id = gen_random_uuid()`,
      sql`delete from market.payout_stops`,
      sql`insert into market.payout_stops (id, fact, reason, raised_by, lifted_by, lifted_at)
        values (gen_random_uuid(), 'outflow:0x1', '', '', '', market.now())`,
    ]
    for (const attack of attacks) expect(await refusal(attack.execute(api.serviceDb))).to.match(/permission denied/)
    await lift({ body } as Reply)
  })

  it('stands as often as it was thrown', async () => {
    const [one, two] = [await stop('One reason.'), await stop('Another.')]
    await lift(one)
    const { stops } = (await list()).body as { stops?: { urn: unknown; lifted_at: string | null }[] }
    const standing = stops?.filter(({ lifted_at }) => lifted_at === null)
    expect(standing?.map(({ urn }) => urn)).to.deep.equal([two.body.urn])
  })

  it("is nobody else's", async () => {
    const other = { token: api.first.human_token }
    const calls = [
      api.send('POST', '/v1/payout-stops', { ...other, body: { reason: 'Mine.' } }),
      api.send('GET', '/v1/payout-stops', other),
    ]
    for (const call of calls) expectProblem(await call, 403, 'auth/forbidden')
  })
})
