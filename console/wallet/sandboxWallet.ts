import { t } from '../texts/texts.ts'
import type { SandboxChain } from './internal/sandboxSigner.ts'
import type { AnnouncedWallet } from './wallets.ts'

const KEY = 'sandbox-wallet'
/** How the wallet names itself to pages. */
export const SANDBOX_RDNS = 'market.sandbox'

/**
 * Announces a wallet of the page itself, for a sandbox: nobody needs an extension there. Its key is made when
 * it is first connected, and kept in this browser, unprotected: it holds nothing of worth. Returns how it is
 * taken back.
 */
export function announceSandboxWallet(chain: SandboxChain): () => void {
  const detail = sandboxWallet(chain)
  const announce = () => dispatchEvent(new CustomEvent('eip6963:announceProvider', { detail }))
  addEventListener('eip6963:requestProvider', announce)
  announce()
  return () => removeEventListener('eip6963:requestProvider', announce)
}

/**
 * Returns the wallet of the page itself. It signs without asking: the page shows what it has signed before.
 */
export function sandboxWallet(chain: SandboxChain): AnnouncedWallet {
  return {
    info: { uuid: 'sandbox-wallet', name: t('sandbox wallet'), icon: '', rdns: SANDBOX_RDNS },
    provider: {
      request: async (call) => {
        const kept = localStorage.getItem(KEY)
        if (kept === null && call.method === 'eth_accounts') return []
        const { answerAs, newKey } = await import('./internal/sandboxSigner.ts')
        const key = kept ?? newKey()
        if (kept === null) localStorage.setItem(KEY, key)
        return answerAs(key, chain, call)
      },
    },
  }
}
