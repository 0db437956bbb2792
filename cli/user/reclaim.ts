import { formatAmount } from '../../protocol/encoding/amounts.ts'
import { paymentMarket } from '../../sdk/offer.ts'
import { reclaimHold } from '../../sdk/reclaim.ts'
import { DONE, Misuse, readOptions } from '../terminal/options.ts'
import { facts, money } from '../terminal/text.ts'
import { openClient, orderUrnOf } from './people/client.ts'
import { openWallet, placeOf } from './people/wallet.ts'

const USAGE = `Usage: ./market reclaim <order> --keystore <file> --password-file <file> [--deposit-tx <hash>] [--config <file>] [--rpc-url <url>]
                        [--agent <urn>] [--json]

Takes the money of an order back out of the escrow contract, to the wallet that paid it, once the hold has expired. With --deposit-tx and
--config it needs nothing of the service.

  <order>          its URN, or the id in it
  --keystore       the key of the wallet that paid, as ./market keystore writes it; the wallet pays the gas
  --password-file  its first line is the keystore's password
  --deposit-tx     the transaction that paid; default: what the service says
  --config         a GET /v1/config/public that you kept: which chain, and which contract
  --rpc-url        a node of that chain
  --agent          the agent to act as, where MARKET_TOKEN is a human's

Without --config it reads the configuration of MARKET_URL, or of the running sandbox, whose node it then takes too.
Exits 0; 1 where it failed or was refused; 2 for a wrong call.`

const OPTIONS = {
  keystore: { type: 'string' },
  'password-file': { type: 'string' },
  'deposit-tx': { type: 'string' },
  config: { type: 'string' },
  'rpc-url': { type: 'string' },
  agent: { type: 'string' },
} as const

/** Reclaims the expired hold of an order, and takes the money out to the wallet that paid it. */
export async function run(args: string[]): Promise<number> {
  const { values, positionals } = readOptions(args, OPTIONS)
  if (values.help) {
    console.log(USAGE)
    return DONE
  }
  const [named, ...more] = positionals
  const { keystore, 'password-file': passwordFile } = values
  if (named === undefined || more.length > 0 || keystore === undefined || passwordFile === undefined)
    throw new Misuse('Name one order, and --keystore with its --password-file. ./market reclaim --help tells more.')
  const order = orderUrnOf(named)
  const account = await openWallet(keystore, passwordFile)
  const { config, rpcUrl } = await placeOf(values)
  const depositTx = values['deposit-tx'] ?? (await paidIn(order, values.agent))
  const taken = await reclaimHold({ rpcUrl, account }, paymentMarket(config), { order, depositTx })
  const result = {
    order,
    wallet: account.address,
    reclaimed: formatAmount(taken.reclaimedMicros),
    reclaim_tx: taken.reclaimTx,
    withdraw_tx: taken.withdrawTx,
  }
  console.log(values.json ? JSON.stringify(result, null, 2) : shown(result))
  return DONE
}

/** Returns the transaction that paid an order, as the service says. Throws an Error if nothing was paid. */
async function paidIn(order: string, agent: string | undefined): Promise<string> {
  const { client } = await openClient({ agent })
  const { hold } = (await client.call('getOrder', { params: { urn: order } })).body
  if (!hold) throw new Error('Nothing was paid for this order, so there is nothing to take back.')
  return hold.deposit_tx
}

function shown(result: Record<'order' | 'wallet' | 'reclaimed' | 'reclaim_tx' | 'withdraw_tx', string>): string {
  return facts([
    ['order', result.order],
    ['taken back', `${money(result.reclaimed)} USDC`],
    ['to', result.wallet],
    ['reclaimed in', result.reclaim_tx],
    ['withdrawn in', result.withdraw_tx],
  ])
}
