import {
  type Account,
  type Address,
  createWalletClient,
  encodeFunctionData,
  type Hex,
  http,
  type PublicClient,
  parseEther,
} from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { formatAmount } from '../../protocol/encoding/amounts.ts'
import { tokenAbi } from '../../protocol/generated/token.ts'
import { type DevelopmentNode, openDevelopmentNode } from './node.ts'

// The balance an address is topped up to: enough for any order of a sandbox, and for thousands of
// transactions.
const TOKEN_MICROS = 1_000_000_000_000n
const NATIVE_WEI = parseEther('1')

/** The account that may mint test tokens, and where. */
export interface FaucetSettings {
  rpcUrl: string
  token: Address
  minterKey: Hex
}

interface Gift {
  to: Address
  value?: bigint
  data?: Hex
}

/**
 * Tops addresses up with test tokens and native coin, one address at a time, because its transactions need
 * consecutive nonces.
 */
export class Faucet {
  readonly #settings: FaucetSettings
  readonly #rpc: PublicClient
  readonly #node: DevelopmentNode
  readonly #minter: Account
  #queue: Promise<unknown> = Promise.resolve()

  constructor(settings: FaucetSettings, rpc: PublicClient) {
    this.#settings = settings
    this.#rpc = rpc
    this.#node = openDevelopmentNode(settings.rpcUrl)
    this.#minter = privateKeyToAccount(settings.minterKey)
  }

  /**
   * Tops an address up to the target balances and waits until the chain shows it. Returns the transactions,
   * none if nothing was missing, and the balances.
   */
  async topUp(address: Address) {
    const turn = this.#queue.then(() => this.#give(address))
    this.#queue = turn.catch(() => {})
    const transactions = await turn
    const { tokenMicros, nativeWei } = await this.#balances(address)
    return {
      address,
      token_balance: formatAmount(tokenMicros),
      native_balance_wei: nativeWei.toString(),
      transactions,
    }
  }

  async #give(address: Address): Promise<Hex[]> {
    const { tokenMicros, nativeWei } = await this.#balances(address)
    const gifts: Gift[] = []
    // A contract pays for no gas, and may not accept native coin.
    const paysForGas = !(await this.#rpc.getCode({ address }))
    if (paysForGas && nativeWei < NATIVE_WEI) gifts.push({ to: address, value: NATIVE_WEI - nativeWei })
    if (tokenMicros < TOKEN_MICROS) {
      const data = encodeFunctionData({
        abi: tokenAbi,
        functionName: 'mint',
        args: [address, TOKEN_MICROS - tokenMicros],
      })
      gifts.push({ to: this.#settings.token, data })
    }
    return this.#send(gifts)
  }

  async #send(gifts: readonly Gift[]): Promise<Hex[]> {
    const wallet = createWalletClient({ account: this.#minter, transport: http(this.#settings.rpcUrl) })
    const first = await this.#rpc.getTransactionCount({ address: this.#minter.address, blockTag: 'pending' })
    const hashes: Hex[] = []
    for (const [index, gift] of gifts.entries()) {
      hashes.push(await wallet.sendTransaction({ ...gift, nonce: first + index, chain: null, account: this.#minter }))
    }
    if (hashes.length > 0) await this.#node.request({ method: 'evm_mine' })
    for (const hash of hashes) {
      const receipt = await this.#rpc.waitForTransactionReceipt({ hash, pollingInterval: 100 })
      if (receipt.status !== 'success') throw new Error(`the faucet's transaction ${hash} was reverted`)
    }
    return hashes
  }

  async #balances(address: Address): Promise<{ tokenMicros: bigint; nativeWei: bigint }> {
    const [tokenMicros, nativeWei] = await Promise.all([
      this.#rpc.readContract({
        address: this.#settings.token,
        abi: tokenAbi,
        functionName: 'balanceOf',
        args: [address],
      }),
      this.#rpc.getBalance({ address }),
    ])
    return { tokenMicros, nativeWei }
  }
}
