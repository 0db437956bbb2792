import { useSyncExternalStore } from 'react'
import type { Address, Hex } from 'viem'
import type { EscrowCall } from '../../sdk/escrow.ts'
import type { EthereumProvider } from '../../sdk/ethereum.ts'
import { market } from '../data/market.ts'
import { t } from '../texts/texts.ts'
import type { SignableData } from './encoding.ts'
import { ANSWER_MS, ask, type Provider, WalletError } from './provider.ts'

const POLL_MS = 1_000
const AT_ONCE_MS = 2_000

/** A wallet that has announced itself to this page (EIP-6963). Its name and icon are its own words. */
export interface AnnouncedWallet {
  info: { uuid: string; name: string; icon: string; rdns: string }
  provider: Provider
}

/** A wallet's account that this page may ask to sign. */
export interface ConnectedWallet {
  provider: Provider
  /** With the checksum of EIP-55. */
  address: Address
}

let announced: readonly AnnouncedWallet[] = []

/** Returns the wallets that have announced themselves so far, in the order in which they did. */
export function useWallets(): readonly AnnouncedWallet[] {
  return useSyncExternalStore(listen, () => announced)
}

function listen(onChange: () => void): () => void {
  const take = (event: Event) => {
    const { detail } = event as CustomEvent<AnnouncedWallet>
    if (!detail?.info?.uuid || announced.some(({ info }) => info.uuid === detail.info.uuid)) return
    announced = [...announced, detail]
    onChange()
  }
  addEventListener('eip6963:announceProvider', take)
  dispatchEvent(new Event('eip6963:requestProvider'))
  return () => removeEventListener('eip6963:announceProvider', take)
}

/** Asks a wallet for an account. Throws a WalletError. */
export async function connect(provider: Provider): Promise<ConnectedWallet> {
  const accounts = await ask(provider, 'eth_requestAccounts', [], ANSWER_MS)
  const [first] = Array.isArray(accounts) ? accounts : []
  const { addressOf } = await import('./encoding.ts')
  const address = addressOf(first)
  if (!address) throw new WalletError('no_account', t('Your wallet has given no account to this page.'))
  return { provider, address }
}

/**
 * Returns one of these accounts, where a wallet of this browser has let this page use it before. The person
 * is asked nothing, and a wallet that does not answer at once counts as none.
 */
export async function connectedWallet(accounts: readonly string[]): Promise<ConnectedWallet | undefined> {
  // Those that are there announce themselves while they are asked to.
  listen(() => {})()
  const { addressOf } = await import('./encoding.ts')
  const wanted = accounts.map(addressOf)
  const found = await Promise.all(
    announced.map(async ({ provider }) => {
      const given = await ask(provider, 'eth_accounts', [], AT_ONCE_MS).catch(() => [])
      const address = (Array.isArray(given) ? given : []).map(addressOf).find((one) => one && wanted.includes(one))
      return address && { provider, address }
    }),
  )
  return found.find((wallet) => wallet !== undefined)
}

/** Returns the id of the chain that a wallet is on. Throws a WalletError. */
async function readChain({ provider }: ConnectedWallet): Promise<number> {
  return Number(await ask(provider, 'eth_chainId'))
}

/**
 * Makes sure that a wallet is on a chain. If it is on another, it asks the person to switch. Throws a
 * WalletError.
 */
export async function ensureChain(wallet: ConnectedWallet, chainId: number): Promise<void> {
  const before = await readChain(wallet)
  if (before === chainId) return
  try {
    await ask(wallet.provider, 'wallet_switchEthereumChain', [{ chainId: hexOf(chainId) }], ANSWER_MS)
  } catch (error) {
    if (!(error instanceof WalletError) || error.fault !== 'unknown_chain') throw error
    await addChain(wallet, chainId, error)
  }
  if ((await readChain(wallet)) === chainId) return
  throw new WalletError(
    'other_chain',
    t('Your wallet is on chain {before}, and this market is on chain {chainId}.', { before, chainId }),
  )
}

/**
 * Offers the market's chain to a wallet that does not know it (EIP-3085). Throws `otherwise` if the market
 * names no node of it.
 */
async function addChain({ provider }: ConnectedWallet, chainId: number, otherwise: WalletError): Promise<void> {
  const { sandbox, chain_id, wallet_rpc_url: rpcUrl } = (await market.call('getPublicConfig', {})).body
  if (!rpcUrl || chain_id !== chainId) throw otherwise
  const chain = {
    chainId: hexOf(chainId),
    chainName: sandbox ? t('Market sandbox {chainId}', { chainId }) : t('Chain {chainId}', { chainId }),
    nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
    rpcUrls: [rpcUrl],
  }
  await ask(provider, 'wallet_addEthereumChain', [chain], ANSWER_MS)
  // A wallet may add a chain and stay on another.
  await ask(provider, 'wallet_switchEthereumChain', [{ chainId: hexOf(chainId) }], ANSWER_MS)
}

function hexOf(chainId: number): string {
  return `0x${chainId.toString(16)}`
}

/** Has a text signed (EIP-191). Throws a WalletError. */
export async function signMessage({ provider, address }: ConnectedWallet, message: string): Promise<Hex> {
  const { messageHex } = await import('./encoding.ts')
  return (await ask(provider, 'personal_sign', [messageHex(message), address], ANSWER_MS)) as Hex
}

/**
 * Has typed data signed (EIP-712). Show it first, and call ensureChain: wallets refuse the domain of another
 * chain.
 */
async function signTypedData({ provider, address }: ConnectedWallet, data: SignableData): Promise<Hex> {
  const { typedDataJson } = await import('./encoding.ts')
  return (await ask(provider, 'eth_signTypedData_v4', [address, typedDataJson(data)], ANSWER_MS)) as Hex
}

/** Returns a wallet as the signer that the SDK takes. */
export function signerOf(wallet: ConnectedWallet) {
  return {
    address: wallet.address,
    signTypedData: (data: unknown) => signTypedData(wallet, data as SignableData),
    signMessage: ({ message }: { message: string }) => signMessage(wallet, message),
  }
}

/**
 * Has a transaction signed and sent on its chain. Returns its hash: it is not in a block yet. Throws a
 * WalletError; after `late` it may have been sent all the same.
 */
export async function sendTransaction(wallet: ConnectedWallet, { chainId, to, data }: EscrowCall): Promise<Hex> {
  await ensureChain(wallet, chainId)
  const transaction = { from: wallet.address, to, data, value: '0x0' }
  return (await ask(wallet.provider, 'eth_sendTransaction', [transaction], ANSWER_MS)) as Hex
}

/** Returns a wallet's own node, which the SDK reads from. It throws WalletErrors. */
export function nodeOf({ provider }: ConnectedWallet): EthereumProvider {
  return { request: ({ method, params }) => ask(provider, method, params as readonly unknown[]) }
}

/** What a wallet's node says of a transaction that is in a block. */
export interface Receipt {
  blockNumber: Hex
  blockHash: Hex
  transactionHash: Hex
  logs: readonly { address: Address; topics: readonly Hex[]; data: Hex }[]
}

/**
 * Waits until a transaction is in a block, by the wallet's own node. Throws a WalletError if it reverted
 * there, or is in no block in time: it may be in one later.
 */
export async function waitForReceipt(
  { provider }: ConnectedWallet,
  hash: Hex,
  { withinMs = ANSWER_MS, signal }: { withinMs?: number; signal?: AbortSignal } = {},
): Promise<Receipt> {
  const end = Date.now() + withinMs
  while (Date.now() < end) {
    signal?.throwIfAborted()
    const receipt = (await ask(provider, 'eth_getTransactionReceipt', [hash])) as (Receipt & { status: Hex }) | null
    if (receipt?.status === '0x1') return receipt
    if (receipt)
      throw new WalletError(
        'failed',
        t('The transaction {hash} was reverted by the contract: it did nothing.', { hash }),
      )
    await new Promise((resolve) => setTimeout(resolve, POLL_MS))
  }
  throw new WalletError(
    'late',
    t('The transaction {hash} is in no block yet. Do not send it again: it may still come.', { hash }),
  )
}
