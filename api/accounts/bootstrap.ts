import { urnString } from '../../protocol/urn.ts'
import type { ChainSettings } from '../context.ts'
import { openPool, type Tx } from '../db/pool.ts'
import type { Scope } from '../db/schema/accounts.ts'
import { issueToken } from '../tokens/issue.ts'
import { createHuman } from './createHuman.ts'

const ALL_SCOPES: readonly Scope[] = ['read', 'transact', 'withdraw', 'manage']

/** The first accounts of a market, and the only time their tokens are seen. */
export interface FirstAccounts {
  operator_token: string
  human_urn: string
  human_token: string
}

/**
 * Makes a fresh market's first operator and first human, each with a token of every scope. Throws when there are
 * accounts already: later ones are made over the API.
 */
export async function bootstrap(databaseUrl: string, chain: ChainSettings): Promise<FirstAccounts> {
  const db = openPool(databaseUrl, { max: 1, onError: () => {} })
  try {
    return await db.transaction().execute(async (tx) => {
      await refuseSecondTime(tx)
      const operator = await createHuman(tx, chain, {
        displayName: 'Operator',
        email: 'operator@market.invalid',
        role: 'operator',
        createdBy: null,
      })
      const human = await createHuman(tx, chain, {
        displayName: 'First human',
        email: 'human@market.invalid',
        role: 'member',
        createdBy: null,
      })
      return {
        operator_token: await firstToken(tx, operator.urn.body),
        human_urn: urnString('human', human.urn.body),
        human_token: await firstToken(tx, human.urn.body),
      }
    })
  } finally {
    await db.destroy()
  }
}

async function refuseSecondTime(tx: Tx): Promise<void> {
  const someone = await tx.selectFrom('market.humans').select('id').limit(1).executeTakeFirst()
  if (someone) throw new Error('this market has accounts already: the first ones are made once')
}

async function firstToken(tx: Tx, humanId: string): Promise<string> {
  const { secret } = await issueToken(tx, humanId, { humanId, agentId: null, scopes: ALL_SCOPES, expiresAt: null })
  return secret
}
