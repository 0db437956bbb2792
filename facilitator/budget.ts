import type { Store } from './store.ts'

/**
 * How much gas each owner's payments may use in 24 hours. Only incoming payments are charged: each causes at most one
 * release and two payouts, which we owe and which never wait for a budget.
 */
export interface GasBudget {
  /**
   * Reserves gas until `spend` has ended, which records it on file. Returns undefined, without calling `spend`, if that
   * is more than the rest of the owner's day.
   */
  within: <Result>(ownerId: string, gas: bigint, spend: () => Promise<Result>) => Promise<Result | undefined>
}

/** Returns a budget of `dailyGas` per owner, on top of what is on file. */
export function createGasBudget(store: Pick<Store, 'chargedGas'>, dailyGas: bigint): GasBudget {
  /** The gas reserved for each owner's payments that are being sent. */
  const underWay = new Map<string, Map<Promise<unknown>, bigint>>()
  const setAside = (ownerId: string, spent: Promise<unknown>, gas: bigint) => {
    const spending = underWay.get(ownerId) ?? new Map<Promise<unknown>, bigint>()
    underWay.set(ownerId, spending.set(spent, gas))
  }
  const free = (ownerId: string, spent: Promise<unknown>) => {
    const spending = underWay.get(ownerId)
    spending?.delete(spent)
    if (spending?.size === 0) underWay.delete(ownerId)
  }
  return {
    async within(ownerId, gas, spend) {
      for (;;) {
        // Nothing is awaited between the read that finds room and the reservation, so the next caller sees it.
        const charged = await store.chargedGas(ownerId)
        const spending = underWay.get(ownerId)
        if (charged + sumOf(spending) + gas <= dailyGas) break
        if (!spending) return undefined
        // A pending reservation may have been recorded meanwhile, and was counted twice.
        await Promise.allSettled(spending.keys())
      }
      const spent = spend()
      setAside(ownerId, spent, gas)
      return spent.finally(() => free(ownerId, spent))
    },
  }
}

function sumOf(spending: ReadonlyMap<unknown, bigint> | undefined): bigint {
  return [...(spending?.values() ?? [])].reduce((sum, gas) => sum + gas, 0n)
}
