import { readFile } from 'node:fs/promises'
import { type Address, getAddress } from 'viem'
import type { TestChain } from '../../../chain/node.ts'
import { freeAccount, mined } from '../../../chain/payments.ts'

const ARTIFACT = new URL('../../../../../artifacts/test/contracts/SignerWallet.sol/SignerWallet.json', import.meta.url)

/** Deploys a contract wallet that signs with a key's signatures (ERC-1271). */
export async function deploySignerWallet(chain: TestChain, owner: Address): Promise<Address> {
  const { abi, bytecode } = JSON.parse(await readFile(ARTIFACT, 'utf8'))
  const sent = chain.client.deployContract({ abi, bytecode, args: [owner], account: freeAccount(1) })
  const { contractAddress } = await mined(chain, sent)
  if (!contractAddress) throw new Error('the wallet was not deployed')
  return getAddress(contractAddress)
}
