import { type Address, getAddress, type Hex, hashMessage, type PublicClient } from 'viem'
import { isSignedBy } from '../protocol/keys/signatures.ts'
import { coldWalletMessage } from '../protocol/payments/coldWallet.ts'
import type { AuditTarget } from './history.ts'
import type { Finding } from './report.ts'

/** A wallet beside the hot wallet, and its signature over `coldWalletMessage`, if published. */
export interface ColdWallet {
  address: Address
  proof?: Hex
}

/**
 * Verifies each cold wallet's proof of control. Returns the wallets with a valid proof, and a finding for
 * each invalid one. The balance of a wallet without a proof does not count: it may be a stranger's. Throws
 * any error of the RPC.
 */
export async function proveColdWallets(
  client: PublicClient,
  { chainId, hotWallet }: AuditTarget,
  coldWallets: readonly ColdWallet[],
): Promise<{ proven: Address[]; findings: Finding[] }> {
  const proven: Address[] = []
  const findings: Finding[] = []
  for (const { address, proof } of coldWallets) {
    if (proof === undefined) continue
    const account = getAddress(address)
    const digest = hashMessage(coldWalletMessage({ chainId, hotWallet: getAddress(hotWallet), coldWallet: account }))
    if (await isSignedBy(client, { account, digest, signature: proof }, [])) proven.push(account)
    else {
      const detail =
        'Its proof of control is not its signature for this chain and hot wallet: its balance does not count.'
      findings.push({ code: 'custody/cold-wallet-unproven', subject: account, detail })
    }
  }
  return { proven, findings }
}
