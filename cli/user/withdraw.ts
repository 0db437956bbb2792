import { type Address, createPublicClient } from 'viem'
import { formatAmount } from '../../protocol/encoding/amounts.ts'
import { addressVariable } from '../../protocol/environment/environment.ts'
import { nodeTransport } from '../../protocol/rpc/rpc.ts'
import { readClaimable, withdrawCall } from '../../sdk/escrow.ts'
import { paymentMarket } from '../../sdk/offer.ts'
import { sendEscrowCall } from '../../sdk/sendCall.ts'
import { DONE, Misuse, readOptions } from '../terminal/options.ts'
import { facts, money } from '../terminal/text.ts'
import { openWallet, placeOf } from './people/wallet.ts'

const USAGE = `Usage: ./market withdraw --keystore <file> --password-file <file> [--config <file>] [--rpc-url <url>] [--json]
       ./market withdraw --address <address> [--config <file>] [--rpc-url <url>] [--json]

Takes what the escrow contract owes a wallet out to that wallet, on chain, without the service. With --address it only
says how much that is, and needs no key.

  --keystore       the wallet's key, as ./market keystore writes it; the wallet pays the gas
  --password-file  its first line is the keystore's password
  --config         a GET /v1/config/public that you kept: which chain, and which contract
  --rpc-url        a node of that chain

Without --config it reads the configuration of MARKET_URL, or of the running sandbox, whose node it then takes too.
Exits 0, also where there is nothing to withdraw; 1 where it failed; 2 for a wrong call.`

const OPTIONS = {
  keystore: { type: 'string' },
  'password-file': { type: 'string' },
  address: { type: 'string' },
  config: { type: 'string' },
  'rpc-url': { type: 'string' },
} as const

/** Shows the amount a wallet can withdraw, and withdraws it if the wallet's key is given. */
export async function run(args: string[]): Promise<number> {
  const { values } = readOptions(args, OPTIONS)
  if (values.help) {
    console.log(USAGE)
    return DONE
  }
  const { keystore, 'password-file': passwordFile } = values
  if ((keystore === undefined) === (values.address === undefined) || (keystore && !passwordFile))
    throw new Misuse(
      'Name either --keystore with its --password-file, or --address. ./market withdraw --help tells more.',
    )
  const account = keystore ? await openWallet(keystore, passwordFile ?? '') : undefined
  const wallet = account?.address ?? addressOf(values.address)
  const { config, rpcUrl } = await placeOf(values)
  const market = paymentMarket(config)
  const node = createPublicClient({ transport: nodeTransport(rpcUrl, { retryCount: 2 }), ccipRead: false })
  const claimableMicros = await readClaimable(node, market, wallet)
  const receipt =
    account && claimableMicros > 0n ? await sendEscrowCall({ rpcUrl, account }, withdrawCall(market)) : undefined
  const result = {
    wallet,
    escrow: config.escrow_contract,
    chain_id: config.chain_id,
    claimable: formatAmount(receipt ? 0n : claimableMicros),
    withdrawn: formatAmount(receipt ? claimableMicros : 0n),
    tx_hash: receipt?.transactionHash ?? null,
    block_number: receipt ? Number(receipt.blockNumber) : null,
  }
  console.log(values.json ? JSON.stringify(result, null, 2) : shown(result))
  return DONE
}

function addressOf(text: string | undefined): Address {
  const { success, data } = addressVariable.safeParse(text)
  if (!success) throw new Misuse('--address must be an address: 0x and 40 hex digits.')
  return data
}

function shown({ wallet, escrow, chain_id, claimable, withdrawn, tx_hash, block_number }: Result): string {
  const isDone = tx_hash !== null
  return facts([
    ['wallet', wallet],
    ['escrow', `${escrow} on chain ${chain_id}`],
    [isDone ? 'withdrawn' : 'claimable', `${money(isDone ? withdrawn : claimable)} USDC`],
    ['transaction', tx_hash && `${tx_hash}, block ${block_number}`],
  ])
}

interface Result {
  wallet: Address
  escrow: Address
  chain_id: number
  claimable: string
  withdrawn: string
  tx_hash: string | null
  block_number: number | null
}
