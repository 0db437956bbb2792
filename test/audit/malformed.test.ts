import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { expect } from 'chai'
import { readRecords } from '../../cli/user/audit/internal/records.ts'
import { type Audited, startAudited } from '../kit/audit/audited.ts'
import type { Records } from '../kit/audit/records.ts'
import { pathsOf, replaced } from '../kit/members.ts'

describe('records given to an audit, of which one is none', () => {
  let folder: string
  let audited: Audited
  let records: Records

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'market-audit-'))
    audited = await startAudited()
    ;({ records } = audited)
  })

  after(async () => {
    await rm(folder, { recursive: true, force: true })
    await audited?.stop()
  })

  const read = async ({ receipts, payouts, liabilities, balances }: Record<keyof Records, unknown>) => {
    const files = { receipts, payouts, liabilities, balances: { liabilities, balances } }
    const options: Parameters<typeof readRecords>[0] = {}
    for (const name of Object.keys(files) as (keyof typeof files)[]) {
      const path = join(folder, `${name}.json`)
      await writeFile(path, JSON.stringify(files[name]))
      options[name] = [path]
    }
    return readRecords(
      options,
      async () => [],
      async () => [],
    )
  }

  it('are all taken where each is what it should be', async () => {
    const { malformed, receipts, payouts, liabilities, balances } = await read(records)
    expect(malformed).to.deep.equal([])
    expect([receipts, payouts, liabilities, balances].map(({ length }) => length)).to.deep.equal([5, 4, 2, 1])
  })

  for (const kind of ['receipts', 'payouts', 'balances'] as const) {
    it(`lose that one alone, whichever field of it is wrong: ${kind}`, async () => {
      const { receipts, payouts, balances } = await read(records)
      const count = { receipts: receipts.length, payouts: payouts.length, balances: balances[0]?.balances.length ?? 0 }
      for (const path of pathsOf(records[kind][0])) {
        const changed = await read({ ...records, [kind]: replaced(records[kind], [0, ...path], { not: 'this' }) })
        expect(changed.malformed.length, path.join('.')).to.equal(1)
        const of = join(folder, `${kind}.json`)
        expect(changed.malformed[0]?.subject, path.join('.')).to.be.oneOf([nameOf(kind, records), `${of} [0]`])
        expect(changed.malformed[0]?.detail).to.include(of).and.include(path.join('.'))
        const left = kind === 'balances' ? changed.balances[0]?.balances : changed[kind]
        expect(left?.length, path.join('.')).to.equal(count[kind] - 1)
      }
    })
  }

  it('name a root by its block', async () => {
    for (const path of pathsOf(records.liabilities)) {
      const { malformed } = await read({ ...records, liabilities: replaced(records.liabilities, path, ['not this']) })
      const { block_number } = records.liabilities.document
      const byPlace = [`${join(folder, 'liabilities.json')} [0]`, `${join(folder, 'balances.json')} [0]`]
      // It is in both files.
      expect(malformed.length, path.join('.')).to.equal(2)
      for (const { subject } of malformed)
        expect(subject, path.join('.')).to.be.oneOf([`liabilities at block ${block_number}`, ...byPlace])
    }
  })
})

/** What findings about the first of a kind call it. */
function nameOf(
  kind: 'receipts' | 'payouts' | 'balances',
  { receipts, payouts, balances }: Records,
): string | undefined {
  if (kind === 'receipts') return receipts[0]?.document.receipt_urn
  const urn = payouts[0]?.payout_urn
  return kind === 'payouts' ? `market:${urn?.prefix}:${urn?.body}` : balances[0]?.account
}
