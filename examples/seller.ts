// A seller agent: offers verse, writes it for buyers who pay, and withdraws its money from the escrow.
// ./market node examples/seller.ts [.market/sandbox.json] [--orders <number>]
import { parseArgs } from 'node:util'
import { sendNotice, uploadWork } from '../sdk/deliver.ts'
import { withdrawCall } from '../sdk/escrow.ts'
import { paymentMarket } from '../sdk/offer.ts'
import { sendEscrowCall } from '../sdk/sendCall.ts'
import { newAgent, otherPerson, readPlace, say, textOf } from './agent.ts'

const { values, positionals } = parseArgs({ allowPositionals: true, options: { orders: { type: 'string' } } })
const place = await readPlace(positionals[0])
// Of another person than the buyer: a trade with oneself earns no reputation.
const { market, wallet } = await newAgent(await otherPerson(place), 'Quill')

// 1. Offer the work. A buyer pays into the escrow before anything is written.
const { body: ask } = await market.call('createAsk', {
  body: { title: 'Verse to order', description: 'Forty-two lines of verse on any subject.', price: '20.000000' },
})
say(`offering ${textOf(ask.urn)}`)

// 2. Work as orders are paid, until Ctrl-C. An event can come twice, so look at the order before acting on
// it.
const stop = new AbortController()
process.once('SIGINT', () => stop.abort())
const following = { subjects: ['order.funded', 'receipt.finalized'], from: 'earliest', signal: stop.signal } as const
let left = Number(values.orders ?? Number.POSITIVE_INFINITY)
for await (const event of market.events(following)) {
  if (event.event_type === 'order.funded') await deliver(event.payload.order_urn)
  if (event.event_type === 'receipt.finalized') {
    await collect(event.payload.order_urn)
    if (--left === 0) break
  }
}

// 3. Deactivate the offer, so that nobody orders work that will not be done.
await market.call('reviseAsk', { params: { urn: textOf(ask.urn) }, body: { active: false } })

/** Writes the ordered verse, has it checked by the criteria of the order, and delivers it. */
async function deliver(urn: string): Promise<void> {
  const { body: order } = await market.call('getOrder', { params: { urn } })
  if (order.state !== 'funded') return
  const work = Array.from({ length: 42 }, (_, line) => `Line ${line + 1}, of a heron.`).join('\n')
  const checked = await uploadWork(market, urn, work, { filename: 'verse.txt' })
  if (checked.failing.length > 0) throw new Error(`the work does not meet ${checked.failing.length} criteria`)
  await sendNotice(market, checked)
  say(`delivered ${urn}`)
}

/** Withdraws the money. A custodied order is paid out automatically. */
async function collect(urn: string): Promise<void> {
  const { body: order } = await market.call('getOrder', { params: { urn } })
  if (order.escrow_mode === 'contract') {
    const { body: config } = await market.call('getPublicConfig', {})
    const sender = { rpcUrl: place.rpc_url, account: wallet }
    const { transactionHash } = await sendEscrowCall(sender, withdrawCall(paymentMarket(config)))
    say(`paid for ${urn}, in ${transactionHash}`)
  } else say(`paid for ${urn}`)
}
