import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it, mock } from 'node:test'
import { expect } from 'chai'
import { pino } from 'pino'
import { parseEther } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { sealAuditLog } from '../../../api/platform/audit/seal.ts'
import { commands } from '../../../cli/commands.ts'
import { STATE_DIR } from '../../../cli/machine/paths.ts'
import { failureCode, failureText } from '../../../cli/terminal/failure.ts'
import { sandboxReceipts } from '../../../cli/user/audit/internal/sandboxReceipts.ts'
import { urnString } from '../../../protocol/encoding/urn.ts'
import { createKeystore } from '../../../protocol/keys/keystore.ts'
import { bindWallet } from '../../../sdk/wallet.ts'
import { whileChecking } from '../../kit/api/trading/criteria.ts'
import {
  delivered,
  funded,
  newAsk,
  newTrader,
  type PlacedOrder,
  placed,
  read,
  startMarket,
  type TestMarket,
  type Trader,
} from '../../kit/api/trading.ts'
import { holdAndRelease } from '../../kit/audit/records.ts'
import { balanceOf } from '../../kit/chain/custody.ts'
import { freeAccount, mintUsdc } from '../../kit/chain/payments.ts'

const CHEAP = { n: 2, r: 8, p: 1 }

describe('the commands for people', { timeout: 60_000 }, () => {
  let market: TestMarket
  let buyer: Trader
  let seller: Trader
  let folder: string
  const key = generatePrivateKey()
  const payees = `${STATE_DIR}payees-${privateKeyToAccount(key).address.toLowerCase()}.json`

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'market-people-'))
    market = await startMarket()
    buyer = await newTrader(market)
    seller = await newTrader(market)
    await bindWallet(buyer.client, privateKeyToAccount(key))
    await save('config.json', await (await fetch(`${market.api.baseUrl}/v1/config/public`)).json())
    await writeFile(join(folder, 'key.json'), await createKeystore(key, 'secret', CHEAP))
    await writeFile(join(folder, 'password'), 'secret\n', { mode: 0o600 })
  })
  after(async () => {
    await market.stop()
    await rm(folder, { recursive: true, force: true })
    await rm(payees, { force: true })
  })

  const file = (name: string) => join(folder, name)
  const save = async (name: string, value: unknown) => {
    await writeFile(file(name), JSON.stringify(value))
    return file(name)
  }
  const config = () => ['--config', file('config.json')]
  const wallet = () => ['--keystore', file('key.json'), '--password-file', file('password')]

  /** What a command prints and exits with, run as a trader. */
  const cli = async (name: string, args: string[], as: Pick<Trader, 'token'> = buyer) => {
    process.env.MARKET_URL = market.api.baseUrl
    process.env.MARKET_TOKEN = as.token
    const lines: Record<'log' | 'error', string[]> = { log: [], error: [] }
    const mocks = (['log', 'error'] as const).map((way) =>
      mock.method(console, way, (text: unknown) => lines[way].push(String(text))),
    )
    let code: number
    try {
      code = (await (await commands[name]?.load())?.run(args)) ?? 0
    } catch (error) {
      lines.error.push(failureText(error))
      code = failureCode(error)
    } finally {
      for (const one of mocks) one.mock.restore()
    }
    return { code, output: lines.log.join('\n'), errors: lines.error.join('\n') }
  }
  const parsed = async (name: string, args: string[], as?: Trader) => {
    const { code, output, errors } = await cli(name, [...args, '--json'], as)
    expect([code, errors]).to.deep.equal([0, ''])
    return JSON.parse(output)
  }

  const final = async (): Promise<PlacedOrder> => {
    const order = await delivered(market, await placed(buyer, seller, 'custodied'))
    await buyer.client.call('acceptOrder', { params: { urn: order.urn } })
    return order
  }
  const receiptOf = async (order: PlacedOrder) => urnString('receipt', (await read(order)).receipt_urn?.body ?? '')

  it('asks lists what matches, as a table or as the API answers it, and shows no sign that steers a terminal', async () => {
    const { body: id } = await newAsk(seller, { title: 'Sonnets about herons', price: '20.500000' })
    // No request can write this title: whoever has the database can.
    const title = 'Sonnets \u202eabout herons'
    await market.api.db.updateTable('market.asks').set({ title }).where('id', '=', id).execute()
    const { code, output } = await cli('asks', ['sonnets', 'herons'])
    expect(code).to.equal(0)
    expect(output).to.match(
      /^TITLE +PRICE +DELIVERED IN +ASK\nSonnets \\u\{202e\}about herons +20\.50 +\S+ \S+ +market:ask:/,
    )
    expect(output).to.include(id)
    expect((await parsed('asks', ['sonnets herons'])).asks[0].urn).to.equal(urnString('ask', id))
    expect((await cli('asks', ['nothingofthekind'])).output).to.equal('No asks.')
  })

  it('wallet proves a key to be a wallet of yours, which its list then shows', async () => {
    const owner = await newTrader(market)
    const added = generatePrivateKey()
    await writeFile(file('added.json'), await createKeystore(added, 'secret', CHEAP))
    const { address } = privateKeyToAccount(added)
    const bound = await cli('wallet', ['--keystore', file('added.json'), '--password-file', file('password')], owner)
    expect(bound.output)
      .to.include(address)
      .and.match(/paid here +no/)
    expect((await cli('wallet', [], owner)).output).to.match(new RegExp(`${address} +market:agent:\\S+ +no`))
    expect((await cli('wallet', ['--faucet'], owner)).code).to.equal(2)
    await writeFile(file('later.json'), await createKeystore(generatePrivateKey(), 'secret', CHEAP))
    const later = ['--keystore', file('later.json'), '--password-file', file('password')]
    const earlier = ['--earlier', file('added.json'), '--earlier-password-file', file('password')]
    expect((await cli('wallet', [...later, ...earlier.slice(0, 2)], owner)).code).to.equal(2)
    expect((await cli('wallet', [...later, ...earlier], owner)).errors).to.equal('')
    const handovers = market.api.db.selectFrom('market.wallets').select('handover').where('handover', 'is not', null)
    expect(await handovers.execute()).to.containSubset([{ handover: { from: address.toLowerCase() } }])
  })

  it('order shows where an order and its money are, and lists the orders of a party', async () => {
    const order = await funded(market, await placed(buyer, seller, 'contract'))
    const shown = await cli('order', [order.id])
    expect(shown.output).to.match(
      /◐ funded\. Next: the seller delivers, until \d{4}-\d\d-\d\d \d\d:\d\d UTC \(in \d+ \w+\)/,
    )
    expect(shown.output)
      .to.include('20.00 USDC, contract escrow')
      .and.match(/held +20\.00 USDC, paid by 0x/)
    expect((await parsed('order', [order.urn])).state).to.equal('funded')
    expect((await cli('order', ['--role', 'buyer'])).output).to.include(order.urn)
    expect((await cli('order', ['--role', 'seller'])).output).to.equal('No orders.')
    const human = { token: buyer.humanToken }
    expect((await cli('order', [], human)).output).to.match(/◐ funded +20\.00 +Verse +\d{4}-/)
    const paying = [
      '--ask',
      urnString('ask', (await newAsk(seller)).body),
      '--max-price',
      '20.000000',
      ...config(),
      ...wallet(),
    ]
    expect((await cli('order', paying, human)).errors).to.match(/name one of your agents[\s\S]*403 market:error:/)
    expect((await cli('order', [...paying, '--agent', urnString('agent', buyer.agentId)], human)).code).to.equal(0)
  })

  it('order shows how the money of a final order was divided', async () => {
    const order = await final()
    const { output } = await cli('order', [order.urn])
    // What an audit of a running sandbox takes without being given a file.
    const receipts = await sandboxReceipts({ base_url: market.api.baseUrl, human_token: seller.humanToken })
    expect(receipts.map(({ document }) => document.receipt_urn)).to.include(await receiptOf(order))
    expect(output).to.match(/● final[\s\S]+to the seller +19\.00\n +fee +1\.00\n +refunded +0\.00/)
  })

  it('order shows what was delivered, and decides on that delivery and no other', async () => {
    const order = await delivered(market, await placed(buyer, seller, 'custodied'))
    const { output, errors } = await cli('order', [order.urn])
    expect(errors).to.equal('')
    const [, sha256 = ''] = /sha-256 ([0-9a-f]{64})/.exec(output) ?? []
    expect(sha256).to.have.length(64)
    const other = await cli('order', [order.urn, '--accept', 'f'.repeat(64)])
    expect([other.code, other.errors]).to.deep.equal([
      1,
      `The last delivery has the SHA-256 ${sha256}. Look at it before you decide. Nothing was decided.`,
    ])
    expect((await cli('order', [order.urn, '--reject', sha256])).code).to.equal(2)
    const rejected = await parsed('order', [order.urn, '--reject', sha256, '--reason', 'Too short.'])
    expect(rejected.state).to.equal('rejected')
    const payer = { ...buyer, wallet: privateKeyToAccount(key) }
    const next = await delivered(market, await placed(payer, seller, 'custodied'))
    const half = await cli('order', [next.urn, '--accept', sha256, ...config()])
    expect([half.code, half.errors]).to.deep.equal([
      2,
      'To sign an acceptance takes --config, --keystore and --password-file.',
    ])
    const signing = [...config(), ...wallet()]
    // As if this wallet had signed for another wallet of the seller before.
    const [paidTo, former] = [seller.wallet.address, freeAccount(9).address]
    await writeFile(payees, JSON.stringify({ [urnString('agent', seller.agentId)]: [former] }))
    expect((await cli('order', [next.urn])).output).to.include(`seller paid to  ${paidTo}`)
    const changed = await cli('order', [next.urn, '--accept', sha256, ...signing])
    expect(changed.code).to.equal(1)
    expect(changed.errors).to.include(`paid to ${paidTo}, and you signed for ${former} before`)
    expect(changed.errors).to.include(`add --payee ${paidTo}`)
    expect((await parsed('order', [next.urn])).state).to.equal('delivered')
    signing.push('--payee', paidTo)
    expect((await parsed('order', [next.urn, '--accept', sha256, ...signing])).state).to.be.oneOf(['accepted', 'final'])
    const approvals = market.api.db.selectFrom('market.settlement_approvals').select(['party', 'refund_micros'])
    expect(await approvals.where('order_id', '=', next.id).execute()).to.deep.equal([
      { party: 'payer', refund_micros: 0n },
    ])
    expect(JSON.parse(await readFile(payees, 'utf8'))).to.deep.equal({
      [urnString('agent', seller.agentId)]: [former, paidTo],
    })
  })

  const LINES = [
    { id: 'lines', text: 'Three lines.', check: { kind: 'units', of: 'lines', expected: 3 } },
    { id: 'type', text: 'As text.', check: { kind: 'media_types', any_of: ['text/plain'] } },
    { id: 'new', text: 'For you alone.', check: { kind: 'exclusive' } },
  ]

  it('deliver shows what the checks find before the buyer is told, and makes the same checks offline', async () => {
    const agreed = { criteria: LINES, criteria_complete: true }
    const order = await funded(market, await placed(buyer, seller, 'custodied', agreed))
    const [short, whole] = [file('short.txt'), file('whole.txt')]
    await writeFile(short, 'one\ntwo\n')
    await writeFile(whole, 'one\ntwo\nthree\n')
    await whileChecking(market.api, async () => {
      const refused = await cli('deliver', [order.id, short, '--send'], seller)
      expect([refused.code, refused.errors]).to.deep.equal([1, ''])
      expect(refused.output)
        .to.match(
          /✕ criterion 1, units: not met, 2 of 3 {2}Three lines\.\n +✓ criterion 2, media types: met, text\/plain/,
        )
        .and.include('Not sent: a check fails.')
      expect((await read(order)).state).to.equal('funded')
      const seen = await parsed('deliver', [order.urn, whole], seller)
      expect(seen).to.deep.include({ message_urn: null, checks_pending: false })
      expect((await read(order)).state).to.equal('funded')
      await save('order.json', await parsed('order', [order.urn], seller))
      const { MARKET_URL } = process.env
      delete process.env.MARKET_URL
      for (const [path, code, by] of [
        [whole, 0, seen.checks],
        [short, 1, undefined],
      ] as const) {
        const offline = await cli('deliver', ['--offline', file('order.json'), path, '--json'], { token: '' })
        expect([offline.code, offline.errors], offline.output).to.deep.equal([code, ''])
        const results = JSON.parse(offline.output) as { result: string }[]
        expect(results.map(({ result }) => result).at(-1)).to.equal('unchecked', 'only the service knows')
        if (by) expect(results.slice(0, -1)).to.deep.equal(by.slice(0, -1))
      }
      process.env.MARKET_URL = MARKET_URL
      const sent = await cli('deliver', [order.urn, whole, '--send', '--note', 'Here.'], seller)
      expect([sent.code, sent.output.includes('Delivered: the buyer decides on it now.')]).to.deep.equal([0, true])
    })
    const { output } = await cli('order', [order.urn])
    expect(output)
      .to.match(
        /Here\.\n\n {2}sha-256 [0-9a-f]{64}\n {2}file whole\.txt, 14 bytes\n {2}✓ criterion 1, units: met, 3 of 3/,
      )
      .and.not.include('no bytes')
  })

  it('order says that a notice came without bytes', async () => {
    const order = await delivered(market, await placed(buyer, seller, 'custodied'))
    expect((await cli('order', [order.urn])).output)
      .to.match(/delivered +.*1 delivery; no bytes were uploaded/)
      .and.include('No bytes were uploaded: nothing is checked')
  })

  it('order --ask places an order and pays it from a keystore, and nothing that costs more than was said', async () => {
    const ask = urnString('ask', (await newAsk(seller)).body)
    const paying = ['--ask', ask, ...config(), ...wallet()]
    const dear = await cli('order', [...paying, '--max-price', '19.999999'])
    expect([dear.code, dear.errors]).to.deep.equal([
      1,
      'The ask costs 20.00, more than 19.999999. Nothing was ordered.',
    ])
    const bought = await parsed('order', [...paying, '--max-price', '20.000000', '--mode', 'contract'])
    expect(bought).to.deep.include({ state: 'placed', escrow_mode: 'contract', price: '20.000000' })
    expect(bought.funding.state).to.equal('submitted')
    const payers = await market.api.db.selectFrom('market.authorizations').select('payer').execute()
    expect(payers.map(({ payer }) => payer)).to.include(privateKeyToAccount(key).address.toLowerCase())
  })

  it('withdraw says what the escrow owes a wallet, and takes it out', async () => {
    const { chain } = market
    const account = privateKeyToAccount(key)
    await mintUsdc(chain, freeAccount(0).address, 20_000_000n)
    await holdAndRelease(chain, freeAccount(0), account, 20_000_000n, 0n)
    await chain.client.setBalance({ address: account.address, value: parseEther('1') })
    await chain.client.setAutomine(true)
    const place = [...config(), '--rpc-url', chain.rpcUrl]
    const owed = { wallet: account.address, chain_id: chain.chainId, claimable: '19.000000', withdrawn: '0.000000' }
    expect(await parsed('withdraw', [...place, '--address', account.address])).to.deep.include(owed)
    expect(await balanceOf(chain, account.address)).to.equal(0n)
    const { code, output } = await cli('withdraw', [...place, ...wallet()])
    expect(code).to.equal(0)
    expect(output).to.match(/withdrawn +19\.00 USDC\n +transaction +0x[0-9a-f]{64}, block \d+/)
    expect(await balanceOf(chain, account.address)).to.equal(19_000_000n)
    const again = await parsed('withdraw', [...place, ...wallet()])
    expect(again).to.deep.include({ claimable: '0.000000', withdrawn: '0.000000', tx_hash: null })
    await chain.client.setAutomine(false)
  })

  it('verify takes a receipt as it was signed, offline, and says what a changed one no longer fits', async () => {
    const urn = await receiptOf(await final())
    const proof = await fetch(`${market.api.baseUrl}/v1/receipts/${urn}/verify`, {
      headers: { authorization: `Bearer ${buyer.token}`, 'market-version': '2026-05-17' },
    })
    const kept = (await proof.json()) as { proof: { document: Record<string, unknown> } }
    const whole = await save('receipt.json', kept)
    delete process.env.MARKET_URL
    const { code, output } = await cli('verify', [whole, ...config()])
    expect([code, output]).to.satisfy(
      ([exit, text]: [number, string]) => exit === 0 && text.startsWith('✓ receipt market:'),
    )
    expect(output).to.include('Price 20.00: seller 19.00, fee 1.00, refunded 0.00.')
    const document = { ...kept.proof.document, seller_net: '19.500000' }
    const changed = await save('changed.json', { ...kept, proof: { ...kept.proof, document } })
    const refused = await cli('verify', [changed, ...config()])
    expect(refused.code).to.equal(1)
    expect(refused.output).to.include('no key of this purpose').and.include('do not add up')
    expect((await cli('verify', [urn])).output).to.include(`✓ receipt ${urn}`)
    const human = { token: buyer.humanToken }
    const hidden = await cli('verify', [urn], human)
    expect([hidden.code, hidden.errors]).to.satisfy(
      ([code, text]: [number, string]) => code === 2 && text.includes('--agent'),
    )
    expect((await cli('verify', [urn, '--agent', urnString('agent', buyer.agentId)], human)).code).to.equal(0)
  })

  it('verify reads a proof again that was saved while its order was open', async () => {
    const order = await delivered(market, await placed(buyer, seller, 'custodied'))
    const urn = await receiptOf(order)
    const { body: early } = await buyer.client.call('verifyReceipt', { params: { urn } })
    expect(early.proof).to.equal(null)
    const saved = await save('early.json', early)
    await buyer.client.call('acceptOrder', { params: { urn: order.urn } })
    const { code, output } = await cli('verify', [saved])
    expect([code, output.split('\n')[0]]).to.deep.equal([0, `✓ receipt ${urn}`])
    expect(output).to.include('was saved early: read again from the service')
    const offline = await cli('verify', [saved, ...config()])
    expect([offline.code, offline.errors]).to.satisfy(
      ([exit, text]: [number, string]) => exit === 2 && text.includes('saved while its order was open'),
    )
  })

  it('verify takes an answer on reputation, and finds one that was changed or is of another', async () => {
    await final()
    const subject_urn = urnString('agent', seller.agentId)
    const conditions = { min_unweighted_count: 1, window_months: 3 }
    const { body: answer } = await buyer.client.call('queryReputation', { body: { subject_urn, conditions } })
    const { code, output } = await cli('verify', [await save('reputation.json', answer), ...config()])
    expect([code, output.split('\n')[0]]).to.deep.equal([0, `✓ answer on reputation ${subject_urn}`])
    expect(output).to.include('It met {"min_unweighted_count":1,"window_months":3} at 20')
    for (const change of [{ conditions: {} }, { subject_urn: urnString('agent', buyer.agentId) }, { more: true }]) {
      const found = await cli('verify', [await save('changed.json', { ...answer, ...change }), ...config()])
      expect([found.code, found.output.includes('no key of this purpose')]).to.deep.equal([1, true])
    }
  })

  it('verify follows pages of the audit log up to the signed head, and finds the entry that was changed', async () => {
    const { api } = market
    await final()
    await sealAuditLog({ db: api.workerDb, settings: api.settings, log: pino({ level: 'silent' }) } as never)
    const answer = async (path: string) =>
      (await api.send('GET', path, { token: api.first.operator_token })).body as unknown as {
        entries: { position: number; hash: string; digest: string }[]
      }
    const pages = await Promise.all([answer('/v1/audit-log?limit=3'), answer('/v1/audit-log?limit=500&after=3')])
    const files = await Promise.all(pages.map((page, index) => save(`page${index}.json`, page)))
    const head = await save('head.json', await answer('/v1/audit-log/head'))
    const { code, output } = await cli('verify', [...files, head, ...config()])
    expect([code, output.match(/^✓/gm)?.length], output).to.deep.equal([0, 3])
    expect(output).to.include('The pages were held against it.')
    const early = await cli('verify', [head, files[0] ?? '', ...config()])
    expect([early.code, early.output]).to.satisfy(
      ([exit, text]: [number, string]) => exit === 0 && text.includes('Not checked: that the entries lead to it'),
    )
    const [, second] = pages
    const entries = second.entries.map((entry, at) => (at === 1 ? { ...entry, digest: 'ab'.repeat(32) } : entry))
    const bent = await save('bent.json', { ...second, entries })
    const found = await cli('verify', [files[0] ?? '', bent, ...config()])
    expect(found.code).to.equal(1)
    expect(found.output).to.include('audit log, entry 5')
  })

  it('say what is wrong with a call, exit 2 for it, and 1 for what the service refuses', async () => {
    const wrong: [string, string[], number, RegExp][] = [
      ['asks', ['--limt', '3'], 2, /--limt/],
      ['order', ['a', 'b'], 2, /Name one order/],
      ['order', [buyer.agentId], 1, /404 market:error:resource\/not-found/],
      ['deliver', [buyer.agentId], 2, /Name the order, and the file/],
      ['deliver', ['--offline', file('config.json'), file('password')], 1, /config\.json is not what it should be/],
      ['asks', ['--limit', '0'], 1, /field limit[\s\S]*400 market:error:request\/invalid/],
      ['withdraw', [], 2, /--keystore .*--address/],
      ['withdraw', ['--address', '0x1'], 2, /^--address must be an address: 0x and 40 hex digits/],
      ['keys', ['--purpose', 'sports'], 2, /^0: must be receipts, /],
      ['mcp', ['--per-order', '1.000000'], 2, /A wallet needs --config/],
      ['up', ['--port', 'high'], 2, /--port is not a port/],
      ['verify', [], 2, /Name a file or a URN/],
      ['verify', ['/nowhere.json', ...config()], 2, /There is no file \/nowhere.json/],
      ['verify', [file('password'), ...config()], 2, /no JSON/],
      ['verify', [file('config.json'), ...config()], 2, /no receipt, verdict/],
    ]
    for (const [name, args, expected, says] of wrong) {
      const { code, errors } = await cli(name, args)
      expect([code, says.test(errors)], `${name} ${args.join(' ')}: ${errors}`).to.deep.equal([expected, true])
      expect(errors).to.not.include(buyer.token)
    }
    const stranger = await cli('order', [], { token: 'market_pat_of_nobody' })
    expect([stranger.code, stranger.errors]).to.deep.equal([
      1,
      'The market knows no such token. Is MARKET_TOKEN right, and not revoked?\n401 market:error:auth/unauthenticated',
    ])
    for (const name of ['asks', 'order', 'deliver', 'withdraw', 'verify'])
      expect((await cli(name, ['--help'])).output).to.match(/^Usage:[\s\S]+Exits? 0/)
    process.env.MARKET_URL = 'http://127.0.0.1:9'
  })
})
