import type { Address, LocalAccount, PublicClient } from 'viem'
import type { SignerRole } from './context/decision.ts'
import type { FacilitatorEnvironment } from './env.ts'
import type { Store } from './file/store.ts'
import { Signer, type SignerOptions } from './keys/signer.ts'
import { Signers } from './keys/signers.ts'

/**
 * Opens a signer for each configured key, and for other keys that have signed transactions on file, a few.
 * The pending transactions of the latter are logged, broadcast again for a while, and then given up, so that
 * another key does their work. On chain each intent can happen only once, so this risks only the gas of a
 * refused transaction.
 */
export async function openSigners(
  env: FacilitatorEnvironment,
  options: Omit<SignerOptions, 'address' | 'account'>,
): Promise<Signers> {
  const { client, store, log } = options
  const open = (address: Address, account: LocalAccount | undefined, role: SignerRole | 'retired' | 'keyless') =>
    new Signer({ ...options, address, account, log: log.child({ signer: role, address }) })
  const withKey = (role: SignerRole | 'retired') => (account: LocalAccount) => open(account.address, account, role)
  const configured = [...env.SUBMITTER_KEYS, env.RESOLVER_KEY, ...env.RETIRED_KEYS].map(({ address }) => address)
  const keyless = await findKeyless(client, store, configured)
  for (const { address, transactions } of keyless) {
    log.error(
      { alarm: true, address, transactions },
      'a key that is not configured has transactions under way: see RETIRED_KEYS',
    )
  }
  return new Signers(
    { submitter: env.SUBMITTER_KEYS.map(withKey('submitter')), resolver: [withKey('resolver')(env.RESOLVER_KEY)] },
    [...env.RETIRED_KEYS.map(withKey('retired')), ...keyless.map(({ address }) => open(address, undefined, 'keyless'))],
    log,
  )
}

async function findKeyless(client: PublicClient, store: Store, configured: readonly Address[]) {
  const found: { address: Address; transactions: number }[] = []
  for (const address of await store.otherSigners(configured)) {
    // At the newest block: a mined transaction no longer needs its key.
    const mined = await client.getTransactionCount({ address })
    const unmined = await store.transactionsFrom(address, mined, false)
    if (unmined.length > 0) found.push({ address, transactions: unmined.length })
  }
  return found
}
