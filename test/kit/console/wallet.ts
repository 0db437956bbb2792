import type { BrowserContext } from 'playwright-core'
import { createWalletClient, type Hex, http } from 'viem'
import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'

const REFUSED = 4001
const CHAIN_UNKNOWN = 4902

/** A wallet of the browser, whose person answers as the test says. */
export interface TestWallet {
  address: Hex
  /** What the person does with the next things they are asked. */
  answers: 'yes' | 'no' | 'never'
  /** Whether the page was let use its account. */
  isConnected: boolean
  /** The chain that the wallet is on. */
  chainId: number
  /** Whether it knows the market's chain: a page can add it. */
  knowsChain: boolean
  /** The methods that it was asked for, in order. */
  asked: string[]
}

interface Options {
  rpcUrl: string
  chainId: number
  account?: PrivateKeyAccount
  /** More accounts of the wallet, which the page may use too. */
  others?: readonly PrivateKeyAccount[]
}

/**
 * Puts a wallet into the pages of a browser: it announces itself (EIP-6963), signs with its own key, and
 * passes everything else on to the chain's node.
 */
export async function addWallet(context: BrowserContext, options: Options): Promise<TestWallet> {
  const account = options.account ?? privateKeyToAccount(generatePrivateKey())
  const wallet: TestWallet = {
    ...{
      address: account.address,
      answers: 'yes',
      isConnected: false,
      chainId: options.chainId,
      knowsChain: true,
      asked: [],
    },
  }
  const accounts = [account, ...(options.others ?? [])]
  const addresses = accounts.map(({ address }) => address.toLowerCase())
  const sender = createWalletClient({ account, transport: http(options.rpcUrl) })
  const answer = async (method: string, params: unknown[]): Promise<unknown> => {
    wallet.asked.push(method)
    if (method === 'eth_chainId') return `0x${wallet.chainId.toString(16)}`
    if (method === 'eth_accounts') return wallet.isConnected ? addresses : []
    const isAsking = !/^eth_(call|get)/.test(method)
    if (isAsking && wallet.answers === 'never') return new Promise(() => {})
    if (isAsking && wallet.answers === 'no') throw Object.assign(new Error('User rejected'), { code: REFUSED })
    switch (method) {
      case 'eth_requestAccounts':
        wallet.isConnected = true
        return addresses
      case 'wallet_addEthereumChain':
        wallet.knowsChain = (params[0] as { rpcUrls: string[] }).rpcUrls[0] === options.rpcUrl
        return null
      case 'wallet_switchEthereumChain':
        return switchTo(wallet, Number((params[0] as { chainId: string }).chainId))
      case 'personal_sign':
        return account.signMessage({ message: { raw: params[0] as Hex } })
      case 'eth_signTypedData_v4':
        return accounts[addresses.indexOf(String(params[0]).toLowerCase())]?.signTypedData(
          JSON.parse(String(params[1])),
        )
      case 'eth_sendTransaction': {
        const { to, data } = params[0] as { to: Hex; data: Hex }
        return sender.sendTransaction({ chain: null, to, data })
      }
      default:
        return sender.request({ method, params } as Parameters<typeof sender.request>[0])
    }
  }
  await context.exposeFunction('askTestWallet', async (method: string, params: unknown[]) => {
    try {
      return { result: await answer(method, params) }
    } catch (error) {
      const { code, message } = error as { code?: number; message: string }
      return { error: { code: code ?? -32_603, message } }
    }
  })
  await context.addInitScript(ANNOUNCING)
  return wallet
}

function switchTo(wallet: TestWallet, chainId: number): null {
  if (!wallet.knowsChain) throw Object.assign(new Error('Unrecognized chain'), { code: CHAIN_UNKNOWN })
  wallet.chainId = chainId
  return null
}

const ANNOUNCING = `
const provider = {
  async request({ method, params }) {
    const { result, error } = await window.askTestWallet(method, params ?? [])
    if (error) throw error
    return result
  },
}
const icon = 'data:image/svg+xml,<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 8 8"><circle cx="4" cy="4" r="4"/></svg>'
const info = { uuid: 'd3a4f6de-8c5a-4f3e-9a54-6a8a3b9d1f10', name: 'Test Wallet', icon, rdns: 'example.test' }
const announce = () => dispatchEvent(new CustomEvent('eip6963:announceProvider', { detail: Object.freeze({ info, provider }) }))
addEventListener('eip6963:requestProvider', announce)
announce()
`
