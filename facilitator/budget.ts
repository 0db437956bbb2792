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
  const setAside = new Map<string, bigint>()
  const add = (ownerId: string, gas: bigint) => {
    const sum = (setAside.get(ownerId) ?? 0n) + gas
    if (sum > 0n) setAside.set(ownerId, sum)
    else setAside.delete(ownerId)
  }
  return {
    async within(ownerId, gas, spend) {
      // Nothing is awaited between this answer and setting aside: the next one to ask sees it.
      const charged = await store.chargedGas(ownerId)
      if (charged + (setAside.get(ownerId) ?? 0n) + gas > dailyGas) return undefined
      add(ownerId, gas)
      return spend().finally(() => add(ownerId, -gas))
    },
  }
}
