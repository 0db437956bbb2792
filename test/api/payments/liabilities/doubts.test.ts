import { after, before, describe, it } from 'node:test'
import { expect } from 'chai'
import { sql } from 'kysely'
import { endStop } from '../../../../api/payments/stops/administer.ts'
import type { JobServices } from '../../../../api/platform/jobs/services.ts'
import { signAs } from '../../../../api/platform/signing/keys.ts'
import { parseUrn } from '../../../../protocol/encoding/urn.ts'
import type { DocumentSignature, PublicKeyJwk } from '../../../../protocol/keys/signing.ts'
import type { LiabilityInclusion } from '../../../../protocol/liabilities/liabilities.ts'
import { type ChainCheck, LiabilityError, proveBalances } from '../../../../sdk/liabilities.ts'
import { createMarket } from '../../../../sdk/market.ts'
import {
  human,
  onChain,
  PRICE,
  type PublishedBooks,
  prove,
  startPublishing,
  trade,
} from '../../../kit/api/payments/liabilities/books.ts'
import { expectProblem } from '../../../kit/api/platform/http/api.ts'
import { passTime, placed, type TestMarket, type Trader } from '../../../kit/api/trading.ts'
import { balanceOf } from '../../../kit/chain/custody.ts'
import { roleAccount } from '../../../kit/chain/payments.ts'

describe('a proof of what is owed that does not hold', () => {
  let books: PublishedBooks
  let market: TestMarket
  let services: JobServices
  let keys: readonly PublicKeyJwk[]
  let seller: Trader

  before(async () => {
    books = await startPublishing()
    ;({ market, services, keys, seller } = books)
    await books.pay(await placed(books.buyer, seller, 'custodied'))
    await trade(books)
  })

  after(() => books?.stop())

  const faultOf = async (proof: Promise<unknown>) => {
    try {
      await proof
    } catch (error) {
      if (error instanceof LiabilityError) return { fault: error.fault, subject: error.subject }
      throw error
    }
    return undefined
  }

  it('is found out when a balance, a node or the root is not what was signed, and what it was is named', async () => {
    const { document } = await books.published()
    const { db } = market.api
    const block = document.block_number
    const payable = `payable:market:human:${seller.humanId}`
    const changed = async (change: ReturnType<typeof sql>, back: ReturnType<typeof sql>, of = seller) => {
      expect((await change.execute(db)).numAffectedRows).to.equal(1n)
      const fault = await faultOf(prove(books, of, block))
      await back.execute(db)
      return fault
    }
    const own = sql`block_number = ${block} and account_id = (
      select id from ledger.accounts where kind || ':' || ledger.owner_name(owner_type, owner_id) = ${payable})`
    const moreOrLess = (by: number) => sql`update market.liability_leaves set amount = amount + ${by} where ${own}`
    expect(await changed(moreOrLess(-1), moreOrLess(1))).to.deep.equal({ fault: 'inclusion', subject: payable })
    const top = sql`block_number = ${block} and level = ${document.height - 1} and page = 0`
    const flip = sql`update market.liability_nodes set nodes = set_byte(nodes, 39, get_byte(nodes, 39) # 1) where ${top}`
    expect((await changed(flip, flip))?.fault).to.equal('inclusion')
    const total = (to: string) => sql`
      update market.liabilities set document = document || ${JSON.stringify({ total: to })}::jsonb where block_number = ${block}`
    const unsigned = { fault: 'signature', subject: `block ${block}` }
    expect(await changed(total('1.000000'), total(document.total))).to.deep.equal(unsigned)
    expect(await faultOf(prove(books, seller, block))).to.equal(undefined)
  })

  it('is not believed when it is signed by somebody else, or another root is shown to others', async () => {
    const { document } = await books.newest()
    const subject = `block ${document.block_number}`
    const strangers = keys.map((key) => ({ ...key, kid: 'other' }))
    expect(await faultOf(proveBalances(human(books, seller), strangers))).to.deep.equal({ fault: 'signature', subject })
    const shown: typeof fetch = async (...call) => {
      const reply = await fetch(...call)
      const isPublished = String(call[0]).includes('/v1/liabilities/')
      return isPublished ? new Response((await reply.text()).replace(document.root, '0'.repeat(64)), reply) : reply
    }
    const client = createMarket({ baseUrl: market.api.baseUrl, token: seller.humanToken, fetch: shown })
    expect(await faultOf(proveBalances(client, keys))).to.deep.equal({ fault: 'published', subject })
  })

  it('is not believed when a balance is shown twice, of another block, or when the newest is an old one', async () => {
    const [before, { document }] = [await books.newest(), await books.published()]
    const payable = `payable:market:human:${seller.humanId}`
    const showing = (change: (body: { balances: LiabilityInclusion[] }) => unknown, path = '/v1/me/liabilities') => {
      const shown: typeof fetch = async (...call) => {
        const reply = await fetch(...call)
        return String(call[0]).includes(path) ? Response.json(change((await reply.json()) as never)) : reply
      }
      return createMarket({ baseUrl: market.api.baseUrl, token: seller.humanToken, fetch: shown })
    }
    const twice = showing((body) => {
      const own = body.balances.find(({ account }) => account === payable)
      return { ...body, balances: [...body.balances, own] }
    })
    expect(await faultOf(proveBalances(twice, keys))).to.deep.equal({ fault: 'inclusion', subject: payable })
    const ofBefore = showing((body) => ({ ...body, liabilities: before, balances: [] }))
    const asked = proveBalances(ofBefore, keys, { block: document.block_number })
    expect(await faultOf(asked)).to.deep.equal({ fault: 'block', subject: `block ${document.block_number}` })
    const replayed = proveBalances(ofBefore, keys, { chain: { ...onChain(books), maxAgeSeconds: -1 } })
    expect(await faultOf(replayed)).to.deep.equal({ fault: 'age', subject: `block ${before.document.block_number}` })
  })

  it('is not believed when what covers it is no wallet or token of the service, or is counted twice', async () => {
    const { document } = await books.newest()
    const { accounts, token } = market.chain
    const others = { ...onChain(books), wallets: [accounts.deployer.address] }
    const fault = async (chain: ChainCheck) => faultOf(proveBalances(human(books, seller), keys, { chain }))
    expect(await fault(others)).to.deep.equal({ fault: 'custody', subject: accounts.hotWallet.address })
    const another = { ...onChain(books), token: accounts.deployer.address }
    expect(await fault(another)).to.deep.equal({ fault: 'custody', subject: token })
    const [hotWallet] = document.wallets
    const signed = await signAs(market.api.db, market.api.settings, 'liabilities', {
      ...document,
      wallets: [hotWallet, hotWallet],
    })
    const put = (name: object, { keyId, signature }: DocumentSignature) =>
      sql`
      update market.liabilities set document = ${JSON.stringify(name)}::jsonb, key_id = ${keyId}, signature = ${signature}
      where block_number = ${document.block_number}`.execute(market.api.db)
    await put({ ...document, wallets: [hotWallet, hotWallet] }, signed)
    const counted = await fault(onChain(books))
    await put(document, await signAs(market.api.db, market.api.settings, 'liabilities', document))
    expect(counted).to.deep.equal({ fault: 'custody', subject: hotWallet })
    expect(await fault(onChain(books))).to.equal(undefined)
  })

  it('shows that the wallet held less than was owed, when it was emptied', async () => {
    const { hotWallet } = market.chain.accounts
    await books.send(hotWallet.address, roleAccount(market.chain, 'deployer').address, PRICE)
    await books.mine()
    await passTime(market.api, services.settings.rules.liabilitySeconds)
    const { document: before } = await books.newest()
    await books.publish()
    expect((await books.newest()).document.block_number).to.equal(before.block_number)
    const { document } = await books.published()
    expect(document.total).to.equal(before.total)
    expect(await faultOf(prove(books, seller))).to.deep.equal({ fault: 'solvency', subject: hotWallet.address })
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
    const entries = api.db.selectFrom('market.audit_log').select(['actor', 'action', 'details'])
    const details = { fact: stop?.fact, explanation: explained.explanation }
    expect(await entries.where('subject', '=', urn).where('action', '=', 'payouts.explain').execute()).to.deep.equal([
      { actor: explained.explained_by, action: 'payouts.explain', details },
    ])
    const other = await api.send('POST', '/v1/payout-stops', { token, body: { reason: 'A look.' } })
    const byHand = `/v1/payout-stops/market:stop:${other.body.urn.body}`
    const nothing = await api.send('POST', `${byHand}/explain`, { token, body: { explanation: 'None.' } })
    expectProblem(nothing, 409, 'stops/nothing-to-explain')
    await books.settleAll()
    await books.settleAll()
    const after = await booked()
    expect(after).to.deep.equal({ hot_wallet: (before.hot_wallet ?? 0n) + PRICE, loss: -PRICE })
    const { hotWallet } = chain.accounts
    expect(-(after.hot_wallet ?? 0n)).to.equal(await balanceOf(chain, hotWallet.address))
    const { rows: told } = await sql`select payload from market.events where event_type = 'loss.booked'`.execute(api.db)
    expect(told).to.containSubset([{ payload: { fact: stop?.fact, amount: '20.000000', place: 'hot_wallet' } }])
    const operatorId = parseUrn('human', String(other.body.raised_by)) ?? ''
    for (const { urn: standing } of [other.body, explained]) await endStop(api.databaseUrl, operatorId, standing.body)
    await books.published()
    expect(await faultOf(prove(books, seller))).to.deep.equal({ fault: 'solvency', subject: hotWallet.address })
  })
})
