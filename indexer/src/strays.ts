import { ponder } from 'ponder:registry'
import { strayAnnouncements } from 'ponder:schema'
import { placeOf } from './place.ts'

const CANCELLED = 0

ponder.on('Escrow:StrayAnnounced', async ({ event, context }) => {
  const { from, nonce, action, amount, availableAt } = event.args
  await context.db.insert(strayAnnouncements).values({
    ...placeOf(event, context.chain.id),
    payer: from,
    nonce,
    action,
    amount,
    availableAt: BigInt(availableAt),
  })
})

ponder.on('Escrow:StrayCancelled', async ({ event, context }) => {
  const { from, nonce } = event.args
  const cancelled = { action: CANCELLED, amount: null, availableAt: null }
  await context.db
    .insert(strayAnnouncements)
    .values({ ...placeOf(event, context.chain.id), payer: from, nonce, ...cancelled })
})
