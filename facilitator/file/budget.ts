import type { Store } from './store.ts'

/**
 * How much native coin each owner's payments may cost in 24 hours. Only incoming payments are charged: each
 * causes at most one release and two payouts, which we owe and which never wait for a budget.
 */
export interface FundingBudget {
  /**
   * Reserves wei until `spend` has ended, which records it on file. Returns undefined, without calling
   * `spend`, if that is more than the rest of the owner's day.
   */
  within: <Result>(ownerId: string, wei: bigint, spend: () => Promise<Result>) => Promise<Result | undefined>
}

/** The limits of 24 hours, in wei: of every owner, and of one without a payment confirmed before them. */
export interface FundingLimits {
  dailyWei: bigint
  newOwnerWei: bigint
}

/** Returns a budget on top of what is on file. */
export function createFundingBudget(
  store: Pick<Store, 'ownerFunding'>,
  { dailyWei, newOwnerWei }: FundingLimits,
): FundingBudget {
  /** The wei reserved for each owner's payments that are being sent. */
  const underWay = new Map<string, Map<Promise<unknown>, bigint>>()
  const setAside = (ownerId: string, spent: Promise<unknown>, wei: bigint) => {
    const spending = underWay.get(ownerId) ?? new Map<Promise<unknown>, bigint>()
    underWay.set(ownerId, spending.set(spent, wei))
  }
  const free = (ownerId: string, spent: Promise<unknown>) => {
    const spending = underWay.get(ownerId)
    spending?.delete(spent)
    if (spending?.size === 0) underWay.delete(ownerId)
  }
  return {
    async within(ownerId, wei, spend) {
      for (;;) {
        // Nothing is awaited between the read that finds room and the reservation, so the next caller sees
        // it.
        const { chargedWei, isEstablished } = await store.ownerFunding(ownerId)
        const spending = underWay.get(ownerId)
        if (chargedWei + sumOf(spending) + wei <= (isEstablished ? dailyWei : newOwnerWei)) break
        if (!spending) return undefined
        // A pending reservation may have been recorded meanwhile, and was counted twice.
        await Promise.allSettled(spending.keys())
      }
      const spent = spend()
      setAside(ownerId, spent, wei)
      return spent.finally(() => free(ownerId, spent))
    },
  }
}

function sumOf(spending: ReadonlyMap<unknown, bigint> | undefined): bigint {
  return [...(spending?.values() ?? [])].reduce((sum, wei) => sum + wei, 0n)
}
