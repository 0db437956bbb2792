import { ponder } from 'ponder:registry'
import { pauses, rescues, resolverChanges } from 'ponder:schema'
import { placeOf } from './place.ts'

ponder.on('Escrow:Paused', async ({ event, context }) => {
  await context.db.insert(pauses).values({ ...placeOf(event, context.chain.id), pausedUntil: BigInt(event.args.until) })
})

ponder.on('Escrow:Unpaused', async ({ event, context }) => {
  await context.db.insert(pauses).values({ ...placeOf(event, context.chain.id), pausedUntil: null })
})

ponder.on('Escrow:ResolverChangeScheduled', async ({ event, context }) => {
  const { resolver, effectiveAt } = event.args
  await context.db
    .insert(resolverChanges)
    .values({ ...placeOf(event, context.chain.id), resolver, effectiveAt: BigInt(effectiveAt) })
})

ponder.on('Escrow:Rescued', async ({ event, context }) => {
  const { token, to, amount } = event.args
  await context.db.insert(rescues).values({ ...placeOf(event, context.chain.id), token, recipient: to, amount })
})
