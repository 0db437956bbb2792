import { test } from 'node:test'
import { expect } from 'chai'
import { query } from '../../e2e/books.ts'
import type { Scene } from '../../e2e/faultStack.ts'
import { expectNoLoss, placeInEachMode } from '../../e2e/reorganisation.ts'
import { payFor } from '../../e2e/steps.ts'
import { accept, deliver, untilOrder, untilSettled, untilThere } from '../../e2e/trading.ts'
import { forkPoint } from '../../kit/chain/forks.ts'

/** Reorganises the chain past the confirmed depth, so that releases and payouts are lost. */
export function reorganisationOfPayouts(sceneOf: () => Scene): void {
  test('what was paid out and lost is sent again by its sender, and nothing is paid twice [risk lost-payout]', async () => {
    const scene = sceneOf()
    const { stack, parties } = scene
    const { buyer, seller } = parties
    const trades = await placeInEachMode(scene)
    await Promise.all(trades.map((trade) => payFor(stack, parties, trade)))
    const funded = await Promise.all(trades.map(({ urn }) => untilOrder(buyer, urn, 'funded')))
    await Promise.all(funded.map((order) => deliver(seller, order)))
    const lastKept = await stack.chain.client.getBlockNumber()
    const goBack = await forkPoint(stack.chain)
    await Promise.all(trades.map(({ urn }) => accept(buyer, urn)))
    await Promise.all(trades.map(({ urn }) => untilSettled(buyer, urn)))
    const lost = await settledAfter(scene, lastKept)
    expect(lost).to.have.length(trades.length)

    await goBack()
    const isInAnotherBlock = (again: typeof lost) =>
      lost.every(({ key, block_hash }) =>
        again.some((event) => event.key === key && event.block_hash !== block_hash && !event.is_lost),
      )
    await untilThere('both are in other blocks', () => settledAfter(scene, 0n), isInAnotherBlock)
    await expectNoLoss(scene)
  })
}

/** Releases and payouts that were settled from blocks after this one. */
function settledAfter({ stack }: Scene, block: bigint) {
  return query<{ key: string; block_hash: string; is_lost: boolean }>(
    stack,
    `select key, block_hash, vanished_at is not null as is_lost from market.processed_chain_events
     where kind in ('released', 'outflow') and block_number > $1 order by key`,
    [String(block)],
  )
}
