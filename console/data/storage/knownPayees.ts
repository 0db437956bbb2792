import type { KnownPayees } from '../../../sdk/payees.ts'

const KEPT = 'payees'

type Kept = Record<string, readonly string[]>

/**
 * The wallets of sellers that this browser has signed for. They are kept here and not asked for: whoever
 * could exchange a seller's wallet in the service's database could exchange its record of earlier signatures
 * too.
 */
export const knownPayees: KnownPayees = {
  of: (seller) => read()[seller] ?? [],
  add: (seller, payee) => {
    const kept = read()
    localStorage.setItem(KEPT, JSON.stringify({ ...kept, [seller]: [...(kept[seller] ?? []), payee] }))
  },
}

function read(): Kept {
  return JSON.parse(localStorage.getItem(KEPT) ?? '{}') as Kept
}
