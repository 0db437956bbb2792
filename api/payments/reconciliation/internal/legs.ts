import { type Leg, ownerName } from '../../ledger/post.ts'

/** A booked leg. The owner is in the form of `ledger.owner_name`. */
export interface BookedLeg {
  kind: string
  owner: string
  amountMicros: string
}

/** Returns a leg as it is read back from the books. */
export function bookedAs({ kind, owner, amountMicros }: Leg): BookedLeg {
  return { kind, owner: ownerName(owner), amountMicros: `${amountMicros}` }
}

/** Returns legs as one text that does not depend on their order; legs of zero are left out. */
export function textOf(legs: readonly BookedLeg[]): string {
  const moving = legs.filter(({ amountMicros }) => BigInt(amountMicros) !== 0n)
  const said = moving.map(({ kind, owner, amountMicros }) => `${kind}:${owner} ${amountMicros}`)
  return said.sort().join(', ') || 'nothing'
}
