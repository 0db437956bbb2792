import { randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import {
  type Address,
  bytesToHex,
  encodeFunctionData,
  type Hex,
  parseAbi,
  type SignableMessage,
  serializeErc6492Signature,
  type TypedDataDefinition,
} from 'viem'
import type { PrivateKeyAccount } from 'viem/accounts'
import { MULTICALL3 } from '../../../facilitator/evidence/submission.ts'
import { type SignedAuthorization, transferAuthorizationTypedData } from '../../../protocol/payments/authorization.ts'
import type { TestChain } from './node.ts'
import { mined, roleAccount } from './payments.ts'

const FACTORY = new URL('../../../artifacts/test/contracts/WalletFactory.sol/WalletFactory.json', import.meta.url)
// viem has the real code, and exports it not.
const CONTRACTS = new URL('../../../node_modules/viem/_esm/constants/contracts.js', import.meta.url)
const factoryAbi = parseAbi([
  'function deploy(address owner, bytes32 salt) returns (address)',
  'function addressOf(address owner, bytes32 salt) view returns (address)',
])

/** A contract wallet that is not there yet, and whoever signs for it. */
export interface FutureWallet {
  address: Address
  /** What deploys it. */
  deploy: { to: Address; data: Hex }
  signMessage: (message: SignableMessage) => Promise<Hex>
  signTypedData: (typedData: unknown) => Promise<Hex>
  /** An EIP-3009 transfer from the wallet, valid for a day unless told otherwise, in an ERC-6492 wrapper. */
  signTransfer: (
    message: Pick<SignedAuthorization, 'to' | 'value' | 'nonce'> & Partial<SignedAuthorization>,
  ) => Promise<SignedAuthorization>
}

/** Deploys a factory of contract wallets. */
export async function deployWalletFactory(chain: TestChain): Promise<Address> {
  const { abi, bytecode } = JSON.parse(await readFile(FACTORY, 'utf8'))
  const account = roleAccount(chain, 'deployer')
  const { contractAddress } = await mined(chain, chain.client.deployContract({ abi, bytecode, account }))
  if (!contractAddress) throw new Error('the factory was not deployed')
  return contractAddress
}

/** Puts Multicall3 where it is on public chains. */
export async function installMulticall(chain: TestChain): Promise<void> {
  const { multicall3Bytecode } = (await import(CONTRACTS.href)) as { multicall3Bytecode: Hex }
  const account = roleAccount(chain, 'deployer')
  const deployed = await mined(chain, chain.client.deployContract({ abi: [], bytecode: multicall3Bytecode, account }))
  const code = await chain.client.getCode({ address: deployed.contractAddress ?? '0x' })
  if (!code) throw new Error('Multicall3 was not deployed')
  await chain.client.setCode({ address: MULTICALL3, bytecode: code })
}

/** A wallet that a factory can deploy, at an address of its own. */
export async function futureWallet(
  chain: TestChain,
  factory: Address,
  owner: PrivateKeyAccount,
): Promise<FutureWallet> {
  const args = [owner.address, bytesToHex(randomBytes(32))] as const
  const address = await chain.client.readContract({
    address: factory,
    abi: factoryAbi,
    functionName: 'addressOf',
    args,
  })
  const data = encodeFunctionData({ abi: factoryAbi, functionName: 'deploy', args })
  const wrap = (signature: Hex) => serializeErc6492Signature({ address: factory, data, signature })
  return {
    address,
    deploy: { to: factory, data },
    signMessage: async (message) => wrap(await owner.signMessage({ message })),
    signTypedData: async (typedData) => wrap(await owner.signTypedData(typedData as TypedDataDefinition)),
    signTransfer: async (message) => {
      const { timestamp } = await chain.client.getBlock()
      const whole = { from: address, validAfter: 0n, validBefore: timestamp + 86_400n, ...message }
      const domain = { ...chain.tokenNames, chainId: chain.chainId, verifyingContract: chain.token }
      return { ...whole, signature: wrap(await owner.signTypedData(transferAuthorizationTypedData(domain, whole))) }
    },
  }
}
