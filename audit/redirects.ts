import { isAddressEqual, type PublicClient } from 'viem'
import { tokenAbi } from '../protocol/generated/token.ts'
import type { WalletLocation } from '../protocol/payments/nonces.ts'
import { askAll } from '../protocol/rpc/askAll.ts'
import type { Deposit } from './custody.ts'
import type { Finding } from './report.ts'

/**
 * Returns findings for refunds to another address although the token would have allowed paying the payer in
 * the block before.
 */
export async function auditRedirects(
  client: PublicClient,
  { token }: WalletLocation,
  deposits: readonly Deposit[],
): Promise<Finding[]> {
  const redirected = deposits.flatMap(({ transfer: { from }, nonce, legs: { payer } }) =>
    payer && !isAddressEqual(payer.to, from) ? [{ from, nonce, payer }] : [],
  )
  const wereBarred = await askAll(redirected, ({ from, payer }) =>
    client.readContract({
      ...{ address: token, abi: tokenAbi, functionName: 'isBlacklisted' },
      ...{ args: [from], blockNumber: payer.blockNumber - 1n },
    }),
  )
  return redirected
    .filter((_refund, index) => !wereBarred[index])
    .map(({ from, nonce, payer }) => ({
      code: 'custody/refund-to-other',
      subject: `${from}:${nonce}`,
      detail: `The refund went to ${payer.to}, and the token would have let the payer have it.`,
    }))
}
