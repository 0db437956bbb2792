import { after, before, describe, it } from 'node:test'
import { expect } from 'chai'
import { sql } from 'kysely'
import { pino } from 'pino'
import type { Address, Hex } from 'viem'
import { keySet } from '../../../api/config/publicConfig.ts'
import { inTransaction } from '../../../api/db/transaction.ts'
import { eraseHuman } from '../../../api/erasure/erase.ts'
import { publishLiabilities } from '../../../api/jobs/liabilities.ts'
import { Progress } from '../../../api/jobs/progress.ts'
import type { JobServices } from '../../../api/jobs/services.ts'
import { settle } from '../../../api/jobs/settle.ts'
import { acceptOrder, cancelOrder } from '../../../api/orders/routes.ts'
import { failPayout } from '../../../api/payouts/fail.ts'
import { submitPayout } from '../../../api/payouts/submit.ts'
import { tokenAbi } from '../../../protocol/abi/token.ts'
import type { LiabilityInclusion, SignedLiabilities } from '../../../protocol/liabilities.ts'
import { type DocumentSignature, type PublicKeyJwk, signDocument } from '../../../protocol/signing.ts'
import { createClient } from '../../../sdk/client.ts'
import { type ChainCheck, LiabilityError, proveBalances } from '../../../sdk/liabilities.ts'
import { balanceOf } from '../../chain/custody.ts'
import { mineBlocks, mined, mintUsdc, roleAccount, signTransfer, submitToToken } from '../../chain/payments.ts'
import { expectProblem } from '../http/api.ts'
import { forgeIndex, indexTo, indexTransfers, type TransferRow, transferRow } from '../jobs/forgedIndex.ts'
import {
  deliver,
  newTrader,
  type PlacedOrder,
  passTime,
  placed,
  startMarket,
  type TestMarket,
  type Trader,
} from '../trading.ts'

const PRICE = 20_000_000n
const AHEAD = 20n

describe('proof of liabilities', () => {
  let market: TestMarket
  let services: JobServices
  let keys: readonly PublicKeyJwk[]
  let buyer: Trader
  let seller: Trader
  let first: PlacedOrder
  const rows: TransferRow[] = []
  const lines: { alarm?: boolean; msg: string }[] = []

  before(async () => {
    market = await startMarket()
    const { api, chain } = market
    await forgeIndex(api.db, chain)
    const log = pino({ base: null }, { write: (line: string) => lines.push(JSON.parse(line)) })
    services = { db: api.db, rpc: chain.client, settings: api.settings, log }
    keys = (await keySet(api.settings)).keys
    buyer = await newTrader(market)
    seller = await newTrader(market)
    await mintUsdc(chain, buyer.wallet.address, 100n * PRICE)
  })

  after(() => market?.stop())

  /** The index tells of everything up to the head; blocks make it deep enough. */
  const mine = async () => {
    await mineBlocks(market.chain, 3)
    await indexTransfers(market.api.db, rows)
    await indexTo(market.api.db, (await market.chain.client.getBlockNumber()) + AHEAD)
  }
  const settleAll = async () => {
    const progress = new Progress()
    await settle(services, progress)
    await settle(services, progress)
  }
  /** A transfer that was mined, and what an honest index says of it. */
  const indexed = (receipt: Parameters<typeof transferRow>[1], row: Parameters<typeof transferRow>[2]) =>
    rows.push(transferRow(market.chain, receipt, row))
  const pay = async (order: PlacedOrder) => {
    const [recipient, nonce] = [order.offer.recipient as Address, order.offer.nonce as Hex]
    const signed = await signTransfer(market.chain, buyer.wallet, { to: recipient, value: PRICE, nonce })
    const receipt = await submitToToken(market.chain, signed)
    indexed(receipt, { sender: buyer.wallet.address, recipient, amount_micros: PRICE, authorization_nonce: nonce })
    return order
  }
  const send = async (from: Address, to: Address, amountMicros: bigint) => {
    const { client, token } = market.chain
    await client.setBalance({ address: from, value: 10n ** 18n })
    await client.impersonateAccount({ address: from })
    const sent = client.writeContract({
      account: from,
      chain: null,
      address: token,
      abi: tokenAbi,
      functionName: 'transfer',
      args: [to, amountMicros],
    })
    const receipt = await mined(market.chain, sent)
    indexed(receipt, { sender: from, recipient: to, amount_micros: amountMicros, authorization_nonce: null })
  }
  const publish = () => publishLiabilities(services)
  /** A tree of now: the interval has passed, and there is a new block. */
  const published = async (): Promise<SignedLiabilities> => {
    await passTime(market.api, services.settings.rules.liabilitySeconds)
    await mine()
    await settleAll()
    await publish()
    return newest()
  }
  const newest = async () => {
    const { status, body } = await market.api.send('GET', '/v1/liabilities')
    expect(status).to.equal(200)
    return body as unknown as SignedLiabilities
  }
  const human = (of: Trader) => createClient({ baseUrl: market.api.baseUrl, token: of.humanToken })
  const onChain = (): ChainCheck => {
    const { client, token, accounts } = market.chain
    return { client, token, wallets: [accounts.hotWallet.address] }
  }
  const prove = (of: Trader, block?: number) =>
    proveBalances(human(of), keys, { chain: onChain(), ...(block === undefined ? {} : { block }) })
  const standing = ({ balances }: { balances: LiabilityInclusion[] }) =>
    balances.map(({ account, amount }) => `${account} ${amount}`).sort()
  const faultOf = async (proof: Promise<unknown>) => {
    try {
      await proof
    } catch (error) {
      if (error instanceof LiabilityError) return { fault: error.fault, subject: error.subject }
      throw error
    }
    return undefined
  }

  it('has nothing to show before the first, and waits until the books say what the chain does', async () => {
    expectProblem(await market.api.send('GET', '/v1/liabilities'), 404, 'resource/not-found')
    expectProblem(await market.api.send('GET', '/v1/me/liabilities', { token: buyer.token }), 404, 'resource/not-found')
    first = await pay(await placed(buyer, seller, 'custodied'))
    await mine()
    await publish()
    expectProblem(await market.api.send('GET', '/v1/liabilities'), 404, 'resource/not-found')
    await settleAll()
    await indexTo(market.api.db, 1n)
    await publish()
    expectProblem(await market.api.send('GET', '/v1/liabilities'), 404, 'resource/not-found')
    await mine()
    await publish()
    expect((await newest()).document.total).to.equal('20.000000')
  })

  it('is one signed root for everyone, at a confirmed block, that may be kept', async () => {
    const { document } = await newest()
    const { chain } = market
    const head = await chain.client.getBlockNumber()
    const { hash } = await chain.client.getBlock({ blockNumber: BigInt(document.block_number) })
    expect(document).to.include({ block_number: Number(head) - 2, block_hash: hash, network: 'eip155:31337' })
    expect(document.wallets).to.deep.equal([chain.accounts.hotWallet.address])
    const again = await market.api.send('GET', `/v1/liabilities/${document.block_number}`)
    expect(again.body).to.deep.equal(await newest())
    expect(again.headers.get('cache-control')).to.equal('public, max-age=3600')
    expectProblem(await market.api.send('GET', '/v1/liabilities/7'), 404, 'resource/not-found')
  })

  it('shows both sides of an order its money, with a path to the root, and nobody else anything', async () => {
    const hold = [`hold:${first.urn} 20.000000`]
    expect(standing(await prove(buyer))).to.deep.equal(hold)
    expect(standing(await prove(seller))).to.deep.equal(hold)
    expect(standing(await proveBalances(buyer.client, keys))).to.deep.equal(hold)
    expect(standing(await prove(await newTrader(market)))).to.deep.equal([])
  })

  it('counts what is earned, on its way and kept apart, and neither fees nor what the contract holds', async () => {
    const second = await pay(await placed(buyer, seller, 'custodied'))
    const third = await pay(await placed(buyer, seller, 'custodied'))
    await send(buyer.wallet.address, market.chain.accounts.hotWallet.address, 5n)
    await send(buyer.wallet.address, market.chain.escrow, 7n)
    await published()
    await deliver(second)
    await buyer.client.call(acceptOrder, { params: { urn: second.urn } })
    await seller.client.call(cancelOrder, { params: { urn: third.urn }, body: { reason_code: 'other' } })
    const { document } = await published()
    expect(document.total).to.equal('59.000005')
    expect(standing(await prove(seller)).map(kindOf)).to.deep.equal([
      `hold:${first.urn} 20.000000`,
      'in_transit:payout 20.000000',
      `payable:market:human:${seller.humanId} 19.000000`,
    ])
    expect(standing(await prove(buyer)).map(kindOf)).to.deep.equal([
      `hold:${first.urn} 20.000000`,
      'in_transit:payout 20.000000',
      'suspense:transfer 0.000005',
    ])
    expect(standing(await proveBalances(seller.client, keys)).map(kindOf)).to.deep.equal([
      `hold:${first.urn} 20.000000`,
      'in_transit:payout 20.000000',
    ])
  })

  const kindOf = (line: string) =>
    line.replace(/(payout|payment|transfer):\S+/, '$1').replace('market:payout', 'payout')

  it('is published once an interval, and by one worker', async () => {
    const { document } = await newest()
    await mine()
    await publish()
    expect((await newest()).document.block_number).to.equal(document.block_number)
    await passTime(market.api, services.settings.rules.liabilitySeconds)
    await Promise.all([publish(), publish(), publish()])
    const { rows: found } = await sql<{ trees: number }>`
      select count(*)::integer as trees from market.liabilities where block_number > ${document.block_number}`.execute(
      market.api.db,
    )
    expect(found).to.deep.equal([{ trees: 1 }])
  })

  it('gives each tree salts and places of its own, so that two do not tell whose leaf was whose', async () => {
    const [one, two] = [await published(), await published()]
    const { rows: found } = await sql<{ salts: number; leaves: number }>`
      select count(distinct salt)::integer as salts, count(*)::integer as leaves from market.liability_leaves
      where block_number in (${one.document.block_number}, ${two.document.block_number})`.execute(market.api.db)
    expect(found[0]?.leaves).to.be.above(2)
    expect(found[0]?.salts).to.equal(found[0]?.leaves)
    expect(one.document.root).to.not.equal(two.document.root)
    expect(one.document.total).to.equal(two.document.total)
  })

  it('is read page by page, each of the one tree, by its own reader alone', async () => {
    const { document } = await newest()
    const path = `/v1/me/liabilities?limit=1&block=${document.block_number}`
    const page = await market.api.send('GET', path, { token: seller.humanToken })
    expect(page.body.balances).to.have.length(1)
    const next = `${path}&cursor=${page.body.next_cursor}`
    const second = await market.api.send('GET', next, { token: seller.humanToken })
    expect(second.body.balances).to.have.length(1).and.not.deep.equal(page.body.balances)
    expectProblem(await market.api.send('GET', next, { token: buyer.humanToken }), 400, 'request/invalid', 'cursor')
    const other = next.replace(String(document.block_number), String(document.block_number - 1))
    expect((await market.api.send('GET', other, { token: seller.humanToken })).status).to.equal(404)
  })

  it('shows a refund that could not be made to who it is for, for as long as it is kept apart', async () => {
    const { db, settings } = market.api
    const refund = await db
      .selectFrom('market.payouts')
      .select('id')
      .where('leg', '=', 'payer')
      .executeTakeFirstOrThrow()
    for (const _attempt of [1, 2, 3]) {
      await inTransaction(db, 'read write', (tx) => submitPayout(tx, settings, refund.id))
      await inTransaction(db, 'read write', (tx) => failPayout(tx, settings, refund.id, 'failed: blacklisted'))
    }
    await published()
    const apart = [`hold:${first.urn} 20.000000`, 'suspense:payment 20.000000']
    expect(standing(await proveBalances(buyer.client, keys)).map(kindOf)).to.deep.equal(apart)
    const proved = await prove(buyer)
    expect(standing(proved).map(kindOf)).to.deep.equal([...apart, 'suspense:transfer 0.000005'])
    const { body } = await market.api.send('GET', '/v1/ledger/balances', { token: buyer.humanToken })
    expect(body.custody).to.include({ kept_apart: '20.000000', total: '40.000000' })
  })

  it('is found out when a balance, a node or the root is not what was signed, and what it was is named', async () => {
    const { document } = await published()
    const { db } = market.api
    const block = document.block_number
    const payable = `payable:market:human:${seller.humanId}`
    const changed = async (change: ReturnType<typeof sql>, back: ReturnType<typeof sql>, of = seller) => {
      expect((await change.execute(db)).numAffectedRows).to.equal(1n)
      const fault = await faultOf(prove(of, block))
      await back.execute(db)
      return fault
    }
    const own = sql`block_number = ${block} and account_id = (
      select id from ledger.accounts where kind || ':' || owner = ${payable})`
    const moreOrLess = (by: number) => sql`update market.liability_leaves set amount = amount + ${by} where ${own}`
    expect(await changed(moreOrLess(-1), moreOrLess(1))).to.deep.equal({ fault: 'inclusion', subject: payable })
    const top = sql`block_number = ${block} and level = ${document.height - 1} and page = 0`
    const flip = sql`update market.liability_nodes set nodes = set_byte(nodes, 39, get_byte(nodes, 39) # 1) where ${top}`
    expect((await changed(flip, flip))?.fault).to.equal('inclusion')
    const total = (to: string) => sql`
      update market.liabilities set document = document || ${JSON.stringify({ total: to })}::jsonb where block_number = ${block}`
    const unsigned = { fault: 'signature', subject: `block ${block}` }
    expect(await changed(total('1.000000'), total(document.total))).to.deep.equal(unsigned)
    expect(await faultOf(prove(seller, block))).to.equal(undefined)
  })

  it('is not believed when it is signed by somebody else, or another root is shown to others', async () => {
    const { document } = await newest()
    const subject = `block ${document.block_number}`
    const strangers = keys.map((key) => ({ ...key, kid: 'other' }))
    expect(await faultOf(proveBalances(human(seller), strangers))).to.deep.equal({ fault: 'signature', subject })
    const shown: typeof fetch = async (...call) => {
      const reply = await fetch(...call)
      const isPublished = String(call[0]).includes('/v1/liabilities/')
      return isPublished ? new Response((await reply.text()).replace(document.root, '0'.repeat(64)), reply) : reply
    }
    const client = createClient({ baseUrl: market.api.baseUrl, token: seller.humanToken, fetch: shown })
    expect(await faultOf(proveBalances(client, keys))).to.deep.equal({ fault: 'published', subject })
  })

  it('is not believed when a balance is shown twice, of another block, or when the newest is an old one', async () => {
    const [before, { document }] = [await newest(), await published()]
    const payable = `payable:market:human:${seller.humanId}`
    const showing = (change: (body: { balances: LiabilityInclusion[] }) => unknown, path = '/v1/me/liabilities') => {
      const shown: typeof fetch = async (...call) => {
        const reply = await fetch(...call)
        return String(call[0]).includes(path) ? Response.json(change((await reply.json()) as never)) : reply
      }
      return createClient({ baseUrl: market.api.baseUrl, token: seller.humanToken, fetch: shown })
    }
    const twice = showing((body) => {
      const own = body.balances.find(({ account }) => account === payable)
      return { ...body, balances: [...body.balances, own] }
    })
    expect(await faultOf(proveBalances(twice, keys))).to.deep.equal({ fault: 'inclusion', subject: payable })
    const ofBefore = showing((body) => ({ ...body, liabilities: before, balances: [] }))
    const asked = proveBalances(ofBefore, keys, { block: document.block_number })
    expect(await faultOf(asked)).to.deep.equal({ fault: 'block', subject: `block ${document.block_number}` })
    const replayed = proveBalances(ofBefore, keys, { chain: { ...onChain(), maxAgeSeconds: -1 } })
    expect(await faultOf(replayed)).to.deep.equal({ fault: 'age', subject: `block ${before.document.block_number}` })
  })

  it('is not believed when what covers it is no wallet or token of the service, or is counted twice', async () => {
    const { document } = await newest()
    const { accounts, token } = market.chain
    const others = { ...onChain(), wallets: [accounts.deployer.address] }
    const fault = async (chain: ChainCheck) => faultOf(proveBalances(human(seller), keys, { chain }))
    expect(await fault(others)).to.deep.equal({ fault: 'custody', subject: accounts.hotWallet.address })
    const another = { ...onChain(), token: accounts.deployer.address }
    expect(await fault(another)).to.deep.equal({ fault: 'custody', subject: token })
    const [hotWallet] = document.wallets
    const signed = await signDocument({ ...document, wallets: [hotWallet, hotWallet] }, market.api.settings.signingKey)
    const put = (name: object, { keyId, signature }: DocumentSignature) =>
      sql`
      update market.liabilities set document = ${JSON.stringify(name)}::jsonb, key_id = ${keyId}, signature = ${signature}
      where block_number = ${document.block_number}`.execute(market.api.db)
    await put({ ...document, wallets: [hotWallet, hotWallet] }, signed)
    const counted = await fault(onChain())
    await put(document, await signDocument(document, market.api.settings.signingKey))
    expect(counted).to.deep.equal({ fault: 'custody', subject: hotWallet })
    expect(await fault(onChain())).to.equal(undefined)
  })

  it('keeps the paths of the newest trees, and for good what was signed', async () => {
    services.settings.rules.liabilityTreesKept = 2
    const [oldest, middle] = [await published(), await published(), await published()]
    const of = ({ document }: SignedLiabilities) => document.block_number
    const paths = (block: number) =>
      market.api.send('GET', `/v1/me/liabilities?block=${block}`, { token: seller.humanToken })
    expectProblem(await paths(of(oldest)), 404, 'resource/not-found')
    expect((await paths(of(middle))).status).to.equal(200)
    expect((await market.api.send('GET', `/v1/liabilities/${of(oldest)}`)).body).to.deep.equal(oldest)
    const { rows: left } = await sql`
      select from market.liability_nodes where block_number <= ${of(oldest)}
      union all select from market.liability_leaves where block_number <= ${of(oldest)}`.execute(market.api.db)
    expect(left).to.deep.equal([])
  })

  it('shows that the wallet held less than was owed, when it was emptied', async () => {
    const { hotWallet } = market.chain.accounts
    await send(hotWallet.address, roleAccount(market.chain, 'deployer').address, PRICE)
    await mine()
    await passTime(market.api, services.settings.rules.liabilitySeconds)
    const { document: before } = await newest()
    await publish()
    expect((await newest()).document.block_number).to.equal(before.block_number)
    const { document } = await published()
    expect(document.total).to.equal(before.total)
    expect(await faultOf(prove(seller))).to.deep.equal({ fault: 'solvency', subject: hotWallet.address })
  })

  it('shows it still when an operator has explained the theft, with which the books are right again', async () => {
    const { api, chain } = market
    const token = api.first.operator_token
    const { body } = await api.send('GET', '/v1/payout-stops', { token })
    const [stop] = body.stops as { urn: { body: string }; fact: string; explanation: unknown }[]
    const urn = `market:stop:${stop?.urn.body}`
    const explain = (explanation: string) =>
      api.send('POST', `/v1/payout-stops/${urn}/explain`, { token, body: { explanation } })
    const booked = async () => {
      const { rows } = await sql<{ kind: string; micros: bigint }>`
        select kind, sum(amount)::bigint as micros from ledger.entries join ledger.accounts account on account.id = account_id
        where kind in ('hot_wallet', 'loss') group by 1 order by 1`.execute(api.db)
      return Object.fromEntries(rows.map(({ kind, micros }) => [kind, micros]))
    }
    const before = await booked()
    const { status, body: explained } = await explain('A key was stolen. It is replaced.')
    expect(status).to.equal(200)
    expect(explained).to.include({ explanation: 'A key was stolen. It is replaced.', lifted_at: null })
    expectProblem(await explain('It was not.'), 409, 'stops/nothing-to-explain')
    const other = await api.send('POST', '/v1/payout-stops', { token, body: { reason: 'A look.' } })
    const byHand = `/v1/payout-stops/market:stop:${other.body.urn.body}`
    const nothing = await api.send('POST', `${byHand}/explain`, { token, body: { explanation: 'None.' } })
    expectProblem(nothing, 409, 'stops/nothing-to-explain')
    await settleAll()
    await settleAll()
    const after = await booked()
    expect(after).to.deep.equal({ hot_wallet: (before.hot_wallet ?? 0n) + PRICE, loss: -PRICE })
    const { hotWallet } = chain.accounts
    expect(-(after.hot_wallet ?? 0n)).to.equal(await balanceOf(chain, hotWallet.address))
    const { rows: told } = await sql`select payload from market.events where event_type = 'loss.booked'`.execute(api.db)
    expect(told).to.containSubset([{ payload: { fact: stop?.fact, amount: '20.000000', place: 'hot_wallet' } }])
    for (const path of [byHand, `/v1/payout-stops/${urn}`])
      expect((await api.send('POST', `${path}/lift`, { token })).status).to.equal(200)
    await published()
    expect(await faultOf(prove(seller))).to.deep.equal({ fault: 'solvency', subject: hotWallet.address })
  })

  it('loses what was an erased owner’s, and still proves everybody else’s', async () => {
    const gone = await newTrader(market)
    const { document } = await newest()
    const { db } = market.api
    // As it stands after they were paid: the tree is of before.
    await sql`
      insert into market.liability_leaves (block_number, account_id, position, amount, salt)
      select ${document.block_number}, id, 999, 1, sha256('') from ledger.accounts
      where owner = ${`market:human:${gone.humanId}`}`.execute(db)
    await inTransaction(db, 'read write', (tx) => eraseHuman(tx, gone.humanId))
    const { rows: left } = await sql`
      select from market.liability_leaves where position = 999`.execute(db)
    expect(left).to.deep.equal([])
    expect((await proveBalances(human(seller), keys)).balances).to.have.length(3)
  })

  it('waits for an index that has no views yet, as when it starts for the first time', async () => {
    const rename = (from: string, to: string) =>
      sql`alter schema ${sql.ref(from)} rename to ${sql.ref(to)}`.execute(market.api.db)
    const { document } = await newest()
    await passTime(market.api, services.settings.rules.liabilitySeconds)
    await mine()
    await rename('chain', 'chain_to_be')
    await publish()
    await rename('chain_to_be', 'chain')
    expect((await newest()).document).to.deep.equal(document)
  })

  it('proves each of many, however far apart they stand', async () => {
    const some = [await newTrader(market), await newTrader(market)]
    await sql`
      insert into ledger.accounts (asset, kind, owner, balance)
      select asset, 'payable', 'market:human:' || gen_random_uuid(), n from generate_series(1, 700) n,
        (select distinct asset from ledger.accounts) one`.execute(market.api.db)
    for (const { humanId } of some) {
      await sql`update ledger.accounts set balance = 11 where owner = ${`market:human:${humanId}`}`.execute(
        market.api.db,
      )
    }
    const { document } = await published()
    expect(document.height).to.equal(10)
    for (const one of some) {
      const { totalMicros } = await proveBalances(human(one), keys)
      expect(totalMicros).to.equal(11n)
    }
  })
})
