import { type RawBuilder, sql } from 'kysely'

/**
 * Replaces text that a person wrote. The database allows no other change of an ask's terms
 * (market.refuse_change_of_terms).
 */
export const ERASED_WORDS = '[erased]'

/** The domain of the addresses of erased people; mail to it is never delivered (RFC 2606). */
export const ERASED_DOMAIN = 'erased.invalid'

type Rows = (humanId: string) => RawBuilder<boolean>

/**
 * The personal data of a table, and what erasure does to it. Every column of the database is listed in one of these
 * members or as `plain`, and a test compares them with the schema: a new column in a file of this folder must be added
 * here.
 */
export interface TableRule {
  /** Deletes a person's rows, because of these columns. */
  deleted?: { rows: Rows; columns: readonly string[] }
  /** Overwrites these columns in a person's rows. */
  overwritten?: { rows: Rows; columns: Record<string, RawBuilder<unknown>> }
  /** Columns that the schema's market.erase_human empties, or deletes with their rows. */
  emptied?: readonly string[]
  /** Columns that identify a person through a wallet or a signature, and are kept: the reason, and the columns. */
  kept?: { because: string; columns: readonly string[] }
  /** Columns without personal data: numbers, times, states, hashes, and ids that no longer lead to a person. */
  plain?: readonly string[]
}

const WORDS = sql`${ERASED_WORDS}::text`
const NOTHING = sql`null`
const NONE = sql`'[]'::jsonb`
const ON_CHAIN = 'The chain shows it to everyone for ever, and money is matched, booked and paid back by it.'

const agentsOf = (humanId: string) => sql`(select id from market.agents where owner_id = ${humanId})`
const isOwn =
  (column: string): Rows =>
  (humanId) =>
    sql`${sql.ref(column)} = ${humanId}`
const isAgents =
  (column: string): Rows =>
  (humanId) =>
    sql`${sql.ref(column)} in ${agentsOf(humanId)}`
/** An org whose only member is this human. */
const isAlone: Rows = (humanId) => sql`id in ${loneOrgsOf(humanId)}`
const isOfLoneOrg: Rows = (humanId) => sql`org_id in ${loneOrgsOf(humanId)}`
const loneOrgsOf = (humanId: string) => sql`(
  select own.org_id from market.org_members own where own.human_id = ${humanId} and not exists (
    select from market.org_members other where other.org_id = own.org_id and other.human_id <> own.human_id))`

/** The rule of every table. Erasure applies them from top to bottom. */
export const personalData: Record<string, TableRule> = {
  'market.humans': {
    overwritten: {
      rows: isOwn('id'),
      columns: { display_name: WORDS, email: sql`id || ${`@${ERASED_DOMAIN}`}::text`, confirmed_email: NOTHING },
    },
    plain: ['id', 'role', 'is_reviewer', 'created_by', 'person_id', 'created_at', 'erased_at'],
  },
  'market.agents': {
    overwritten: {
      rows: isOwn('owner_id'),
      columns: {
        display_name: WORDS,
        description: sql`''`,
        deactivated_at: sql`coalesce(deactivated_at, market.now())`,
      },
    },
    plain: ['id', 'owner_id', 'created_at', 'reputation_permille'],
  },
  'market.passkey_challenges': {
    deleted: { rows: isOwn('human_id'), columns: ['profile', 'challenge'] },
    plain: ['purpose', 'human_id', 'expires_at', 'created_at'],
  },
  'market.sessions': {
    deleted: { rows: isOwn('human_id'), columns: ['seen_at', 'passkey_id'] },
    plain: ['id', 'human_id', 'secret_hash', 'created_at', 'expires_at', 'revoked_at'],
  },
  'market.passkeys': {
    deleted: {
      rows: isOwn('human_id'),
      columns: ['credential_id', 'public_key', 'name', 'transports', 'last_used_at', 'is_backed_up'],
    },
    plain: ['id', 'human_id', 'counter', 'created_at', 'flagged_at'],
  },
  'market.agent_tickets': {
    deleted: { rows: isOwn('human_id'), columns: ['secret_hash'] },
    plain: [
      'id',
      'agent_id',
      'human_id',
      'scopes',
      'token_expires_at',
      'per_order_micros',
      'per_day_micros',
      'expires_at',
      'closed_at',
      'created_at',
    ],
  },
  'market.enrolments': {
    deleted: { rows: isOwn('human_id'), columns: ['secret_hash'] },
    plain: ['id', 'human_id', 'issued_by', 'expires_at', 'closed_at', 'created_at'],
  },
  'market.tokens': {
    overwritten: {
      rows: isOwn('human_id'),
      columns: { revoked_at: sql`coalesce(revoked_at, market.now())`, last_used_at: NOTHING },
    },
    plain: [
      'id',
      'human_id',
      'agent_id',
      'secret_hash',
      'scopes',
      'created_at',
      'expires_at',
      'rotated_at',
      'per_order_micros',
      'per_day_micros',
      'spending_id',
    ],
  },
  'market.token_spending': {
    plain: ['spending_id', 'day', 'committed_micros'],
  },
  'market.wallet_challenges': {
    deleted: { rows: isOwn('owner_id'), columns: ['address', 'message'] },
    plain: ['id', 'account_id', 'owner_id', 'expires_at', 'used_at', 'created_at'],
  },
  'market.wallets': {
    emptied: ['address', 'message', 'signature'],
    plain: ['id', 'account_id', 'owner_id', 'payout_from', 'verified_at', 'doubtful_since'],
  },
  'market.wallet_owners': { emptied: ['address', 'owner_id'] },
  'market.idempotent_answers': {
    deleted: {
      rows: (humanId) => sql`scope = ${humanId} or scope in (select id::text from ${agentsOf(humanId)} as agent (id))`,
      columns: ['key', 'fingerprint', 'headers', 'body'],
    },
    plain: ['scope', 'operation', 'token_id', 'status', 'is_sealed', 'created_at'],
  },
  'market.export_chunks': {
    deleted: {
      rows: (humanId) => sql`export_id in (select id from market.exports where human_id = ${humanId})`,
      columns: ['bytes'],
    },
    plain: ['export_id', 'sequence', 'blob_id'],
  },
  'market.exports': {
    deleted: { rows: isOwn('human_id'), columns: ['sha256', 'size_bytes', 'after_id'] },
    plain: ['id', 'human_id', 'state', 'next_section', 'chunks', 'created_at', 'finished_at', 'expires_at'],
  },
  // What an org has written and attached is the org's, and goes with it. Ids of its authors stay, and lead to nobody.
  'market.attachment_versions': {
    plain: ['attachment_id', 'number', 'file_id', 'media_type', 'created_by', 'created_at'],
  },
  'market.uploads': {
    deleted: { rows: isOfLoneOrg, columns: ['metadata'] },
    plain: [
      ...[
        'id',
        'org_id',
        'created_by',
        'length_bytes',
        'reserved_bytes',
        'unverified_from',
        'lease_id',
        'leased_until',
      ],
      ...['is_direct', 'is_wanted', 'attachment_id', 'created_at', 'expires_at'],
    ],
  },
  'market.attachments': {
    deleted: { rows: isOfLoneOrg, columns: ['filename'] },
    plain: [
      ...['id', 'short_id', 'org_id', 'page_id', 'entry_id', 'version', 'created_by', 'created_at', 'updated_at'],
      ...['trashed_at', 'purge_at', 'import_id'],
    ],
  },
  'market.files': {
    deleted: { rows: isOfLoneOrg, columns: ['sha256', 'size_bytes'] },
    plain: [
      ...['id', 'org_id', 'created_at', 'text_state', 'preview_state', 'attempts'],
      ...['scan_state', 'signature', 'scanned_at', 'scans'],
    ],
  },
  'market.file_texts': {
    deleted: { rows: isOfLoneOrg, columns: ['text', 'search', 'first_character', 'characters'] },
    plain: ['file_id', 'org_id'],
  },
  // Triggers keep it as the things are that it is of.
  'market.search_documents': {
    deleted: { rows: isOfLoneOrg, columns: ['title', 'search'] },
    plain: ['id', 'type', 'org_id', 'space_id', 'page_id', 'is_trashed'],
  },
  'market.previews': { plain: ['id', 'file_id', 'size', 'size_bytes', 'created_at'] },
  'market.storage_usage': { plain: ['org_id', 'used_bytes', 'reserved_bytes'] },
  'market.entries': {
    deleted: { rows: isOfLoneOrg, columns: ['text'] },
    plain: ['id', 'short_id', 'org_id', 'page_id', 'created_by', 'created_at'],
  },
  'market.comments': {
    deleted: { rows: isOfLoneOrg, columns: ['text', 'anchor'] },
    plain: [
      ...['id', 'short_id', 'org_id', 'page_id', 'task_id', 'thread_id', 'created_by', 'created_at', 'updated_at'],
      ...['resolved_by', 'resolved_at', 'deleted_at'],
    ],
  },
  'market.decisions': {
    deleted: { rows: isOfLoneOrg, columns: ['title', 'text'] },
    plain: ['id', 'short_id', 'org_id', 'space_id', 'page_id', 'task_id', 'supersedes', 'created_by', 'created_at'],
  },
  'market.imports': {
    deleted: { rows: isOfLoneOrg, columns: ['failure'] },
    plain: [
      ...['id', 'short_id', 'org_id', 'space_id', 'parent_id', 'attachment_id', 'state', 'pages', 'files', 'attempts'],
      ...['created_by', 'via', 'created_at', 'ended_at', 'undone_at'],
    ],
  },
  'market.secrets': {
    deleted: { rows: isOfLoneOrg, columns: ['name', 'sealed_value'] },
    plain: ['id', 'short_id', 'org_id', 'space_id', 'version', 'created_by', 'created_at', 'updated_by', 'updated_at'],
  },
  'market.task_files': { plain: ['task_id', 'attachment_id', 'org_id', 'version'] },
  'market.tasks': {
    deleted: { rows: isOfLoneOrg, columns: ['title', 'text', 'result', 'reason'] },
    plain: [
      ...[
        'id',
        'short_id',
        'org_id',
        'space_id',
        'page_id',
        'state',
        'claimed_by',
        'lease_until',
        'bid_id',
        'order_id',
      ],
      ...['created_by', 'created_at', 'updated_at'],
    ],
  },
  'market.page_versions': {
    deleted: { rows: isOfLoneOrg, columns: ['title', 'text'] },
    plain: ['page_id', 'number', 'org_id', 'created_by', 'created_at'],
  },
  'market.page_aliases': { deleted: { rows: isOfLoneOrg, columns: ['title'] }, plain: ['page_id', 'org_id', 'until'] },
  'market.page_links': { deleted: { rows: isOfLoneOrg, columns: ['name'] }, plain: ['page_id', 'org_id'] },
  'market.pages': {
    deleted: { rows: isOfLoneOrg, columns: ['title', 'text'] },
    plain: [
      ...['id', 'short_id', 'org_id', 'space_id', 'parent_id', 'version', 'published_version', 'published_at'],
      ...['created_by', 'created_at', 'updated_at', 'trashed_at', 'purge_at', 'trashed_with', 'import_id'],
    ],
  },
  'market.spaces': {
    deleted: { rows: isOfLoneOrg, columns: ['name'] },
    plain: ['id', 'short_id', 'org_id', 'visibility', 'archived_at', 'created_by', 'created_at'],
  },
  'market.space_members': {
    deleted: { rows: isOwn('human_id'), columns: ['human_id'] },
    plain: ['org_id', 'space_id', 'added_at'],
  },
  'market.org_agents': { plain: ['org_id', 'agent_id', 'state', 'changed_by', 'added_at', 'changed_at'] },
  'market.orgs': {
    deleted: { rows: isAlone, columns: ['slug', 'display_name'] },
    plain: ['id', 'created_at', 'agents_stopped_at', 'agents_ask_for_secrets'],
  },
  'market.org_invitations': {
    deleted: {
      rows: (humanId) => sql`human_id = ${humanId} or invited_by = ${humanId}`,
      columns: ['human_id', 'invited_by'],
    },
    plain: ['org_id', 'role', 'created_at', 'expires_at'],
  },
  'market.org_members': {
    deleted: { rows: isOwn('human_id'), columns: ['human_id'] },
    plain: ['org_id', 'role', 'joined_at'],
  },
  'market.ask_versions': {
    overwritten: {
      rows: (humanId) => sql`ask_id in (select id from market.asks where seller_id in ${agentsOf(humanId)})`,
      columns: { title: WORDS, description: WORDS, criteria: NONE },
    },
    plain: [
      'ask_id',
      'version',
      'price_micros',
      'sla_seconds',
      'auto_accept_seconds',
      'criteria_complete',
      'created_at',
    ],
  },
  'market.asks': {
    overwritten: {
      rows: isAgents('seller_id'),
      columns: { title: WORDS, description: WORDS, criteria: NONE, active: sql`false` },
    },
    plain: [
      'id',
      'seller_id',
      'version',
      'price_micros',
      'sla_seconds',
      'auto_accept_seconds',
      'criteria_complete',
      'created_at',
      'updated_at',
      'number',
      // Generated from title and description, and erased with them.
      'search',
    ],
  },
  // Words are deleted with the last active ask that uses them.
  'market.search_words': { plain: ['word'] },
  'market.bids': {
    overwritten: {
      rows: isAgents('bidder_id'),
      columns: {
        title: WORDS,
        description: WORDS,
        criteria: NONE,
        state: sql`'closed'`,
        closed_at: sql`coalesce(closed_at, market.now())`,
      },
    },
    plain: ['id', 'bidder_id', 'max_price_micros', 'sla_seconds', 'criteria_complete', 'expires_at', 'created_at'],
  },
  'market.quotes': {
    overwritten: {
      rows: isAgents('seller_id'),
      columns: {
        message: sql`''`,
        criteria: NOTHING,
        state: sql`case when state = 'open' then 'withdrawn' else state end`,
        closed_at: sql`coalesce(closed_at, market.now())`,
      },
    },
    plain: [
      ...['id', 'bid_id', 'bidder_id', 'seller_id', 'price_micros', 'sla_seconds', 'auto_accept_seconds'],
      ...['criteria_complete', 'expires_at', 'created_at'],
    ],
  },
  'market.messages': {
    overwritten: {
      rows: isAgents('sender_id'),
      // The payload of a delivery notice holds nothing but the hash that the receipt also has.
      columns: {
        ...{ body: NOTHING, sealed: NOTHING, sealed_id: NOTHING },
        payload: sql`case when kind = 'delivery_notice' then payload end`,
      },
    },
    plain: ['id', 'thread_id', 'sender_id', 'kind', 'created_at'],
  },
  'market.orders': {
    overwritten: { rows: isAgents('buyer_id'), columns: { reason: NOTHING } },
    kept: { because: ON_CHAIN, columns: ['payee', 'recipient', 'fee_recipient', 'nonce', 'order_key'] },
    plain: [
      ...['id', 'state', 'buyer_id', 'seller_id', 'ask_id', 'ask_version', 'escrow_mode', 'price_micros', 'fee_bps'],
      'seller_owner_id',
      ...['bid_id', 'quote_id'],
      ...['sla_seconds', 'auto_accept_seconds', 'valid_after', 'valid_before', 'expires_at', 'request_hash'],
      ...[
        'thread_id',
        'receipt_id',
        'dispute_id',
        'deliveries',
        'placed_at',
        'placement_entry',
        'funded_at',
        'sla_due_at',
        'sla_breached_at',
      ],
      ...['delivered_at', 'accept_by', 'redeliver_by', 'closed_at', 'suspended_at'],
      ...['updated_at', 'receipt_privacy', 'sealed', 'buyer_keys_id', 'seller_keys_id'],
    ],
  },
  'market.delivery_notices': {
    plain: ['order_id', 'number', 'message_id', 'output_hash', 'sla_due_at', 'delivered_at'],
  },
  'market.delivery_notifications': { plain: ['message_id', 'notified_at'] },
  'market.rejections': {
    overwritten: {
      rows: (humanId) => sql`order_id in (select id from market.orders where buyer_id in ${agentsOf(humanId)})`,
      columns: { reason: NOTHING },
    },
    plain: ['order_id', 'number', 'rejected_at'],
  },
  'market.acceptances': { plain: ['message_id', 'order_id', 'kind', 'sha256', 'accepted_by', 'accepted_at'] },
  'market.disclosures': {
    deleted: {
      rows: (humanId) => sql`message_id in (select id from market.messages where sender_id in ${agentsOf(humanId)})`,
      columns: ['key'],
    },
    plain: ['message_id', 'disclosed_by', 'disclosed_at'],
  },
  // The bytes are deleted within seconds: market.blob_removals lists the deleted rows.
  'market.deliveries': {
    deleted: {
      rows: (humanId) => sql`order_id in (select id from market.orders where seller_id in ${agentsOf(humanId)})`,
      columns: ['filename', 'sha256', 'size_bytes', 'is_blank', 'excerpt'],
    },
    plain: ['id', 'order_id', 'message_id', 'created_at'],
  },
  // Deleted with their upload.
  'market.delivery_checks': {
    plain: ['delivery_id', 'order_id', 'criteria_sha256', 'attempts', 'results', 'checked_at'],
  },
  'market.disputes': {
    plain: [
      ...['id', 'order_id', 'state', 'opener', 'buyer_ready_at', 'seller_ready_at', 'buyer_waived_at'],
      ...['seller_waived_at', 'flags', 'reviewers', 'appeal_heard_until', 'due_at', 'outcome', 'refund_micros'],
      ...['opened_at', 'closed_at'],
    ],
  },
  'market.dispute_statements': {
    overwritten: { rows: isAgents('author_id'), columns: { what_happened: WORDS, wanted: NOTHING } },
    plain: ['dispute_id', 'party', 'author_id', 'grounds', 'refund_micros', 'created_at'],
  },
  'market.appeal_statements': {
    overwritten: { rows: isAgents('author_id'), columns: { statement: WORDS } },
    plain: ['dispute_id', 'party', 'author_id', 'screening', 'created_at'],
  },
  'market.hostile_texts': { plain: ['dispute_id', 'author_id', 'confirmed_at'] },
  'market.dispute_evidence': {
    plain: ['id', 'dispute_id', 'party', 'message_id', 'delivery_id', 'created_at'],
  },
  // As of deliveries, the bytes are deleted within seconds.
  'market.evidence_files': {
    deleted: {
      rows: isAgents('author_id'),
      columns: ['filename', 'sha256', 'size_bytes', 'is_blank', 'excerpt', 'screening'],
    },
    plain: ['id', 'dispute_id', 'party', 'author_id', 'stage', 'created_at'],
  },
  // Hashes, times and numbers, and no text that a person wrote.
  'market.dispute_records': { plain: ['dispute_id', 'facts', 'record', 'screening', 'evidence_sha256', 'frozen_at'] },
  'market.arbitrations': { plain: ['dispute_id', 'attempts', 'ask_at', 'result', 'created_at'] },
  'market.reviews': {
    kept: { because: 'A reviewer says here why; no operator is erased.', columns: ['reviewer_id', 'grounds'] },
    plain: [...['id', 'dispute_id', 'assigned_at', 'read_at', 'ended_at', 'refund_micros', 'decided_at']],
  },
  'market.verdicts': {
    kept: {
      because: 'It was signed for both sides, and stays verifiable.',
      columns: ['document', 'key_id', 'signature'],
    },
    plain: [
      ...['id', 'dispute_id', 'sequence', 'kind', 'winner', 'payer_micros', 'payee_micros', 'fee_micros', 'signed_at'],
    ],
  },
  'market.ratings': {
    overwritten: {
      rows: (humanId) => sql`order_id in (select id from market.orders where buyer_id in ${agentsOf(humanId)})`,
      columns: { comment: sql`null` },
    },
    plain: ['id', 'order_id', 'seller_id', 'stars', 'rated_at'],
  },
  'market.rating_replies': {
    deleted: {
      rows: (humanId) => sql`rating_id in (select id from market.ratings where seller_id in ${agentsOf(humanId)})`,
      columns: ['reply'],
    },
    plain: ['rating_id', 'replied_at'],
  },
  'market.contributions': {
    plain: [
      ...['order_id', 'subject_id', 'buyer_id', 'counterparty_id', 'finalized_at', 'weight', 'price_micros'],
      ...['refunded_micros', 'fee_micros', 'stars', 'loser', 'conceded', 'ineligible_because'],
    ],
  },
  'market.reputation_totals': {
    plain: [
      ...['subject_id', 'receipts', 'weighted_stars', 'rated_weight', 'lost_weight', 'completed_weight'],
      ...['volume_micros', 'fee_micros', 'conceded', 'counterparties', 'largest_micros'],
      ...['rank_weight', 'rank_stars'],
    ],
  },
  'market.reputation_pairs': {
    plain: [
      ...['subject_id', 'counterparty_id', 'receipts', 'price_micros', 'weighted_stars', 'rated_weight'],
      'rated_micros',
    ],
  },
  'market.blob_removals': { plain: ['blob_id', 'created_at'] },
  'market.agent_keys': {
    deleted: {
      rows: (humanId) => sql`agent_id in ${agentsOf(humanId)} and not exists (
        select from market.orders pinned where pinned.sealed
          and (pinned.buyer_id = agent_id and pinned.buyer_keys_id = agent_keys.id
            or pinned.seller_id = agent_id and pinned.seller_keys_id = agent_keys.id))`,
      columns: ['wallet', 'signature', 'hpke_public_key', 'signing_public_key'],
    },
    kept: {
      because: 'A thread is pinned to them: the other side still sees whose keys signed what it was sent.',
      columns: ['wallet', 'signature', 'hpke_public_key', 'signing_public_key'],
    },
    plain: ['id', 'agent_id', 'issued_at', 'created_at'],
  },
  'market.authorizations': {
    // Of an authorization that was never used: it is on no chain.
    emptied: ['payer', 'signature', 'nonce'],
    kept: { because: ON_CHAIN, columns: ['payer', 'signature', 'nonce'] },
    plain: [
      'id',
      'order_id',
      'appeal_fee_id',
      'state',
      'amount_micros',
      'valid_after',
      'valid_before',
      'attempt',
      'failure',
      'spending_id',
      'spending_day',
      'created_at',
    ],
  },
  'market.webhook_subscriptions': {
    deleted: {
      rows: isOwn('human_id'),
      columns: ['url', 'event_types', 'secret_hash', 'sealed_secret', 'former_secret'],
    },
    plain: [
      ...['id', 'account_id', 'human_id', 'status', 'status_reason', 'former_until', 'failing_since', 'failures'],
      ...['created_at', 'updated_at', 'org_id', 'spaces', 'agent_id'],
    ],
  },
  // Deleted with their subscription.
  'market.webhook_deliveries': {
    deleted: {
      rows: (humanId) => sql`subscription_id in (
        select id from market.webhook_subscriptions where human_id = ${humanId})`,
      columns: ['body', 'last_response'],
    },
    plain: [
      ...['sequence', 'id', 'subscription_id', 'event_id', 'event_type', 'status', 'attempts', 'next_attempt_at'],
      ...['lease_id', 'leased_until', 'last_attempt_at', 'last_status', 'last_latency_ms', 'last_failure'],
      ...['created_at', 'finished_at', 'attempt_log'],
    ],
  },
  'market.notifications': {
    deleted: { rows: isOwn('human_id'), columns: ['kind', 'role', 'entity_type', 'entity_id', 'short_id', 'actor'] },
    plain: [
      'id',
      'org_id',
      'account_id',
      'human_id',
      'space_id',
      'due_at',
      'created_at',
      'read_at',
      'is_in_app',
      'confirmation_id',
    ],
  },
  'market.confirmations': {
    deleted: { rows: isOwn('human_id'), columns: ['question', 'answer'] },
    plain: [
      ...['id', 'org_id', 'agent_id', 'human_id', 'created_at', 'expires_at', 'answered_at'],
      ...['secret_id', 'used_at'],
    ],
  },
  'market.notification_prefs': {
    deleted: {
      rows: isOwn('human_id'),
      columns: ['kinds', 'quiet_from', 'quiet_until', 'time_zone', 'hidden_roles'],
    },
    plain: ['account_id', 'human_id', 'updated_at'],
  },
  'market.push_subscriptions': {
    deleted: { rows: isOwn('human_id'), columns: ['endpoint', 'p256dh', 'auth'] },
    plain: ['id', 'account_id', 'human_id', 'created_at'],
  },
  // Deleted with their notification, or their device.
  'market.notification_sends': {
    plain: ['id', 'notification_id', 'channel', 'push_subscription_id', 'attempts', 'next_attempt_at'],
  },
  'market.notification_mails': { plain: ['id', 'human_id', 'sent_at'] },
  // The address is here as an HMAC: for a day it counts the mails to it, which erasing the account must not begin anew.
  'market.email_confirmations': {
    plain: [
      ...['id', 'human_id', 'address_hash', 'token_hash', 'attempts', 'next_attempt_at', 'created_at', 'expires_at'],
    ],
  },
  'market.audit_log': {
    emptied: ['salt', 'details'],
    plain: ['id', 'actor', 'action', 'subject', 'created_at'],
  },
  'market.audit_unsealed': { plain: ['entry_id', 'digest'] },
  'market.audit_seals': { plain: ['position', 'entry_id', 'digest', 'chain_hash'] },
  'market.audit_heads': { plain: ['id', 'position', 'hash', 'as_of', 'key_id', 'signature'] },
  'market.audit_turn': { plain: ['singleton'] },
  'market.fee_rates': { plain: ['starts_at', 'fee_bps'] },
  'market.signing_keys': { plain: ['kid', 'purpose', 'x', 'valid_from', 'valid_until', 'sealed'] },
  'market.audit_accounts': { plain: ['account_id', 'position', 'role'] },
  // By rule, payloads hold URNs and states, and no text that a person wrote.
  'market.events': {
    plain: ['id', 'transaction_id', 'event_id', 'event_type', 'payload', 'visible_to', 'created_at'],
  },
  'market.visible_events': { plain: ['account_id', 'transaction_id', 'id'] },
  'market.event_log': { plain: ['singleton', 'epoch', 'purged_transaction_id', 'purged_id'] },
  'market.threads': { plain: ['id', 'order_id', 'sealed', 'created_at'] },
  'market.receipts': {
    kept: {
      because: 'It was signed for both sides, and stays verifiable.',
      columns: ['document', 'key_id', 'signature'],
    },
    plain: ['id', 'order_id', 'disputed', 'finalized_at', 'audit_id', 'created_at'],
  },
  'market.intents': {
    kept: { because: ON_CHAIN, columns: ['key', 'payload'] },
    plain: ['id', 'attempt', 'kind', 'order_id', 'owner_id', 'created_at', 'closed_at', 'closing'],
  },
  'market.deposits': {
    kept: {
      because: ON_CHAIN,
      columns: ['payer', 'nonce', 'tx_hash', 'payee_payout_nonce', 'payer_payout_nonce', 'payment_key'],
    },
    plain: ['amount_micros', 'created_at'],
  },
  'market.holds': {
    kept: {
      because: ON_CHAIN,
      columns: ['payer', 'deposit_nonce', 'deposit_tx', 'hold_key', 'release_tx', 'release_evidence'],
    },
    plain: [
      ...['id', 'order_id', 'status', 'amount_micros', 'released_payer_micros', 'released_payee_micros'],
      ...['released_fee_micros', 'settled_at', 'created_at'],
    ],
  },
  'market.settlement_approvals': {
    kept: { because: ON_CHAIN, columns: ['wallet', 'signature'] },
    plain: ['order_id', 'party', 'refund_micros', 'valid_before', 'created_at'],
  },
  'market.appeal_fees': {
    kept: { because: ON_CHAIN, columns: ['recipient', 'nonce', 'payer', 'deposit_tx'] },
    plain: [
      ...['id', 'dispute_id', 'order_id', 'party', 'agent_id', 'state', 'amount_micros', 'valid_after', 'valid_before'],
      ...['offered_at', 'paid_at', 'ended_at'],
    ],
  },
  'market.unmatched_payments': {
    kept: { because: ON_CHAIN, columns: ['key', 'payer', 'nonce', 'tx_hash', 'terms'] },
    plain: ['kind', 'status', 'order_id', 'amount_micros', 'created_at', 'adoptable_at'],
  },
  'market.payouts': {
    kept: { because: ON_CHAIN, columns: ['to_address', 'deposit_from', 'deposit_nonce', 'nonce', 'tx_hash'] },
    plain: [
      ...['id', 'order_id', 'agent_id', 'human_id', 'leg', 'state', 'amount_micros', 'attempt', 'reason'],
      ...['created_at', 'submitted_at', 'parked_at', 'wallet_id', 'confirmed_at'],
    ],
  },
  'market.sweeps': {
    plain: [
      ...['sequence', 'nonce', 'state', 'amount_micros', 'attempt', 'reason', 'tx_hash'],
      ...['requested_at', 'confirmed_at'],
    ],
  },
  'market.hot_wallet': {
    plain: ['singleton', 'block_number', 'balance_micros', 'due_micros', 'below_floor_since', 'observed_at'],
  },
  'market.processed_chain_events': {
    kept: { because: ON_CHAIN, columns: ['key', 'tx_hash', 'claims'] },
    plain: ['kind', 'block_number', 'block_hash', 'log_index', 'settled_at', 'vanished_at', 'times_vanished'],
  },
  'market.payout_stops': {
    kept: {
      because: 'An operator says here why money stands still; no operator is erased.',
      columns: ['reason', 'raised_by', 'lifted_by', 'explanation', 'explained_by'],
    },
    plain: ['id', 'place', 'fact', 'raised_at', 'lifted_at', 'explained_at'],
  },
  'market.chain_progress': { plain: ['singleton', 'block_number', 'block_hash', 'database_epoch', 'settled_at'] },
  'market.sweep_checkpoints': { plain: ['block_number', 'block_hash', 'open_blocks'] },
  'market.reconciliations': {
    kept: { because: 'An account that does not fit the chain is named here for an hour.', columns: ['findings'] },
    plain: [
      ...[
        'id',
        'checked_at',
        'database_epoch',
        'block_number',
        'block_hash',
        'lag_blocks',
        'lag_seconds',
        'is_ok',
        'figures',
      ],
      ...[
        'differs_since_head',
        'shortages',
        'system_identifier',
        'horizon',
        'below',
        'account_cursor',
        'transfer_cursor',
        'swept_at',
        'seal',
      ],
    ],
  },
  'market.liabilities': {
    plain: ['block_number', 'document', 'key_id', 'signature', 'has_tree', 'created_at'],
  },
  // Without its salt, the hash in the tree does not reveal its owner. The nodes stay, because the paths of other owners
  // need them.
  'market.liability_leaves': {
    emptied: ['salt', 'amount', 'position'],
    plain: ['block_number', 'account_id'],
  },
  'market.liability_nodes': { plain: ['block_number', 'level', 'page', 'nodes'] },
  'ledger.accounts': {
    kept: { because: ON_CHAIN, columns: ['owner_id'] },
    plain: ['id', 'asset', 'kind', 'owner_type', 'balance'],
  },
  'ledger.transfers': {
    kept: { because: ON_CHAIN, columns: ['key', 'evidence'] },
    plain: ['id', 'transaction_id', 'kind', 'order_id', 'created_at'],
  },
  'ledger.entries': { plain: ['id', 'transfer_id', 'account_id', 'amount', 'balance_after', 'created_at'] },
  'ledger.transfer_digests': { plain: ['transfer_id', 'digest'] },
  'ledger.snapshots': { plain: ['account_id', 'through', 'balance', 'last_entry_id'] },
  'ledger.snapshot_progress': {
    plain: ['singleton', 'turn', 'scanned', 'moment', 'horizon', 'newest', 'verified_account', 'verified_through'],
  },
  'ledger.account_kinds': { plain: ['kind', 'normal_side', 'is_append_only', 'owner_types'] },
  'market.worker_heartbeat': { plain: ['singleton', 'beat_at'] },
  'facilitator.heartbeat': { plain: ['singleton', 'beat_at'] },
  'facilitator.transactions': {
    kept: { because: ON_CHAIN, columns: ['hash', 'raw'] },
    plain: ['intent_id', 'signer', 'nonce', 'created_at', 'valid_before', 'owner_id', 'charged_wei'],
  },
  'facilitator.authorizations': {
    kept: { because: ON_CHAIN, columns: ['nonce', 'recipient', 'signature'] },
    plain: ['number', 'previous', 'leg', 'valid_before', 'amount_micros', 'hash', 'seal'],
  },
  'facilitator.first_sights': {
    plain: ['number', 'subject', 'payer_micros', 'payee_micros', 'seen_at', 'due_at', 'signature'],
  },
  'facilitator.identities': { plain: ['number', 'previous', 'identity', 'signs_from', 'hash', 'seal'] },
  'facilitator.leases': { plain: ['key', 'holder', 'fencing', 'ends_at'] },
  'facilitator.restores': { plain: ['id', 'recorded_at'] },
  'facilitator.outcomes': { plain: ['intent_id', 'status', 'reason', 'tx_hash', 'decided_at'] },
}
