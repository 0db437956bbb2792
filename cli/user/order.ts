import { PayeeChanged } from '../../sdk/payees.ts'
import { DONE, Misuse, readOptions } from '../terminal/options.ts'
import { table, urnText } from '../terminal/text.ts'
import { openClient, orderUrnOf, type PersonClient, timeOf } from './people/client.ts'
import { decide, deliveryText } from './people/delivery.ts'
import { ORDER_COLUMNS, orderRow, orderText } from './people/order.ts'
import { placeAndPay } from './people/purchase.ts'

const USAGE = `Usage: ./market order [--role buyer|seller] [--cursor <text>] [--agent <urn>] [--json]
       ./market order <order> [--agent <urn>] [--json]
       ./market order <order> --accept <sha-256> [--config <file> --keystore <file> --password-file <file> [--payee <wallet>]]
                      [--agent <urn>] [--json]
       ./market order <order> --reject <sha-256> --reason <text> [--agent <urn>] [--json]
       ./market order --ask <urn> --max-price <amount> --config <file> --keystore <file> --password-file <file>
                      [--mode contract|custodied] [--payee <wallet>] [--agent <urn>] [--json]

Lists your orders, newest first; or shows one: its state, what is due until when, where the money is, what was delivered; or
decides on what was delivered; or places one on an ask and pays it. What the wallet signs is first recomputed from the configuration that you kept.

  <order>          its URN, or the id in it
  --accept         the SHA-256 of the delivery that you looked at: the money goes to its seller, and nobody takes it back; signed by
                   the wallet that paid, where it is given, it goes at once, whatever the amount
  --reject         the same, where it is not what was agreed on; --reason tells the seller why
  --agent          the agent to act as, where MARKET_TOKEN is a human's
  --max-price      the most you pay, as 20.000000: an ask that costs more is not ordered
  --config         a GET /v1/config/public that you checked and kept
  --keystore       the key of a verified wallet of the buyer's, as ./market keystore writes it
  --password-file  its first line is the keystore's password
  --payee          the seller's wallet, if it is another one than your wallet signed for before: ask the seller over another
                   channel first. Which ones it signed for is kept in .market/
  --json           the answer of the API as it is

Reads MARKET_URL and MARKET_TOKEN, or the running sandbox. Exits 0, 1 where it failed, 2 for a wrong call.`

const OPTIONS = {
  agent: { type: 'string' },
  role: { type: 'string' },
  cursor: { type: 'string' },
  ask: { type: 'string' },
  'max-price': { type: 'string' },
  accept: { type: 'string' },
  reject: { type: 'string' },
  reason: { type: 'string' },
  mode: { type: 'string' },
  payee: { type: 'string' },
  config: { type: 'string' },
  keystore: { type: 'string' },
  'password-file': { type: 'string' },
} as const

/** Lists orders, shows one, decides on one, or places one. */
export async function run(args: string[]): Promise<number> {
  const { values, positionals } = readOptions(args, OPTIONS)
  if (values.help) {
    console.log(USAGE)
    return DONE
  }
  if (positionals.length > 1) throw new Misuse('Name one order.')
  const [named] = positionals
  const market = await openClient({ agent: values.agent })
  try {
    return await act(market, named, values)
  } catch (error) {
    if (!(error instanceof PayeeChanged)) throw error
    const hint = `Ask the seller over another channel. If the new wallet is theirs, add --payee ${error.payee}`
    throw new Error(`${error.message}. ${hint}`)
  }
}

type Values = ReturnType<typeof readOptions<typeof OPTIONS>>['values']

async function act(market: PersonClient, named: string | undefined, values: Values): Promise<number> {
  if (values.ask !== undefined) {
    if (named !== undefined) throw new Misuse('Name an order to see it, or --ask to place one.')
    return show(market, await placeAndPay(market.client, { ...values, ask: values.ask }), values.json)
  }
  if ((values.accept ?? values.reject ?? values.reason) !== undefined) {
    if (named === undefined) throw new Misuse('Name the order whose delivery you decide on.')
    await decide(market.client, orderUrnOf(named), values)
  }
  return named === undefined ? list(market, values) : show(market, orderUrnOf(named), values.json)
}

async function show({ client }: PersonClient, urn: string, asJson: boolean): Promise<number> {
  const { body, response } = await client.call('getOrder', { params: { urn } })
  const isDivided = body.state === 'final' && body.receipt_urn !== null && !asJson
  const receipt = isDivided
    ? await client.call('getReceipt', { params: { urn: urnText(body.receipt_urn ?? body.urn) } })
    : undefined
  const { document } = receipt?.body.signed ?? {}
  if (asJson) console.log(JSON.stringify(body, null, 2))
  else {
    const delivered = await deliveryText(client, body)
    console.log([orderText(body, timeOf(response.headers), document), ...(delivered ? [delivered] : [])].join('\n'))
  }
  return DONE
}

async function list(
  { client }: PersonClient,
  values: { role?: string; cursor?: string; json: boolean },
): Promise<number> {
  const { role, cursor } = values
  if (role !== undefined && !isRole(role)) throw new Misuse('--role is buyer or seller.')
  const query = { limit: 20, ...(role ? { role } : {}), ...(cursor ? { cursor } : {}) }
  const { body, response } = await client.call('listOrders', { query })
  if (values.json) console.log(JSON.stringify(body, null, 2))
  else if (body.orders.length === 0) console.log('No orders.')
  else {
    const rows = body.orders.map((order) => orderRow(order, timeOf(response.headers)))
    console.log(table(ORDER_COLUMNS, rows))
    if (body.next_cursor !== null) console.log(`\nMore: --cursor ${body.next_cursor}`)
  }
  return DONE
}

function isRole(text: string): text is 'buyer' | 'seller' {
  return text === 'buyer' || text === 'seller'
}
