import type { Store } from './store.ts'

/**
 * How much gas each owner's payments may use in 24 hours. Only what brings money in is charged: what is owed to
 * somebody afterwards follows from it, at most a release and two payouts for each, and never waits for a budget.
 */
export interface GasBudget {
  /**
   * Sets gas aside until `spend` has ended, which puts it on file. Answers undefined, and does not call `spend`, when
   * that is more than is left of the owner's day.
   */
  within: <Result>(ownerId: string, gas: bigint, spend: () => Promise<Result>) => Promise<Result | undefined>
}

/** A budget of `dailyGas` for each owner, over what is on file. */
export function createGasBudget(store: Pick<Store, 'chargedGas'>, dailyGas: bigint): GasBudget {
  /** What each owner's payments that are being sent have set aside. */
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
        // Nothing is awaited between the answer that leaves room and setting aside: the next one to ask sees it.
        const charged = await store.chargedGas(ownerId)
        const spending = underWay.get(ownerId)
        if (charged + sumOf(spending) + gas <= dailyGas) break
        if (!spending) return undefined
        // What is being spent may be on file by now, and was counted twice.
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
