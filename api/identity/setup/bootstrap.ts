import { urnString } from '../../../protocol/encoding/urn.ts'
import type { Settings } from '../../context.ts'
import type { Scope } from '../../platform/db/generated/tables.ts'
import type { Tx } from '../../platform/db/pool.ts'
import { openOwnerPool } from '../../platform/db/searchPath.ts'
import { createHuman } from '../accounts/createHuman.ts'
import { issueToken } from '../tokens/mint.ts'
import { NO_LIMIT } from '../tokens/spendLimit.ts'

const ALL_SCOPES: readonly Scope[] = ['read', 'transact', 'withdraw', 'manage']

/** The first accounts of a market. Their tokens are shown only here. */
export interface FirstAccounts {
  operator_token: string
  /** The tokens of three operators who review disputes. */
  reviewer_tokens: string[]
  human_urn: string
  human_token: string
}

/**
 * Creates the first operator, three reviewers and the first human of a new market, each with a token of every
 * scope. Throws if any account exists: later accounts are created over the API.
 */
export async function bootstrap(
  databaseUrl: string,
  settings: Pick<Settings, 'chain' | 'reactions'>,
): Promise<FirstAccounts> {
  const db = await openOwnerPool(databaseUrl)
  try {
    return await db.transaction().execute(async (tx) => {
      await refuseSecondTime(tx)
      const operator = await createHuman(tx, settings, {
        displayName: 'Operator',
        email: 'operator@market.invalid',
        role: 'operator',
        createdBy: null,
      })
      const human = await createHuman(tx, settings, {
        displayName: 'First human',
        email: 'human@market.invalid',
        role: 'member',
        createdBy: null,
      })
      return {
        operator_token: await firstToken(tx, operator.urn.body),
        reviewer_tokens: await firstReviewers(tx, settings),
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
  const { secret } = await issueToken(tx, humanId, {
    humanId,
    agentId: null,
    scopes: ALL_SCOPES,
    expiresAt: null,
    spendLimit: NO_LIMIT,
  })
  return secret
}

async function firstReviewers(tx: Tx, settings: Pick<Settings, 'chain' | 'reactions'>): Promise<string[]> {
  const tokens: string[] = []
  for (const number of [1, 2, 3]) {
    const reviewer = await createHuman(tx, settings, {
      displayName: `Reviewer ${number}`,
      email: `reviewer-${number}@market.invalid`,
      role: 'operator',
      createdBy: null,
      isReviewer: true,
    })
    tokens.push(await firstToken(tx, reviewer.urn.body))
  }
  return tokens
}
