import { after, before, describe, test } from 'node:test'
import { expect } from 'chai'
import pg from 'pg'
import { createFiles } from '../../../facilitator/x402/internal/files.ts'
import { startDatabase, type TestDatabase } from '../../kit/stack/database.ts'

const INTENTS = 20_000
const FROM = '0x00000000000000000000000000000000000000Aa'

describe('payments on file', { timeout: 120_000 }, () => {
  let database: TestDatabase
  let client: pg.Client

  before(async () => {
    database = await startDatabase()
    client = new pg.Client(database.url)
    await client.connect()
    await client.query(
      `insert into market.intents (id, key, kind, payload)
       select gen_random_uuid(), 'test:' || n, 'deposit',
         jsonb_build_object('authorization', jsonb_build_object('from', $1::text, 'nonce', '0x' || lpad(to_hex(n), 64, '0')))
       from generate_series(1, $2::int) n`,
      [FROM, INTENTS],
    )
    await client.query('analyze market.intents')
  })

  after(async () => {
    await client.end()
    await database.stop()
  })

  test('are found by an index, however many there are', async () => {
    const plans: string[] = []
    const files = createFiles({
      query: async (text, values) => {
        const explained = await client.query(`explain analyze ${text}`, values)
        plans.push(...explained.rows.map((row) => String(row['QUERY PLAN'])))
        return { ...explained, rows: [] }
      },
    })
    await files.find({ from: FROM, nonce: `0x${'1'.padStart(64, '0')}` })
    expect(plans.join('\n')).to.match(/Index Scan (using|on) intents_by_authorization.*rows=1/)
    expect(plans.join('\n')).to.not.contain('Seq Scan on intents')
  })
})
