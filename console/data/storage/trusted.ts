import { type PaymentMarket, paymentMarket } from '../../../sdk/offer.ts'
import { t } from '../../texts/texts.ts'
import { market } from '../market.ts'

const KEPT = 'market'

/**
 * Returns the contracts that this browser pays to: those in the first configuration that it read. Throws an
 * Error if the service names others now, so that nothing is signed for them.
 */
export async function trustedMarket(): Promise<PaymentMarket> {
  const { body } = await market.call('getPublicConfig', {})
  const present = paymentMarket(body)
  const kept = localStorage.getItem(KEPT)
  if (kept === null || body.sandbox) {
    localStorage.setItem(KEPT, JSON.stringify(present))
    return present
  }
  const known = JSON.parse(kept) as PaymentMarket
  const changed = (['chainId', 'token', 'escrow', 'hotWallet', 'feeRecipient'] as const).filter(
    (name) => known[name] !== present[name],
  )
  if (changed.length === 0) return present
  throw new Error(
    t(
      'The service names other contracts than when this browser first paid here ({changed}). Nothing was signed. Ask the operator why, over another channel. To accept the new ones, clear this site’s data.',
      { changed: changed.join(', ') },
    ),
  )
}
