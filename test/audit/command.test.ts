import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { expect } from 'chai'
import type { AuditTarget } from '../../audit/history.ts'
import type { Published } from '../../audit/published.ts'
import { run } from '../../cli/user/audit.ts'
import type { SignedFeeSchedule } from '../../protocol/payments/fees.ts'
import { type Audited, startAudited } from '../kit/audit/audited.ts'
import type { Records } from '../kit/audit/records.ts'
import type { TestChain } from '../kit/chain/node.ts'

/** Records as they are told, true or not. */
type Told = Record<'receipts' | 'payouts' | 'liabilities' | 'balances', unknown>

describe('an audit as a command, without the service', () => {
  let folder: string
  let audited: Audited
  let chain: TestChain
  let target: AuditTarget
  let records: Records
  let keys: Published['keys']
  let fees: SignedFeeSchedule

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'market-audit-'))
    audited = await startAudited()
    ;({ chain, target, records, keys, fees } = audited)
  })

  after(async () => {
    await rm(folder, { recursive: true, force: true })
    await audited?.stop()
  })

  const save = async (name: string, value: unknown) => {
    const path = join(folder, name)
    await writeFile(path, JSON.stringify(value))
    return path
  }
  const command = async ({ receipts, payouts, liabilities, balances }: Told, format = ['--json']) => {
    const config = {
      ...{ escrow_contract: target.escrow, hot_wallet: target.hotWallet, token: { address: target.token } },
      ...{ start_block: Number(target.fromBlock), rules: { fee_bps: 500 }, fees, keys: { keys } },
    }
    const args = [
      ...['--rpc-url', chain.rpcUrl, '--config', await save('config.json', config)],
      ...['--receipts', await save('receipts.json', receipts)],
      ...['--payouts', await save('payouts.json', { receipts: payouts, next_cursor: null })],
      ...['--liabilities', await save('liabilities.json', liabilities)],
      ...['--balances', await save('balances.json', { liabilities, balances, next_cursor: null })],
    ]
    return run([...args, ...format])
  }

  it('says where the last page was not given, and which file is not whole', async ({ mock }) => {
    const { liabilities, balances } = records
    const said: string[] = []
    for (const way of ['log', 'error'] as const) mock.method(console, way, (text: unknown) => said.push(String(text)))
    const told = async (args: string[]) => [await run(args), said.pop()] as const
    const at = ['--rpc-url', chain.rpcUrl, '--escrow', target.escrow, '--hot-wallet', target.hotWallet]
    const where = [...at, '--token', target.token, '--from-block', `${target.fromBlock}`, '--fee-bps', '500']
    const jwks = ['--keys', await save('keys.json', { keys })]
    const page = (name: string, next_cursor: string | null) => save(name, { liabilities, balances, next_cursor })
    const [first, last] = [await page('first.json', 'more'), await page('last.json', null)]
    const cut = 'The last page of the balances was not given'
    const [code, report] = await told([...where, ...jwks, '--balances', first])
    expect([code, report?.includes(cut)]).to.deep.equal([0, true])
    const [, whole] = await told([...where, ...jwks, '--balances', first, '--balances', last])
    expect(whole).to.be.a('string').and.not.include(cut)
    await writeFile(first, JSON.stringify({ liabilities, balances }).slice(0, -9))
    expect(await told([...where, ...jwks, '--balances', first])).to.deep.equal([
      2,
      `${first} is no JSON, or not all of it`,
    ])
  })

  it('names a record that is none, looks at all others, and lets no terminal obey what is in it', async ({ mock }) => {
    const said: string[] = []
    mock.method(console, 'log', (text: unknown) => said.push(String(text)))
    const [one, ...others] = records.receipts
    const other = { ...one?.document, receipt_urn: 'market:receipt:7\u001b[2K\r Clean', price: '1' }
    const changed = [{ ...one, document: other }, ...others]
    expect(await command({ ...records, receipts: changed })).to.equal(1)
    expect(JSON.parse(said.pop() ?? '')).to.include({ receipts_checked: others.length, payouts_checked: 4 })
    expect(await command({ ...records, receipts: changed }, [])).to.equal(1)
    expect(said.pop())
      .to.include('market:receipt:7\\u{1b}[2K\\u{d} Clean')
      .and.not.match(/[^\P{Cc}\n]/u)
  })

  it('exits 0 for what is clean, 1 for what is not, and 2 when it could not look', async () => {
    expect(await command(records)).to.equal(0)
    const [one, ...others] = records.payouts
    if (!one) throw new Error('there is no payout')
    expect(await command({ ...records, payouts: [{ ...one, amount: '19.000001' }, ...others] })).to.equal(1)
    expect(await command(records, ['--json', '--rpc-url', 'http://127.0.0.1:9'])).to.equal(2)
  })
})
