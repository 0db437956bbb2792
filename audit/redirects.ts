import { isAddressEqual, type PublicClient } from 'viem'
import { tokenAbi } from '../protocol/abi/token.ts'
import type { WalletLocation } from '../protocol/nonces.ts'
import type { Deposit } from './custody.ts'
import type { Finding } from './report.ts'

/** Names refunds that went to somebody else though the token would have let their payer be paid: in the block before. */
export async function auditRedirects(
  client: PublicClient,
  { token }: WalletLocation,
  deposits: readonly Deposit[],
): Promise<Finding[]> {
  const findings: Finding[] = []
  for (const { transfer, nonce, legs } of deposits) {
    if (!legs.payer || isAddressEqual(legs.payer.to, transfer.from)) continue
    const blockNumber = legs.payer.blockNumber - 1n
    const args = [transfer.from] as const
    if (await client.readContract({ address: token, abi: tokenAbi, functionName: 'isBlacklisted', args, blockNumber }))
      continue
    findings.push({
      code: 'custody/refund-to-other',
      subject: `${transfer.from}:${nonce}`,
      detail: `The refund went to ${legs.payer.to}, and the token would have let the payer have it.`,
    })
  }
  return findings
}
