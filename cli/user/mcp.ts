import { mkdir } from 'node:fs/promises'
import { parseArgs } from 'node:util'
import { serveStdio } from '@modelcontextprotocol/server/stdio'
import { createPublicClient } from 'viem'
import { type OnChain, openPurse, type Purse } from '../../mcp/purse.ts'
import { createMarketServer } from '../../mcp/server.ts'
import { openSpending } from '../../mcp/spending.ts'
import { parseAmount } from '../../protocol/encoding/amounts.ts'
import { nodeTransport } from '../../protocol/rpc/rpc.ts'
import { readClaimable, withdrawCall } from '../../sdk/escrow.ts'
import { createMarket } from '../../sdk/market.ts'
import { type PaymentMarket, paymentMarket } from '../../sdk/offer.ts'
import { reclaimHold } from '../../sdk/reclaim.ts'
import { type CallSender, sendEscrowCall } from '../../sdk/sendCall.ts'
import { readAgentEnvironment, readMarketPlace } from '../machine/env.ts'
import { STATE_DIR } from '../machine/paths.ts'
import { Misuse } from '../terminal/options.ts'
import { sayWaits } from '../terminal/waits.ts'
import { knownPayeesOf } from './people/knownPayees.ts'
import { openWallet, readKeptConfig } from './people/wallet.ts'

const USAGE = `Usage: MARKET_TOKEN=<token> ./market mcp [--agent <urn>] [--output-schemas] [--config <file> --keystore <file> --password-file <file> --per-order <amount> --per-day <amount> [--rpc-url <url>]]

Offers the market to an agent as tools, on standard input and output (Model Context Protocol). They act for the account of
MARKET_TOKEN, at MARKET_URL or in the running sandbox. With a wallet there are the tools buy and pay_appeal, which sign within the limits.

  --output-schemas each tool declares the schema of its answer, which makes their list four times as long
  --agent          the agent to act as, where MARKET_TOKEN is a human's
  --config         a GET /v1/config/public that you checked and kept: what the wallet signs is compared with it
  --keystore       the wallet's key, as ./market keystore writes it
  --password-file  its first line is the keystore's password
  --per-order      the most it pays for one order or appeal, as 20.000000
  --rpc-url        a node of the chain, to take out of the escrow what it owes the wallet; default that of the running sandbox
  --per-day        the most it pays in 24 hours, counted in .market/, also over restarts

Hold no more in that wallet than may be lost. A seller whose payout wallet differs from the one that it signed for before is refused:
./market order <order> --accept … --payee <wallet> with the same keystore agrees to the new one, once you know it is the seller's.`

/** Serves the tools until standard input ends. */
export async function run(args: string[]): Promise<number> {
  const { values } = parseArgs({
    args,
    options: {
      agent: { type: 'string' },
      'output-schemas': { type: 'boolean' },
      config: { type: 'string' },
      keystore: { type: 'string' },
      'password-file': { type: 'string' },
      'per-order': { type: 'string' },
      'per-day': { type: 'string' },
      'rpc-url': { type: 'string' },
      help: { type: 'boolean' },
    },
  })
  if (values.help) {
    console.log(USAGE)
    return 0
  }
  const { MARKET_URL: baseUrl, MARKET_TOKEN: token } = await readAgentEnvironment()
  const agent = values.agent ? { agent: values.agent } : {}
  const client = createMarket({ baseUrl, token, onWait: sayWaits(), ...agent })
  const purse = await purseOf(values)
  const ended = new Promise((resolve) => process.stdin.once('close', resolve).once('end', resolve))
  const hasOutputSchemas = values['output-schemas'] ?? false
  const served = serveStdio(() => createMarketServer({ client, hasOutputSchemas, ...(purse ? { purse } : {}) }))
  await ended
  await served.close()
  return 0
}

/** Returns the wallet that pays, or undefined without one. Throws an Error for a wallet without limits. */
async function purseOf(values: Record<string, string | boolean | undefined>): Promise<Purse | undefined> {
  const names = ['config', 'keystore', 'password-file', 'per-order', 'per-day'] as const
  const given = names.filter((name) => values[name] !== undefined)
  if (given.length === 0) return undefined
  const missing = names.filter((name) => values[name] === undefined).map((name) => `--${name}`)
  if (missing.length > 0) throw new Misuse(`A wallet needs ${missing.join(', ')} as well.`)
  const [config, keystore, passwordFile] = names.slice(0, 3).map((name) => String(values[name]))
  const [perOrderMicros, perDayMicros] = (['per-order', 'per-day'] as const).map((name) => amountOf(name, values[name]))
  const account = await openWallet(keystore ?? '', passwordFile ?? '')
  const market = await readKeptConfig(config ?? '')
  await mkdir(STATE_DIR, { recursive: true })
  const path = `${STATE_DIR}spending-${account.address.toLowerCase()}.sqlite`
  const spending = openSpending(path, { perOrderMicros: perOrderMicros ?? 0n, perDayMicros: perDayMicros ?? 0n })
  const appealPaymentSeconds = market.rules.appeal_payment_seconds
  const trusted = { ...paymentMarket(market), appealPaymentSeconds }
  const rpcUrl = values['rpc-url'] === undefined ? (await readMarketPlace())?.rpcUrl : String(values['rpc-url'])
  const onChain = rpcUrl ? onChainOf({ rpcUrl, account }, trusted) : undefined
  return openPurse(account, trusted, spending, onChain, knownPayeesOf(account.address))
}

function onChainOf(sender: CallSender, market: PaymentMarket): OnChain {
  return {
    withdraw: () => withdrawTo(sender, market),
    reclaim: (order, depositTx) => reclaimHold(sender, market, { order, depositTx }),
  }
}

async function withdrawTo(sender: CallSender, market: PaymentMarket) {
  const node = createPublicClient({ transport: nodeTransport(sender.rpcUrl, { retryCount: 2 }), ccipRead: false })
  const withdrawnMicros = await readClaimable(node, market, sender.account.address)
  if (withdrawnMicros === 0n) return { withdrawnMicros, txHash: null }
  const { transactionHash: txHash } = await sendEscrowCall(sender, withdrawCall(market))
  return { withdrawnMicros, txHash }
}

function amountOf(name: string, text: unknown): bigint {
  const micros = parseAmount(String(text))
  if (micros === undefined) throw new Misuse(`--${name} must be an amount, such as 20.000000.`)
  return micros
}
