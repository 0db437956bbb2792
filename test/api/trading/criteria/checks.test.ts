import { after, before, describe, it } from 'node:test'
import { expect } from 'chai'
import { zipSync } from 'fflate'
import { sql } from 'kysely'
import { checkDeliveries } from '../../../../api/trading/criteria/jobs.ts'
import { requestChecks } from '../../../../api/trading/criteria/request.ts'
import { advanceDispute } from '../../../../api/trading/disputes/work/internal/advance.ts'
import { sha256Hex } from '../../../../protocol/encoding/canonical.ts'
import { parseUrn, urnString } from '../../../../protocol/encoding/urn.ts'
import type { CallInput } from '../../../../sdk/market.ts'
import { acceptProposal } from '../../../../sdk/proposals.ts'
import { jobServices, workOnDisputes } from '../../../kit/api/trading/disputes/arbitration.ts'
import {
  funded,
  type PlacedOrder,
  placed,
  startTrading,
  type TestMarket,
  type Trader,
  threadOf,
} from '../../../kit/api/trading.ts'

const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)
const bytesOf = (given: string | Uint8Array) => (typeof given === 'string' ? new TextEncoder().encode(given) : given)
const zip = (names: string[]) => zipSync(Object.fromEntries(names.map((name) => [name, new Uint8Array([1])])))

describe('the checks of criteria', () => {
  let market: TestMarket
  let buyer: Trader
  let seller: Trader

  before(async () => {
    ;({ market, buyer, seller } = await startTrading())
  })

  after(() => market?.stop())

  const check = () => checkDeliveries(jobServices(market.api))
  const working = async (checks: object[], more: Record<string, unknown> = {}, how = {}) => {
    const criteria = checks.map((one, at) => ({ id: `c${at}`, text: 'As agreed.', check: one }))
    return funded(market, await placed(buyer, seller, 'custodied', { criteria, ...more }, how))
  }
  const upload = async (order: PlacedOrder, given: string | Uint8Array) => {
    const bytes = bytesOf(given)
    const query = { order_urn: order.urn, output_hash: sha256Hex(bytes) }
    const { body } = await seller.client.call('uploadDelivery', { query, upload: new Uint8Array(bytes) })
    return { urn: urnString('delivery', body.delivery_urn.body), hash: sha256Hex(bytes) }
  }
  const found = async (urn: string) => (await seller.client.call('getDelivery', { params: { urn } })).body.checks
  const say = async (by: Trader, order: PlacedOrder, kind: string, payload: Record<string, unknown>) =>
    (await by.client.call('postMessage', { body: { thread_urn: await threadOf(order), kind, payload } })).body
  const hand = async (order: PlacedOrder, given: string | Uint8Array) => {
    const { urn, hash } = await upload(order, given)
    await say(seller, order, 'delivery_notice', { kind: 'delivery', output_hash: hash, delivery_urn: urn })
    return urn
  }
  const disputed = async (order: PlacedOrder, grounds: string[]) => {
    await buyer.client.call('rejectOrder', { params: { urn: order.urn }, body: {} })
    const { body } = await buyer.client.call('openDispute', {
      body: {
        order_urn: order.urn,
        opener_urn: urnString('agent', buyer.agentId),
        claim: { grounds, what_happened: 'Not so.' },
      },
    } as CallInput<'openDispute'>)
    return urnString('dispute', body.urn.body)
  }
  const decide = async (urn: string) => {
    await sql`update market.disputes set due_at = market.now() where state = 'open'`.execute(market.api.db)
    await workOnDisputes(market.api)
    return (await buyer.client.call('getDispute', { params: { urn } })).body
  }
  const verdictOf = async ({ verdict_urn }: { verdict_urn?: { body: string } | undefined }) =>
    (await buyer.client.call('getVerdict', { params: { urn: urnString('verdict', verdict_urn?.body ?? '') } })).body

  it('find type, size, hash, schema and units in the bytes, and show both parties what they found', async () => {
    const text = '[{"line":"one"},{"line":"two"},{"line":"two"}]'
    const schema = { type: 'array', items: { type: 'object', required: ['line'] }, minItems: 3 }
    const order = await working([
      { kind: 'media_types', any_of: ['application/json'] },
      { kind: 'size', max_bytes: 10 },
      { kind: 'sha256', sha256: sha256Hex(text) },
      { kind: 'json_schema', schema },
      { kind: 'units', of: 'json_items', expected: 3 },
      { kind: 'units', of: 'json_items', expected: 3, distinct: true },
      { kind: 'deadline' },
    ])
    const urn = await hand(order, text)
    const seen = async () => (await seller.client.call('getDelivery', { params: { urn } })).body
    expect(await seen())
      .to.deep.include({ checks_pending: true })
      .and.not.have.property('checks')
    await check()
    expect((await seen()).checks_pending).to.equal(false)
    const expected = [
      { number: 1, kind: 'media_types', result: 'pass', found: 'application/json' },
      { number: 2, kind: 'size', result: 'fail', found: text.length },
      { number: 3, kind: 'sha256', result: 'pass' },
      { number: 4, kind: 'json_schema', result: 'pass' },
      { number: 5, kind: 'units', result: 'pass', found: 3, expected: 3 },
      { number: 6, kind: 'units', result: 'fail', found: 2, expected: 3 },
    ]
    expect(await found(urn)).to.deep.equal(expected)
    expect((await buyer.client.call('getDelivery', { params: { urn } })).body.checks).to.deep.equal(expected)
  })

  it('tell formats by the bytes and count what is in them', async () => {
    const cases: [object, string | Uint8Array, string, unknown][] = [
      [{ kind: 'media_types', any_of: ['image/png'] }, PNG, 'pass', 'image/png'],
      [{ kind: 'media_types', any_of: ['image/png', 'image/jpeg'] }, 'PNG', 'fail', 'text/plain'],
      [{ kind: 'media_types', any_of: ['text/csv'] }, 'line\none\n', 'pass', 'text/plain'],
      [{ kind: 'media_types', any_of: ['text/plain'] }, new Uint8Array([0, 1, 2]), 'fail', 'application/octet-stream'],
      [{ kind: 'json_schema', schema: { type: 'object' } }, '{"a":', 'fail', undefined],
      [{ kind: 'units', of: 'zip_entries', expected: 2 }, zip(['a', 'b', 'c/']), 'pass', 2],
      [{ kind: 'units', of: 'zip_entries', expected: 1 }, 'no archive', 'fail', 0],
      [{ kind: 'units', of: 'csv_rows', expected: 2, distinct: true }, 'n\n"a\nb"\n"a\nb"\n', 'fail', 1],
      [{ kind: 'units', of: 'lines', expected: 2 }, 'one\n\n  \ntwo', 'pass', 2],
    ]
    const order = await working(cases.map(([one]) => one))
    const urns = []
    for (const [, bytes] of cases) urns.push((await upload(order, bytes)).urn)
    await check()
    for (const [at, [one, , result, value]] of cases.entries()) {
      const made = (await found(urns[at] ?? ''))?.[at]
      expect([made?.result, made?.found], JSON.stringify(one)).to.deep.equal([result, value])
    }
  })

  it('find bytes that their seller has delivered to another before', async () => {
    const [first, second] = [await working([{ kind: 'exclusive' }]), await working([{ kind: 'exclusive' }])]
    // Handing them in twice in one order is no harm to its buyer.
    const urns = [await hand(first, 'for you alone'), (await upload(first, 'for you alone')).urn]
    urns.push(await hand(second, 'for you alone'), (await upload(second, 'for you too')).urn)
    await check()
    const results = await Promise.all(urns.map(async (urn) => (await found(urn))?.[0]?.result))
    expect(results).to.deep.equal(['pass', 'pass', 'fail', 'pass'])
    expect(await verdictOf(await decide(await disputed(second, ['copied'])))).to.deep.include({ remedy: 'full_refund' })
  })

  it('keep the evidence of a dispute open until they are done, past its time too', async () => {
    const order = await working([{ kind: 'size', max_bytes: 10 }])
    await hand(order, 'more than ten bytes')
    const dispute = await disputed(order, ['quality'])
    expect((await decide(dispute)).state).to.equal('open')
    // Neither by the job, which passes it over, nor by the verb, where a delivery comes between the two.
    const { db, settings } = market.api
    const advance = () =>
      db.transaction().execute((tx) => advanceDispute(tx, settings, parseUrn('dispute', dispute) ?? ''))
    expect(await advance()).to.equal(false)
    await check()
    expect((await decide(dispute)).state).to.not.equal('open')
  })

  it('are made anew when both sides agree on other criteria', async () => {
    const order = await working([{ kind: 'units', of: 'lines', expected: 42 }])
    const urn = await hand(order, 'one\ntwo')
    await check()
    expect((await found(urn))?.[0]?.result).to.equal('fail')
    const criteria = [{ id: 'lines', text: 'Two will do.', check: { kind: 'units', of: 'lines', expected: 2 } }]
    const message = await say(buyer, order, 'scope_change_proposal', { changes: { criteria } })
    await acceptProposal(seller.client, message)
    expect(await found(urn)).to.equal(undefined)
    await check()
    expect((await found(urn))?.[0]?.result).to.equal('pass')
  })

  it('decide a dispute: nothing is paid for another format, whatever is claimed', async () => {
    const order = await working([{ kind: 'media_types', any_of: ['image/png'] }])
    await hand(order, 'A description of a picture.')
    const urn = await disputed(order, ['quality'])
    // The evidence does not close before the delivery is checked.
    expect((await decide(urn)).state).to.equal('open')
    await check()
    const decided = await decide(urn)
    expect(decided.state).to.equal('decided')
    const verdict = await verdictOf(decided)
    expect(verdict).to.deep.include({ remedy: 'full_refund', confidence: 0.9, prompt_version: 'rules@5' })
    expect(verdict.signed.document.facts.criteria).to.deep.include({ byte_checks: 1, is_complete: false })
  })

  it('decide a dispute: a PDF that is all text is no table, and nothing is paid for it', async () => {
    const order = await working([
      { kind: 'media_types', any_of: ['text/csv'] },
      { kind: 'units', of: 'csv_rows', expected: 300 },
    ])
    await hand(order, `%PDF-1.4\n1 0 obj\n<</Type/Catalog>>\nendobj\ntrailer<</Root 1 0 R>>\n%%EOF\n`)
    await check()
    const decided = await decide(await disputed(order, ['wrong_format']))
    expect(await verdictOf(decided)).to.deep.include({ remedy: 'full_refund', confidence: 0.9 })
  })

  it('decide a dispute: too few rows of the right format are worth their share, and no more', async () => {
    const order = await working([
      { kind: 'media_types', any_of: ['text/csv'] },
      { kind: 'units', of: 'csv_rows', expected: 4 },
    ])
    await hand(order, 'name,age\nAda,36\n')
    await check()
    const verdict = await verdictOf(await decide(await disputed(order, ['wrong_format'])))
    expect(verdict).to.deep.include({ remedy: 'partial_refund', partial_amount_usdc: '15.000000' })
  })

  it('of distinct files are made of what is in them', async () => {
    const order = await working([{ kind: 'units', of: 'zip_entries', expected: 2, distinct: true }])
    const urn = await hand(order, zip(['a', 'b']))
    await check()
    expect(await found(urn)).to.deep.equal([{ number: 1, kind: 'units', result: 'fail', found: 1, expected: 2 }])
  })

  it('decide a dispute: a share of the units is worth its share of the price', async () => {
    const order = await working([{ kind: 'units', of: 'lines', expected: 4 }])
    await hand(order, 'one\ntwo\nthree')
    await check()
    const verdict = await verdictOf(await decide(await disputed(order, ['incomplete'])))
    expect(verdict).to.deep.include({ remedy: 'partial_refund', partial_amount_usdc: '5.000000' })
  })

  it('decide a dispute: what passes every check of the whole test is paid, against any ground', async () => {
    const order = await working([{ kind: 'units', of: 'lines', expected: 3 }], { criteria_complete: true })
    await hand(order, 'one\ntwo\nthree')
    await check()
    expect(await verdictOf(await decide(await disputed(order, ['quality'])))).to.deep.include({
      remedy: 'release_to_seller',
    })
  })

  it('decide a dispute: units without content are not delivered work', async () => {
    const numbers = Array.from({ length: 100 }, (_, number) => number)
    const rows = numbers.map((n) => (n % 5 === 1 || n % 5 === 3 ? ',,' : `${n},Name ${n},City ${n}`))
    const files = numbers
      .slice(0, 10)
      .map((n) => [`${n}.txt`, bytesOf(n < 4 ? `Chapter ${n}: a text of its own.` : '')])
    const items = numbers.map((n) => (n % 10 < 3 ? {} : { id: n, name: `n${n}` }))
    const cases: [string, number, string | Uint8Array, number, string][] = [
      ['csv_rows', 100, `id,name,city\n${rows.join('\n')}\n`, 60, '8.000000'],
      ['zip_entries', 10, zipSync(Object.fromEntries(files)), 4, '12.000000'],
      ['json_items', 100, JSON.stringify(items), 70, '6.000000'],
      ['lines', 10, `${'A line of verse.\n'.repeat(4)}${'.\n'.repeat(6)}`, 4, '12.000000'],
    ]
    for (const [of, expected, bytes, counted, refund] of cases) {
      const order = await working([{ kind: 'units', of, expected }])
      const urn = await hand(order, bytes)
      await check()
      expect(await found(urn)).to.deep.equal([{ number: 1, kind: 'units', result: 'fail', found: counted, expected }])
      const verdict = await verdictOf(await decide(await disputed(order, ['incomplete'])))
      expect(verdict, of).to.deep.include({ remedy: 'partial_refund', partial_amount_usdc: refund })
    }
  })

  it('leave a dispute over encrypted files to a human, also where the checks are the whole test', async () => {
    for (const criteria_complete of [false, true]) {
      const order = await working([{ kind: 'units', of: 'zip_entries', expected: 2 }], { criteria_complete })
      const locked = Buffer.from(zip(['a', 'b']))
      for (const [signature, at] of [
        ['PK\x01\x02', 8],
        ['PK\x03\x04', 6],
      ] as const)
        locked[locked.indexOf(signature, 0, 'latin1') + at] = 1
      const urn = await hand(order, locked)
      await check()
      expect(await found(urn)).to.deep.equal([{ number: 1, kind: 'units', result: 'unchecked' }])
      const dispute = await disputed(order, ['incomplete'])
      await say(seller, order, 'message', { kind: 'text', text: 'The password costs extra.' })
      expect((await decide(dispute)).flags).to.deep.equal(['facts_undecided'])
    }
  })

  it('keep the results that are on file, by which an open dispute is decided', async () => {
    const order = await working([{ kind: 'units', of: 'lines', expected: 4 }])
    const urn = await hand(order, 'one\n.\n.\n.')
    const earlier = [{ number: 1, kind: 'units', result: 'pass', found: 4, expected: 4 }]
    await sql`update market.delivery_checks set results = ${JSON.stringify(earlier)}, checked_at = market.now()
      where order_id = ${order.id}`.execute(market.api.db)
    const dispute = await disputed(order, ['incomplete'])
    await check()
    expect(await found(urn)).to.deep.equal(earlier)
    expect(await verdictOf(await decide(dispute))).to.deep.include({ remedy: 'release_to_seller' })
  })

  it('are not made of a sealed order, whose dispute they do not decide', async () => {
    const order = await working([{ kind: 'size', max_bytes: 1 }])
    const row = await market.api.db
      .selectFrom('market.orders')
      .selectAll()
      .where('id', '=', order.id)
      .executeTakeFirstOrThrow()
    const { urn } = await upload(order, 'sealed bytes')
    await market.api.db.transaction().execute((tx) => requestChecks(tx, { ...row, sealed: true }))
    await check()
    expect(await found(urn)).to.equal(undefined)
  })
})
