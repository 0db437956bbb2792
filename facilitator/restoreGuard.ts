import { VALIDITY_SECONDS } from './authorizations.ts'
import type { ChainContext } from './context.ts'
import { readHead } from './head.ts'
import type { Store } from './store.ts'

/**
 * Returns when the hot wallet may sign (chain time, unix seconds). After a restore the file lacks what was signed since
 * the backup, and all of that has expired after the validity of an authorization: until then nothing new is signed. A
 * file that the facilitator never wrote to needs no wait. Throws any error of the RPC and the database.
 */
export async function signingStart(
  context: Pick<ChainContext, 'client' | 'at' | 'confirmations' | 'log'>,
  store: Store,
): Promise<bigint> {
  const [current, recorded] = [await store.currentIdentity(), await store.recordedIdentity()]
  if (recorded?.identity === current) return recorded.signsFrom
  const isNew = recorded === undefined && !(await store.hasAuthorizations())
  const signsFrom = isNew ? 0n : (await readHead(context)).latest.timestamp + VALIDITY_SECONDS
  await store.recordIdentity({ identity: current, signsFrom })
  if (!isNew) {
    context.log.error(
      { alarm: true, signsFrom: signsFrom.toString() },
      'the file was restored: no payout is signed before',
    )
  }
  return signsFrom
}
