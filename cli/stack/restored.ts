import pg from 'pg'
import { emptySearchPath } from '../../api/platform/db/searchPath.ts'
import { requireSessionUrl } from '../../protocol/environment/pooler.ts'
import { readOwnerEnvironment } from '../machine/env.ts'

/**
 * The things that an earlier copy of the database would make valid again, and the statement that ends each.
 */
const ENDS: Record<string, string> = {
  sessions: 'update market.sessions set revoked_at = market.now() where revoked_at is null',
  tokens: 'update market.tokens set revoked_at = market.now() where revoked_at is null',
  'tickets of agents': 'update market.agent_tickets set closed_at = market.now() where closed_at is null',
  enrolments: 'update market.enrolments set closed_at = market.now() where closed_at is null',
  'open passkey ceremonies': 'delete from market.passkey_challenges',
  'open challenges of wallets': 'update market.wallet_challenges set used_at = market.now() where used_at is null',
  'changes of payout wallets': 'update market.wallets set payout_from = null where payout_from > market.now()',
  // The worker takes them back, and requests them again once the wallet is confirmed. The chain pays none of
  // them twice.
  'open payouts to wallets': `update market.intents set closed_at = market.now(), closing = 'voided'
    where kind = 'payout' and closed_at is null and payload ? 'binding'`,
}

/**
 * Wallets may have been replaced since, because their keys were stolen: none is paid until its owner signs
 * again.
 */
const DOUBT = `
  with doubted as (
    update market.wallets set doubtful_since = market.now() where payout_from is not null and doubtful_since is null
    returning id, account_id, owner_id)
  insert into market.events (event_type, payload, visible_to)
  select 'payout.wallet_doubted', jsonb_build_object('wallet_urn', 'market:wallet:' || id), array[owner_id, account_id]
  from doubted`

/**
 * Erasures may have been cancelled since: the worker notifies each person again, and the delay begins anew.
 */
const TELL_AGAIN = `
  with ended as (delete from market.erasure_requests returning human_id)
  insert into market.erasure_requests (human_id) select human_id from ended`

// Also covers a copy that was restored in a way that the database cannot detect itself.
const CLOSE_FENCE = `update market.chain_progress set database_epoch = 'restored'`
// The facilitator cannot detect such a copy either: it signs no payout until everything it may have signed
// since has expired.
const RECORD_RESTORE = 'insert into facilitator.restores default values'

// Readers may have seen events that the copy does not have: cursors beyond its end are refused from now on.
// Events without a place get one in the next epoch.
const END_CURSORS = ['select from market.event_log for update', 'select market.begin_event_epoch()']

// Others may keep signed heads of entries that the copy lacks: the log differs from here on. Everyone may
// read this entry.
const RECORD_IN_LOG = `insert into market.audit_log (actor, action, subject, details)
  select 'service', 'database.restore', 'service', jsonb_build_object('position', position, 'hash', encode(chain_hash, 'hex'))
  from market.audit_seals order by position desc limit 1`

/**
 * Runs after a restore of the database of DATABASE_URL, before the API starts. Ends everything that was
 * revoked, used or cancelled after the copy was made, and that the copy would make valid again. No money
 * moves until the chain has been read, and none to a payout wallet until its owner has confirmed it.
 */
export async function run(): Promise<undefined> {
  const databaseUrl = await requireSessionUrl(readOwnerEnvironment(), 'this command needs')
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  try {
    // The copy does not have the database's settings.
    await emptySearchPath(client)
    await client.query('begin')
    for (const [what, end] of Object.entries(ENDS)) console.log(`${(await client.query(end)).rowCount} ${what} ended`)
    console.log(`${(await client.query(DOUBT)).rowCount} payout wallets to be confirmed`)
    console.log(`${(await client.query(TELL_AGAIN)).rowCount} people to be notified again that they will be erased`)
    for (const statement of END_CURSORS) await client.query(statement)
    await client.query(CLOSE_FENCE)
    await client.query(RECORD_RESTORE)
    await client.query(RECORD_IN_LOG)
    await client.query('commit')
  } finally {
    await client.end()
  }
  console.log(
    'No money moves until the worker has read what the chain did. Humans sign in again, mint tokens anew, and confirm',
  )
  console.log('their payout wallets (POST /v1/me/wallets, then its verify): until then payouts to them wait.')
}
