import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { after, before, describe, it } from 'node:test'
import { promisify } from 'node:util'
import { expect } from 'chai'
import { sql } from 'kysely'
import { settledBlock } from '../../api/chain/progress.ts'
import { ROOT } from '../../cli/paths.ts'
import { parseUrn } from '../../protocol/urn.ts'
import { newAddress } from '../api/escrow/world.ts'
import { type Api, expectProblem, startApi } from '../api/http/api.ts'

describe('./market restored', () => {
  let api: Api

  before(async () => {
    api = await startApi()
  })

  after(() => api?.stop())

  const wallet = async (humanId: string, payoutFrom: Date) => {
    const address = newAddress()
    await api.db.insertInto('market.wallet_owners').values({ address, owner_id: humanId }).execute()
    const proof = { message: 'I am', signature: '0x01' }
    const row = { id: randomUUID(), account_id: humanId, owner_id: humanId, address, payout_from: payoutFrom, ...proof }
    await api.db.insertInto('market.wallets').values(row).execute()
  }

  it('ends whatever an earlier copy would let be used again, and moves no money before the chain was read', async () => {
    const { human_token: token, human_urn } = api.first
    const humanId = parseUrn('human', human_urn) ?? ''
    const secret = { secret_hash: Buffer.alloc(32, 1), expires_at: new Date(Date.now() + 60_000) }
    const enrolment = { id: randomUUID(), human_id: humanId, issued_by: humanId, ...secret }
    await api.db.insertInto('market.enrolments').values(enrolment).execute()
    await wallet(humanId, new Date(0))
    await wallet(humanId, new Date(Date.now() + 60_000))
    expect((await api.send('GET', '/v1/me', { token })).status).to.equal(200)
    const env = { PATH: process.env.PATH, DATABASE_URL: api.databaseUrl }
    const { stdout } = await promisify(execFile)(process.execPath, [`${ROOT}cli/main.ts`, 'restored'], { env })
    expect(stdout)
      .to.match(/^2 tokens ended$/m)
      .and.match(/^1 enrolments ended$/m)
      .and.match(/^1 changes of payout/m)
    expectProblem(await api.send('GET', '/v1/me', { token }), 401, 'auth/unauthenticated')
    expect(await settledBlock(api.db)).to.equal(undefined)
    const { rows } = await sql<{ paid_to: boolean }>`
      select payout_from is not null as paid_to from market.wallets order by payout_from nulls last`.execute(api.db)
    expect(rows.map(({ paid_to }) => paid_to)).to.deep.equal([true, false])
  })
})
