import { readClock } from '../platform/db/clock.ts'
import { type ServedRoute, serve } from '../platform/http/serve/serve.ts'
import { advanceChain, advanceClock } from './advanceClock.ts'
import { createPerson } from './createPerson.ts'
import type { Faucet } from './faucet.ts'
import type { DevelopmentNode } from './node.ts'
import { advanceSandboxClock, createSandboxHuman, readSandboxClock, requestSandboxFunds } from './routes.ts'

/** Returns the routes that only a sandbox has. */
export function sandboxHandlers(node: DevelopmentNode, faucet: Faucet): ServedRoute[] {
  return [
    serve(advanceSandboxClock, {
      prepare: (_services, _call, { body }) => advanceChain(node, body.seconds),
      run: async (tx, _call, { body }, moved) => ({ status: 200, body: await advanceClock(tx, body.seconds, moved) }),
    }),
    serve(readSandboxClock, async (tx) => ({ status: 200, body: { now: (await readClock(tx)).toISOString() } })),
    serve(createSandboxHuman, async (tx, { settings }, { body }) => ({
      status: 201,
      body: await createPerson(tx, settings, body.display_name),
    })),
    serve(requestSandboxFunds, {
      withoutTransaction: async (_services, _call, { body }) => ({
        status: 200,
        body: await faucet.topUp(body.address),
      }),
    }),
  ]
}
