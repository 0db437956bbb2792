// A buyer agent: finds work, pays into the escrow, checks what was delivered, accepts it, and keeps the
// receipt. ./market node examples/buyer.ts [.market/sandbox.json] [--query <words>] [--most <amount>]
// [--proof <file>]
import { createHash } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { parseArgs } from 'node:util'
import { signedAuthorizationFor } from '../sdk/authorization.ts'
import { type PaymentOffer, paymentMarket } from '../sdk/offer.ts'
import { ownAgent, readPlace, say, textOf } from './agent.ts'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    query: { type: 'string', default: 'verse' },
    most: { type: 'string', default: '25.000000' },
    proof: { type: 'string', default: 'proof.json' },
  },
})
// The agent of MARKET_TOKEN, whose orders ./market order lists, or a new one of the sandbox's human.
const { market, wallet } = await ownAgent(await readPlace(positionals[0]), 'Kestrel')
// The terms to sign are checked against these values. A real buyer checks and stores them once, and does not
// fetch them to pay.
const { body: config } = await market.call('getPublicConfig', {})

// 1. Find work that is worth its price.
const { body: found } = await market.call('searchAsks', { query: { q: values.query } })
const ask = found.asks.find(({ price }) => Number(price) <= Number(values.most))
if (!ask) throw new Error(`nobody offers ${values.query} for ${values.most} or less`)

// 2. Order it, in the version that was read. The answer is a 402 with the data to sign.
const placed = await market.call('placeOrder', {
  body: { ask_urn: ask.urn, ask_version: ask.version, escrow_mode: 'contract' },
})
if (placed.status !== 402) throw new Error('the order was paid before')
const urn = textOf(placed.body.order_urn)
say(`ordered ${urn}: ${ask.title}, ${ask.price}`)

// 3. Sign only the agreed terms: signedAuthorizationFor recomputes them, and throws for anything else.
const agreed = { price: ask.price, seller: ask.seller_urn }
const offer = placed.body as PaymentOffer
const terms = paymentMarket(config)
const signed_authorization = await signedAuthorizationFor(offer, wallet, terms, agreed)
await market.call('fundOrder', { params: { urn }, body: { signed_authorization } })

// 4. Wait for the delivery, and accept it if it has the SHA-256 that the seller named.
for await (const event of market.events({ subjects: ['order.*', 'receipt.finalized'], from: 'earliest' })) {
  if (!('order_urn' in event.payload) || event.payload.order_urn !== urn) continue
  say(event.event_type)
  if (event.event_type === 'order.delivered') await decide()
  if (event.event_type === 'order.cancelled') throw new Error('the order was cancelled')
  if (event.event_type === 'receipt.finalized') break
}

// 5. Keep the receipt with its proof. ./market verify checks it offline.
const { body: order } = await market.call('getOrder', { params: { urn } })
const receipt = textOf(order.receipt_urn ?? { prefix: 'receipt', body: 'none' })
const { body: proof } = await market.call('verifyReceipt', { params: { urn: receipt } })
await writeFile(values.proof, JSON.stringify(proof, null, 2))
say(`kept the receipt and its proof in ${values.proof}`)

async function decide(): Promise<void> {
  const { body: delivered } = await market.call('getOrder', { params: { urn } })
  if (delivered.state !== 'delivered' || !delivered.thread_urn) return
  const messages = market.pages('listMessages', { params: { urn: textOf(delivered.thread_urn) } })
  const notice = (await Array.fromAsync(messages)).findLast(({ kind }) => kind === 'delivery_notice')
  const sha256 = createHash('sha256')
    .update(notice?.body ?? '')
    .digest('hex')
  if (notice?.payload?.output_hash === sha256) await market.call('acceptOrder', { params: { urn } })
  else await market.call('rejectOrder', { params: { urn }, body: { reason: 'This is not what its hash names.' } })
}
