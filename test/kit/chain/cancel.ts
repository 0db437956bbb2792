import type { PrivateKeyAccount } from 'viem/accounts'
import { tokenAbi } from '../../../protocol/generated/token.ts'
import type { SignedAuthorization } from '../../../protocol/payments/authorization.ts'
import type { TestChain } from './node.ts'
import { mined, roleAccount } from './payments.ts'

/** Has a payer cancel what it signed: the token then has the nonce as used, and nothing was paid. */
export async function cancelAuthorization(
  chain: TestChain,
  payer: PrivateKeyAccount,
  { nonce }: Pick<SignedAuthorization, 'nonce'>,
): Promise<void> {
  const signature = await payer.signTypedData({
    domain: { ...chain.tokenNames, chainId: chain.chainId, verifyingContract: chain.token },
    types: {
      CancelAuthorization: [
        { name: 'authorizer', type: 'address' },
        { name: 'nonce', type: 'bytes32' },
      ],
    },
    primaryType: 'CancelAuthorization',
    message: { authorizer: payer.address, nonce },
  })
  const call = { address: chain.token, abi: tokenAbi, functionName: 'cancelAuthorization' } as const
  const account = roleAccount(chain, 'deployer')
  await mined(chain, chain.client.writeContract({ ...call, account, args: [payer.address, nonce, signature] as const }))
}
