import type { Market } from '../../sdk/market.ts'
import { bindWallet, handOverWallet } from '../../sdk/wallet.ts'
import { DONE, Misuse, readOptions } from '../terminal/options.ts'
import { facts, table, urnText } from '../terminal/text.ts'
import { openClient } from './people/client.ts'
import { openWallet, readPublishedConfig } from './people/wallet.ts'

const USAGE = `Usage: ./market wallet [--agent <urn>] [--json]
       ./market wallet --keystore <file> --password-file <file> [--faucet] [--agent <urn>] [--json]
       ./market wallet --keystore <file> --password-file <file> --earlier <file> --earlier-password-file <file>
                       [--agent <urn>] [--json]

Lists your wallets; or proves that one is yours, which then pays for orders. The first one is where you are paid. Where you change
the wallet that you are paid to, an earlier wallet vouches for the new one: payouts to it then need not wait.

  --keystore       the wallet's key, as ./market keystore writes it
  --password-file  its first line is the keystore's password
  --earlier        the key of a wallet that you have bound before, with its --earlier-password-file: both wallets sign the hand-over
  --faucet         in a sandbox: have it topped up with test money
  --agent          the agent to act as, where MARKET_TOKEN is a human's
  --json           the answer of the API as it is

Reads MARKET_URL and MARKET_TOKEN, or the running sandbox. Exits 0, 1 where it failed, 2 for a wrong call.`

const OPTIONS = {
  keystore: { type: 'string' },
  'password-file': { type: 'string' },
  earlier: { type: 'string' },
  'earlier-password-file': { type: 'string' },
  faucet: { type: 'boolean', default: false },
  agent: { type: 'string' },
} as const

const COLUMNS = [{ head: 'WALLET' }, { head: 'OF' }, { head: 'PAID HERE' }]

type Wallet = Awaited<ReturnType<typeof bindWallet>>

/** Lists wallets, or proves and binds the one whose key is given. */
export async function run(args: string[]): Promise<number> {
  const { values } = readOptions(args, OPTIONS)
  if (values.help) {
    console.log(USAGE)
    return DONE
  }
  const { keystore, 'password-file': passwordFile, faucet } = values
  if ((keystore === undefined) !== (passwordFile === undefined) || (faucet && keystore === undefined))
    throw new Misuse('Name --keystore with its --password-file. ./market wallet --help tells more.')
  const { earlier, 'earlier-password-file': earlierPassword } = values
  if ((earlier === undefined) !== (earlierPassword === undefined) || (earlier !== undefined && keystore === undefined))
    throw new Misuse('Name --earlier with its --earlier-password-file, beside the --keystore of the new wallet.')
  const { client, baseUrl } = await openClient({ agent: values.agent })
  if (keystore === undefined || passwordFile === undefined) return list(client, values.json)
  const account = await openWallet(keystore, passwordFile)
  const wallet = await bindWallet(client, account)
  if (earlier !== undefined && earlierPassword !== undefined) {
    const { owner_urn } = (await client.call('getMe', {})).body
    const { chain_id: chainId, base_url } = await readPublishedConfig(baseUrl)
    const place = { owner: urnText(owner_urn), domain: new URL(base_url).host, chainId }
    const wallets = { earlier: await openWallet(earlier, earlierPassword), new: account }
    await handOverWallet(client, urnText(wallet.urn), wallets, place)
  }
  if (faucet) await client.call('requestSandboxFunds', { body: { address: account.address } })
  console.log(values.json ? JSON.stringify(wallet, null, 2) : shown(wallet))
  return DONE
}

async function list(client: Market, asJson: boolean): Promise<number> {
  const { body } = await client.call('listWallets', { query: { limit: 100 } })
  const rows = body.wallets.map((wallet) => [wallet.address, urnText(wallet.account_urn), paidHere(wallet)])
  console.log(asJson ? JSON.stringify(body, null, 2) : rows.length === 0 ? 'No wallets.' : table(COLUMNS, rows))
  return DONE
}

function shown(wallet: Wallet): string {
  return facts([
    ['wallet', wallet.address],
    ['of', urnText(wallet.account_urn)],
    ['paid here', paidHere(wallet)],
  ])
}

function paidHere({ is_payout, payout_from }: Wallet): string {
  if (is_payout) return 'yes'
  return payout_from === null ? 'no' : `from ${payout_from.slice(0, 16).replace('T', ' ')} UTC`
}
