import { sql } from 'kysely'
import { newId } from '../../../protocol/encoding/ids.ts'
import { urnString } from '../../../protocol/encoding/urn.ts'
import type { Settings } from '../../context.ts'
import { Problem } from '../../errors.ts'
import { audit } from '../audit/audit.ts'
import type { Tx } from '../db/pool.ts'
import type { WebhookRow } from './find.ts'
import type { WebhookOwner } from './owner.ts'
import { webhookProblems } from './problems.ts'
import { drawSecret } from './secret.ts'
import { requireTarget } from './target.ts'

/**
 * Locks a human's agent until the transaction ends, so that it is not deactivated meanwhile. Throws
 * agents/deactivated.
 */
export type HoldAgent = (tx: Tx, humanId: string, agentId: string) => Promise<unknown>

/** The events that an account wants to receive, and the URL. An org may also name spaces. */
export interface NewWebhook {
  url: string
  eventTypes: string[]
  spaces?: string[] | null
}

/**
 * Creates a webhook of an account. Simultaneous calls count each other's webhooks. Returns it and its secret,
 * of which only a hash and an encrypted copy are kept. Throws request/invalid for a URL that may not be
 * posted to, agents/deactivated, and webhooks/too-many.
 */
export async function createWebhook(
  tx: Tx,
  { owner, settings, holdAgent }: { owner: WebhookOwner; settings: Settings; holdAgent: HoldAgent },
  { url, eventTypes, spaces = null }: NewWebhook,
): Promise<{ row: WebhookRow; secret: string }> {
  requireTarget(settings, url)
  const { accountId, humanId, orgId } = owner
  const agentId = orgId === null ? null : owner.agentId
  // Does not lock the account's row: every call of the account holds a lock on it.
  await sql`select pg_advisory_xact_lock(hashtextextended(${accountId}, 0))`.execute(tx)
  if (owner.agentId) await holdAgent(tx, humanId, owner.agentId)
  await requireRoom(tx, accountId, settings.rules.maxWebhooks)
  const id = newId()
  const { secret, ...stored } = drawSecret(settings, id)
  const row = await tx
    .insertInto('market.webhook_subscriptions')
    .values({
      ...{ id, account_id: accountId, human_id: humanId, agent_id: agentId, org_id: orgId, url },
      ...{ event_types: eventTypes, spaces },
      ...stored,
    })
    .returningAll()
    .executeTakeFirstOrThrow()
  await audit(tx, { actor: owner.urn, action: 'webhook.create', subject: urnString('webhook', id) })
  return { row, secret }
}

async function requireRoom(tx: Tx, accountId: string, most: number): Promise<void> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from market.webhook_subscriptions where account_id = ${accountId}`.execute(tx)
  if ((rows[0]?.count ?? 0) < most) return
  throw new Problem(webhookProblems.tooMany, {
    detail: `An account has at most ${most} webhooks. Change or delete one of yours.`,
  })
}
