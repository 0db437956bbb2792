import type { ChainEvent } from './evidence.ts'

/**
 * Returns the content of an event without its key, in the form of the index: node and index must agree on it before the
 * event is processed.
 */
export function claimsOf(event: ChainEvent): Record<string, string> {
  switch (event.kind) {
    case 'funded': {
      const { terms } = event
      return {
        order: terms.order,
        payer: event.payer,
        nonce: event.nonce,
        payee: terms.payee.toLowerCase(),
        amount: `${terms.amount}`,
        fee_recipient: terms.feeRecipient.toLowerCase(),
        fee_bps: `${terms.feeBps}`,
        fund_by: `${terms.fundBy}`,
        expiry: `${terms.expiry}`,
        adopted: `${event.adopted}`,
      }
    }
    case 'released': {
      const { order, payer, credits, cause } = event
      const total = credits.reduce((sum, { amountMicros }) => sum + amountMicros, 0n)
      const toPayer = credits.reduce(
        (sum, { account, amountMicros }) => (account === payer ? sum + amountMicros : sum),
        0n,
      )
      return { order, payer, cause: `${cause}`, to_payer: `${toPayer}`, total: `${total}` }
    }
    case 'reclaimed':
      return { order: event.order, payer: event.payer, amount: `${event.amountMicros}` }
    case 'withdrawn':
    case 'outflow':
    case 'rescued':
    case 'leak':
      return { to: event.to, amount: `${event.amountMicros}` }
    case 'stray_announced':
      return {
        from: event.from,
        nonce: event.nonce,
        action: event.action,
        amount: `${event.amount}`,
        available_at: `${event.availableAt}`,
      }
    case 'stray_returned':
      return { amount: `${event.amountMicros}` }
    case 'payment':
      return { to: event.to, amount: `${event.amountMicros}`, hold: event.holdId ?? '' }
    case 'transfer':
      return { from: event.from, to: event.to, amount: `${event.amountMicros}` }
  }
}
