import { sql } from 'kysely'
import { urnString } from '../../../protocol/encoding/urn.ts'
import { audit } from '../../platform/audit/audit.ts'
import type { Tx } from '../../platform/db/pool.ts'

/** The things that recovering an account ended, and the number of tokens that are still valid. */
interface Recovery {
  sessions: number
  tickets: number
  wallet_changes: number
  live_tokens: number
}

/**
 * Ends everything that a person with a copy of a lost passkey may have begun and could continue without it:
 * sessions, unused tickets, and payout wallet changes that have not taken effect. Tokens stay valid, because
 * working agents hold them; the returned count lets the owner review them. The human must be locked.
 */
export async function recoverAccount(tx: Tx, humanId: string): Promise<Recovery> {
  const { rows } = await sql<Recovery>`
    with session as (update market.sessions set revoked_at = market.now()
        where human_id = ${humanId} and revoked_at is null returning id),
      ticket as (update market.agent_tickets set closed_at = market.now()
        where human_id = ${humanId} and closed_at is null returning id),
      wallet as (update market.wallets set payout_from = null
        where owner_id = ${humanId} and payout_from > market.now() returning id)
    select (select count(*)::integer from session) as sessions, (select count(*)::integer from ticket) as tickets,
      (select count(*)::integer from wallet) as wallet_changes,
      (select count(*)::integer from market.tokens where human_id = ${humanId} and revoked_at is null
        and (expires_at is null or expires_at > market.now())) as live_tokens`.execute(tx)
  const [recovery] = rows
  if (!recovery) throw new Error('counting answered no row')
  const human = urnString('human', humanId)
  await audit(tx, { actor: human, action: 'account.recover', subject: human, details: { ...recovery } })
  return recovery
}
