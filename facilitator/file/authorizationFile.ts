import { createBatch } from '../context/batch.ts'
import type { PayoutAuthorization } from '../context/records.ts'
import { type Content, type Entry, nextEntry, type Place } from './fileChain.ts'
import type { FileContext, Moment } from './signedAuthorizations.ts'
import type { Store } from './store.ts'

/** An authorization to be added, and the head at which it was signed. */
interface Item {
  authorization: PayoutAuthorization
  during: Moment
}

/** Adds to the file, under the lease. */
export interface AuthorizationFile {
  /**
   * Adds an authorization to the file, and then to what the process knows: both must have it before it is
   * used. Returns false, adding nothing, if it would raise what was signed for payees in the last 24 hours
   * (each nonce counted once) above the limit. Refunds do not count: a payer who pays and is refunded
   * repeatedly must not use up the sellers' limit. Nor do sweeps, which stay our own.
   */
  add: (item: Item) => Promise<boolean>
  /** Adds the identity of the present copy of the database. */
  addIdentity: (identity: string, signsFrom: bigint) => Promise<void>
}

/** Returns the file that goes on after an entry. */
export function openAuthorizationFile(
  context: Pick<FileContext, 'at' | 'hotWallet' | 'limits' | 'signedAuthorizations'>,
  store: Pick<Store, 'addAuthorizations' | 'addIdentity'>,
  after: Place,
): AuthorizationFile {
  const { limits, signedAuthorizations } = context
  let newest = after
  const follow = (place: Place) => {
    newest = place
    signedAuthorizations.follow(place)
  }
  /** Returns which of these fit into the day together, in their order. */
  const fitting = (items: readonly Item[]) => {
    const planned = new Map<string, bigint>()
    return items.map(({ authorization: { leg, nonce, amountMicros }, during }) => {
      if (leg !== 'payee') return true
      const others = planned.entries().reduce((sum, [other, micros]) => (other === nonce ? sum : sum + micros), 0n)
      const fits = signedAuthorizations.payeeMicros(nonce, during) + others + amountMicros <= limits.dailyPayoutMicros
      if (fits) planned.set(nonce, amountMicros)
      return fits
    })
  }
  // Each entry has the hash of the one before, so they are written one batch after the other.
  const add = createBatch<Item, boolean>(async (items) => {
    const fit = fitting(items)
    const added = items.filter((_, index) => fit[index])
    const entries: Entry<Content & { kind: 'authorization' }>[] = []
    for (const { authorization } of added) {
      entries.push(await nextEntry(context, entries.at(-1) ?? newest, { kind: 'authorization', authorization }))
    }
    const last = entries.at(-1)
    if (!last) return fit
    await store.addAuthorizations(entries)
    for (const { authorization, during } of added) signedAuthorizations.add(authorization, during)
    follow({ number: last.number, hash: last.hash })
    return fit
  })
  return {
    add,
    async addIdentity(identity, signsFrom) {
      const entry = await nextEntry(context, newest, { kind: 'identity', identity, signsFrom })
      await store.addIdentity(entry)
      follow({ number: entry.number, hash: entry.hash })
    },
  }
}
