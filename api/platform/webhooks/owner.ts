import { type RawBuilder, sql } from 'kysely'
import { accountOf, accountUrn } from '../../actor.ts'
import type { Actor } from '../../context.ts'

/** The owner of the webhooks that a call is about, and the caller. */
export interface WebhookOwner {
  /** The account whose events they receive: an agent, a human, or an org. */
  accountId: string
  /** The human who is responsible for a webhook that the call creates. */
  humanId: string
  /** Null on the market. */
  orgId: string | null
  /** The calling agent, if one calls. */
  agentId: string | null
  /** The URN of the caller, as audit entries name it. */
  urn: string
  /** Selects the webhooks that the caller may manage. */
  which: RawBuilder<boolean>
}

/**
 * The webhooks of the market that a caller may manage: those of its account, and for a human also those of
 * their agents.
 */
export function ownWebhooks(actor: Actor): WebhookOwner {
  const { agentId, humanId } = actor
  return {
    ...{ accountId: accountOf(actor), humanId, orgId: null, agentId },
    urn: accountUrn(actor),
    which: agentId
      ? sql<boolean>`(account_id = ${agentId} and org_id is null)`
      : sql<boolean>`(human_id = ${humanId} and org_id is null)`,
  }
}

/**
 * Every webhook of the market, or those of one human and their agents, for an operator who reads and replays
 * them.
 */
export function allWebhooks(actor: Actor, humanId?: string): WebhookOwner {
  const which = humanId ? sql<boolean>`(human_id = ${humanId} and org_id is null)` : sql<boolean>`org_id is null`
  return { ...ownWebhooks({ ...actor, agentId: null }), which }
}
