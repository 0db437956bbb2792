import { expect } from 'chai'
import { pino } from 'pino'
import type { Address, Hex, TransactionReceipt } from 'viem'
import { keySet } from '../../../../../api/config/publicConfig.ts'
import { Progress } from '../../../../../api/payments/chain/progress.ts'
import { publishLiabilities } from '../../../../../api/payments/liabilities/publish.ts'
import { settle } from '../../../../../api/payments/settlement/settle.ts'
import type { IndexDb } from '../../../../../api/platform/db/pool.ts'
import type { IndexedServices } from '../../../../../api/platform/jobs/services.ts'
import type { PublicKeyJwk } from '../../../../../protocol/keys/signing.ts'
import type { SignedLiabilities } from '../../../../../protocol/liabilities/liabilities.ts'
import { type ChainCheck, proveBalances } from '../../../../../sdk/liabilities.ts'
import { createMarket } from '../../../../../sdk/market.ts'
import { mineBlocks, mintUsdc, signTransfer, submitToToken, transferUnsigned } from '../../../chain/payments.ts'
import {
  deliver,
  newTrader,
  type PlacedOrder,
  passTime,
  placed,
  startMarket,
  type TestMarket,
  type Trader,
} from '../../trading.ts'
import { forgeIndex, indexTo, indexTransfers, type TransferRow, transferRow } from '../chain/forgedIndex.ts'

export const PRICE = 20_000_000n
const AHEAD = 20n

/**
 * The API over the real chain, and the worker's jobs that bring what happened there into the books and
 * publish them.
 */
export interface PublishedBooks {
  market: TestMarket
  /** As the indexer: what it says. */
  index: IndexDb
  services: IndexedServices
  keys: readonly PublicKeyJwk[]
  buyer: Trader
  seller: Trader
  /** The index tells of everything up to the head; blocks make it deep enough. */
  mine: () => Promise<void>
  settleAll: () => Promise<void>
  publish: () => Promise<void>
  /** The buyer pays an order on the chain. */
  pay: (order: PlacedOrder) => Promise<PlacedOrder>
  /** Tokens move on the chain without a signature that says what for. */
  send: (from: Address, to: Address, amountMicros: bigint) => Promise<void>
  /** The newest tree, as anybody reads it. */
  newest: () => Promise<SignedLiabilities>
  /** A tree of now: the interval has passed, and there is a new block. */
  published: () => Promise<SignedLiabilities>
  stop: () => Promise<void>
}

export async function startPublishing(): Promise<PublishedBooks> {
  const market = await startMarket()
  const { api, chain } = market
  const forged = await forgeIndex(chain)
  const index = forged.db
  const services = {
    db: api.workerDb,
    index: forged.reader,
    rpc: chain.client,
    settings: api.settings,
    log: pino({ level: 'silent' }),
  }
  const { keys } = await keySet(api.db, api.settings)
  const [buyer, seller] = [await newTrader(market), await newTrader(market)]
  await mintUsdc(chain, buyer.wallet.address, 100n * PRICE)
  const rows: TransferRow[] = []
  /** A transfer that was mined, and what an honest index says of it. */
  const indexed = (receipt: TransactionReceipt, row: Parameters<typeof transferRow>[2]) => {
    rows.push(transferRow(chain, receipt, row))
  }
  const mine = async () => {
    await mineBlocks(chain, 3)
    await indexTransfers(index, rows)
    await indexTo(index, (await chain.client.getBlockNumber()) + AHEAD)
  }
  const settleAll = async () => {
    const progress = new Progress()
    await settle(services, progress)
    await settle(services, progress)
  }
  const publish = () => publishLiabilities(services)
  const newest = async () => {
    const { status, body } = await api.send('GET', '/v1/liabilities')
    expect(status).to.equal(200)
    return body as unknown as SignedLiabilities
  }
  return {
    ...{ market, index, services, keys, buyer, seller, mine, settleAll, publish, newest },
    pay: async (order) => {
      const [recipient, nonce] = [order.offer.recipient as Address, order.offer.nonce as Hex]
      const signed = await signTransfer(chain, buyer.wallet, { to: recipient, value: PRICE, nonce })
      const said = { sender: buyer.wallet.address, recipient, amount_micros: PRICE, authorization_nonce: nonce }
      indexed(await submitToToken(chain, signed), said)
      return order
    },
    send: async (from, to, amountMicros) => {
      const receipt = await transferUnsigned(chain, from, to, amountMicros)
      indexed(receipt, { sender: from, recipient: to, amount_micros: amountMicros, authorization_nonce: null })
    },
    published: async () => {
      await passTime(api, services.settings.rules.liabilitySeconds)
      await mine()
      await settleAll()
      await publish()
      return newest()
    },
    stop: async () => {
      await forged.stop()
      await market.stop()
    },
  }
}

/**
 * Two more orders are paid, one accepted and one cancelled, and something comes that nobody can tell what
 * for. Answers the tree of it.
 */
export async function trade(books: PublishedBooks): Promise<SignedLiabilities> {
  const { market, buyer, seller } = books
  const [sold, cancelled] = [await placed(buyer, seller, 'custodied'), await placed(buyer, seller, 'custodied')]
  for (const order of [sold, cancelled]) await books.pay(order)
  await books.send(buyer.wallet.address, market.chain.accounts.hotWallet.address, 5n)
  await books.send(buyer.wallet.address, market.chain.escrow, 7n)
  await books.published()
  await deliver(sold)
  await buyer.client.call('acceptOrder', { params: { urn: sold.urn } })
  await seller.client.call('cancelOrder', { params: { urn: cancelled.urn }, body: { reason_code: 'other' } })
  return books.published()
}

/** A client of a trader's owner. */
export function human({ market }: PublishedBooks, of: Trader) {
  return createMarket({ baseUrl: market.api.baseUrl, token: of.humanToken })
}

/** Where a proof looks whether there is as much as is owed. */
export function onChain({ market }: PublishedBooks): ChainCheck {
  const { client, token, accounts } = market.chain
  return { client, token, wallets: [accounts.hotWallet.address] }
}

/** Has an owner prove what they are owed, in the newest tree or the one of a block. */
export function prove(books: PublishedBooks, of: Trader, block?: number) {
  return proveBalances(human(books, of), books.keys, {
    chain: onChain(books),
    ...(block === undefined ? {} : { block }),
  })
}
