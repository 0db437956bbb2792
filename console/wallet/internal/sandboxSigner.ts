import type { Hex } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { t } from '../../texts/texts.ts'

/** The chain of a sandbox, and its node. */
export interface SandboxChain {
  chainId: number
  rpcUrl: string
}

// Loaded when the sandbox wallet is first used: signing takes more code than the rest of the page.

const METHOD_UNKNOWN = 4200
const CHAIN_UNKNOWN = 4902

interface Call {
  method: string
  params?: readonly unknown[]
}

/** Returns a new private key, from the browser's cryptographic randomness. */
export function newKey(): string {
  return generatePrivateKey()
}

/**
 * Answers a call as the wallet of a private key (EIP-1193), at the node of a sandbox. Throws what wallets
 * throw.
 */
export async function answerAs(key: string, chain: SandboxChain, { method, params = [] }: Call): Promise<unknown> {
  const account = privateKeyToAccount(key as Hex)
  switch (method) {
    case 'eth_accounts':
    case 'eth_requestAccounts':
      return [account.address]
    case 'eth_chainId':
      return hex(chain.chainId)
    case 'wallet_switchEthereumChain':
      if (Number((params[0] as { chainId: string }).chainId) === chain.chainId) return null
      throw fault(CHAIN_UNKNOWN, t('The sandbox wallet knows no other chain.'))
    case 'personal_sign':
      return account.signMessage({ message: { raw: params[0] as Hex } })
    case 'eth_signTypedData_v4':
      return account.signTypedData(JSON.parse(String(params[1])))
    case 'eth_sendTransaction':
      return send(account, chain, params[0] as { to: Hex; data: Hex })
    case 'eth_call':
    case 'eth_getTransactionReceipt':
    case 'eth_blockNumber':
    case 'eth_getBlockByNumber':
      return ask(chain, method, params)
    default:
      throw fault(METHOD_UNKNOWN, t('The sandbox wallet does not know {method}.', { method }))
  }
}

type Account = ReturnType<typeof privateKeyToAccount>

async function send(account: Account, chain: SandboxChain, { to, data }: { to: Hex; data: Hex }): Promise<unknown> {
  const from = account.address
  const [nonce, gas, price] = await Promise.all([
    ask(chain, 'eth_getTransactionCount', [from, 'pending']),
    ask(chain, 'eth_estimateGas', [{ from, to, data }]),
    ask(chain, 'eth_gasPrice', []),
  ])
  const gasPrice = BigInt(String(price)) * 2n
  const raw = await account.signTransaction({
    ...{ type: 'eip1559', chainId: chain.chainId, to, data, nonce: Number(nonce), gas: BigInt(String(gas)) },
    ...{ maxFeePerGas: gasPrice, maxPriorityFeePerGas: 0n },
  })
  return ask(chain, 'eth_sendRawTransaction', [raw])
}

async function ask({ rpcUrl }: SandboxChain, method: string, params: readonly unknown[]): Promise<unknown> {
  const response = await fetch(rpcUrl, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  })
  const { result, error } = (await response.json()) as { result?: unknown; error?: { code: number; message: string } }
  if (error) throw fault(error.code, error.message)
  return result
}

function hex(value: number): Hex {
  return `0x${value.toString(16)}`
}

function fault(code: number, message: string): Error {
  return Object.assign(new Error(message), { code })
}
