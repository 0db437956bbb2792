import { type RawBuilder, sql } from 'kysely'
import type { UrnPrefix } from '../../../protocol/encoding/urn.ts'

/** One kind of record in an export. */
export interface Section {
  name: string
  /** Its rows are uploads, each stored in the blob store under its row's id; the bytes are included. */
  hasBlobs?: true
  /** Selects (id, document) for every record of this kind that a human or their agents have. */
  rows: (humanId: string) => RawBuilder<unknown>
}

const agentsOf = (humanId: string) => sql`(select id from market.agents where owner_id = ${humanId})`
/** The URNs by which a human and their agents are named as authors in the workspace. */
const authorsOf = (humanId: string) => sql`(
  select 'market:human:' || ${humanId}::text union all
  select 'market:agent:' || id from market.agents where owner_id = ${humanId})`
/** Whether "own", a membership of an org, sees a space now: what others wrote where it does not is nothing of the human's. */
const sees = (space: string) => sql`(own.role <> 'member' or exists (
  select from market.spaces seen where seen.id = ${sql.ref(space)} and (seen.visibility = 'open' or exists (
    select from market.space_members inside where inside.space_id = seen.id and inside.human_id = own.human_id))))`
const urn = (prefix: UrnPrefix, column: string) => sql`${`market:${prefix}:`}::text || ${sql.ref(column)}`
const amount = (column: string) => sql`(${sql.ref(column)}::numeric / 1000000)::numeric(20, 6)::text`
const time = (column: string) => sql`to_char(${sql.ref(column)} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`

/**
 * Everything an account has or was sent, in the order of the file. Secrets are not stored, so no section has any. Of
 * the other party to a trade it includes the agent's URN and what that agent sent, but not the human behind it.
 */
export const sections: readonly Section[] = [
  {
    name: 'account',
    rows: (humanId) => sql`
      select id, jsonb_build_object('urn', ${urn('human', 'id')}, 'display_name', display_name, 'email', email,
        'confirmed_email', confirmed_email,
        'role', role, 'created_at', ${time('created_at')}) as document
      from market.humans where id = ${humanId}`,
  },
  {
    name: 'agents',
    rows: (humanId) => sql`
      select id, jsonb_build_object('urn', ${urn('agent', 'id')}, 'display_name', display_name,
        'description', description, 'created_at', ${time('created_at')}) as document
      from market.agents where owner_id = ${humanId}`,
  },
  {
    name: 'tokens',
    rows: (humanId) => sql`
      select id, jsonb_build_object('urn', ${urn('token', 'id')},
        'owner_urn', coalesce(${urn('agent', 'agent_id')}, ${urn('human', 'human_id')}), 'scopes', scopes,
        'created_at', ${time('created_at')}, 'expires_at', ${time('expires_at')},
        'revoked_at', ${time('revoked_at')}, 'last_used_at', ${time('last_used_at')},
        'per_order', ${amount('per_order_micros')}, 'per_day', ${amount('per_day_micros')},
        'spending_id', spending_id) as document
      from market.tokens where human_id = ${humanId}`,
  },
  {
    name: 'token_spending',
    rows: (humanId) => sql`
      select spent.spending_id || ':' || spent.day as id, jsonb_build_object('spending_id', spent.spending_id,
        'day', spent.day, 'committed', ${amount('spent.committed_micros')}) as document
      from market.token_spending spent
      where spent.spending_id in (select spending_id from market.tokens where human_id = ${humanId})`,
  },
  {
    name: 'passkeys',
    rows: (humanId) => sql`
      select id, jsonb_build_object('urn', ${urn('passkey', 'id')}, 'name', name, 'transports', transports,
        'is_backed_up', is_backed_up, 'created_at', ${time('created_at')},
        'last_used_at', ${time('last_used_at')}) as document
      from market.passkeys where human_id = ${humanId}`,
  },
  {
    name: 'sessions',
    rows: (humanId) => sql`
      select id, jsonb_build_object('urn', ${urn('session', 'id')}, 'created_at', ${time('created_at')},
        'seen_at', ${time('seen_at')}, 'expires_at', ${time('expires_at')},
        'revoked_at', ${time('revoked_at')}) as document
      from market.sessions where human_id = ${humanId}`,
  },
  {
    name: 'wallets',
    rows: (humanId) => sql`
      select id, jsonb_build_object('urn', ${urn('wallet', 'id')}, 'address', address, 'payout_from', ${time('payout_from')},
        'message', message, 'signature', signature, 'verified_at', ${time('verified_at')}) as document
      from market.wallets where owner_id = ${humanId}`,
  },
  {
    name: 'asks',
    rows: (humanId) => sql`
      select ask.id, jsonb_build_object('urn', ${urn('ask', 'ask.id')}, 'seller_urn', ${urn('agent', 'ask.seller_id')},
        'active', ask.active, 'versions', (
          select jsonb_agg(jsonb_build_object('version', sold.version, 'title', sold.title,
            'description', sold.description, 'price', ${amount('sold.price_micros')}, 'sla_seconds', sold.sla_seconds,
            'auto_accept_seconds', sold.auto_accept_seconds, 'criteria', sold.criteria,
            'criteria_complete', sold.criteria_complete, 'created_at', ${time('sold.created_at')})
            order by sold.version)
          from market.ask_versions sold where sold.ask_id = ask.id)) as document
      from market.asks ask where ask.seller_id in ${agentsOf(humanId)}`,
  },
  {
    name: 'bids',
    rows: (humanId) => sql`
      select id, jsonb_build_object('urn', ${urn('bid', 'id')}, 'bidder_urn', ${urn('agent', 'bidder_id')},
        'state', state, 'title', title, 'description', description, 'max_price', ${amount('max_price_micros')},
        'sla_seconds', sla_seconds, 'criteria', criteria, 'criteria_complete', criteria_complete,
        'expires_at', ${time('expires_at')}, 'created_at', ${time('created_at')},
        'closed_at', ${time('closed_at')}) as document
      from market.bids where bidder_id in ${agentsOf(humanId)}`,
  },
  {
    name: 'quotes',
    rows: (humanId) => sql`
      select id, jsonb_build_object('urn', ${urn('quote', 'id')}, 'bid_urn', ${urn('bid', 'bid_id')},
        'seller_urn', ${urn('agent', 'seller_id')}, 'state', state, 'price', ${amount('price_micros')},
        'sla_seconds', sla_seconds, 'auto_accept_seconds', auto_accept_seconds, 'criteria', criteria,
        'criteria_complete', criteria_complete, 'message', message,
        'expires_at', ${time('expires_at')}, 'created_at', ${time('created_at')},
        'closed_at', ${time('closed_at')}) as document
      from market.quotes where seller_id in ${agentsOf(humanId)} or bidder_id in ${agentsOf(humanId)}`,
  },
  {
    name: 'agent_keys',
    rows: (humanId) => sql`
      select id, jsonb_build_object('agent_urn', ${urn('agent', 'agent_id')}, 'hpke_public_key', hpke_public_key,
        'signing_public_key', signing_public_key, 'wallet', wallet, 'signature', signature,
        'issued_at', ${time('issued_at')}, 'created_at', ${time('created_at')}) as document
      from market.agent_keys where agent_id in ${agentsOf(humanId)}`,
  },
  {
    name: 'orders',
    rows: (humanId) => sql`
      select id, jsonb_build_object('urn', ${urn('order', 'id')}, 'state', state,
        'buyer_urn', ${urn('agent', 'buyer_id')}, 'seller_urn', ${urn('agent', 'seller_id')},
        'ask_urn', ${urn('ask', 'ask_id')}, 'ask_version', ask_version, 'bid_urn', ${urn('bid', 'bid_id')},
        'quote_urn', ${urn('quote', 'quote_id')}, 'escrow_mode', escrow_mode,
        'price', ${amount('price_micros')}, 'recipient', recipient, 'nonce', nonce, 'reason', reason,
        'placed_at', ${time('placed_at')}, 'funded_at', ${time('funded_at')}, 'delivered_at', ${time('delivered_at')},
        'closed_at', ${time('closed_at')}) as document
      from market.orders
      where buyer_id in ${agentsOf(humanId)} or seller_id in ${agentsOf(humanId)}`,
  },
  {
    name: 'messages',
    rows: (humanId) => sql`
      select said.id, jsonb_build_object('urn', ${urn('message', 'said.id')},
        'thread_urn', ${urn('thread', 'said.thread_id')}, 'sender_urn', ${urn('agent', 'said.sender_id')},
        'kind', said.kind, 'payload', said.payload, 'body', said.body, 'sealed', said.sealed,
        'created_at', ${time('said.created_at')}) as document
      from market.orders traded join market.messages said on said.thread_id = traded.thread_id
      where traded.buyer_id in ${agentsOf(humanId)} or traded.seller_id in ${agentsOf(humanId)}`,
  },
  {
    name: 'deliveries',
    hasBlobs: true,
    rows: (humanId) => sql`
      select delivery.id, jsonb_build_object('urn', ${urn('delivery', 'delivery.id')},
        'order_urn', ${urn('order', 'delivery.order_id')}, 'seller_urn', ${urn('agent', 'traded.seller_id')}, 'filename', delivery.filename, 'sha256', delivery.sha256,
        'size_bytes', delivery.size_bytes, 'created_at', ${time('delivery.created_at')}) as document
      from market.orders traded join market.deliveries delivery on delivery.order_id = traded.id
      where traded.seller_id in ${agentsOf(humanId)}
        or (traded.buyer_id in ${agentsOf(humanId)} and delivery.message_id is not null)`,
  },
  {
    name: 'evidence_files',
    hasBlobs: true,
    rows: (humanId) => sql`
      select file.id, jsonb_build_object('urn', ${urn('evidence', 'file.id')},
        'dispute_urn', ${urn('dispute', 'file.dispute_id')}, 'party', file.party, 'stage', file.stage,
        'filename', file.filename, 'sha256', file.sha256, 'size_bytes', file.size_bytes,
        'created_at', ${time('file.created_at')}) as document
      from market.orders traded join market.evidence_files file on file.dispute_id = traded.dispute_id
      where traded.buyer_id in ${agentsOf(humanId)} or traded.seller_id in ${agentsOf(humanId)}`,
  },
  {
    name: 'rejections',
    rows: (humanId) => sql`
      select rejected.order_id::text || ':' || rejected.number as id,
        jsonb_build_object('order_urn', ${urn('order', 'rejected.order_id')}, 'number', rejected.number,
          'reason', rejected.reason, 'rejected_at', ${time('rejected.rejected_at')}) as document
      from market.orders traded join market.rejections rejected on rejected.order_id = traded.id
      where traded.buyer_id in ${agentsOf(humanId)} or traded.seller_id in ${agentsOf(humanId)}`,
  },
  {
    name: 'receipts',
    rows: (humanId) => sql`
      select receipt.id, jsonb_build_object('urn', ${urn('receipt', 'receipt.id')}, 'document', receipt.document,
        'key_id', receipt.key_id, 'signature', receipt.signature) as document
      from market.orders traded join market.receipts receipt on receipt.order_id = traded.id
      where traded.buyer_id in ${agentsOf(humanId)} or traded.seller_id in ${agentsOf(humanId)}`,
  },
  {
    name: 'disputes',
    rows: (humanId) => sql`
      select dispute.id, jsonb_build_object('urn', ${urn('dispute', 'dispute.id')},
        'order_urn', ${urn('order', 'dispute.order_id')}, 'state', dispute.state, 'opener', dispute.opener,
        'outcome', dispute.outcome, 'refund', ${amount('dispute.refund_micros')}, 'statements', (
          select jsonb_agg(jsonb_build_object('party', said.party, 'grounds', said.grounds,
            'what_happened', said.what_happened, 'wanted', said.wanted, 'refund', ${amount('said.refund_micros')},
            'created_at', ${time('said.created_at')}) order by said.created_at)
          from market.dispute_statements said where said.dispute_id = dispute.id),
        'appeals', (
          select jsonb_agg(jsonb_build_object('party', fee.party, 'state', fee.state, 'fee', ${amount('fee.amount_micros')},
            'offered_at', ${time('fee.offered_at')}, 'paid_at', ${time('fee.paid_at')}, 'ended_at', ${time('fee.ended_at')})
            order by fee.offered_at)
          from market.appeal_fees fee where fee.dispute_id = dispute.id),
        'appeal_statements', (
          select jsonb_agg(jsonb_build_object('party', said.party, 'statement', said.statement,
            'created_at', ${time('said.created_at')}) order by said.created_at)
          from market.appeal_statements said where said.dispute_id = dispute.id),
        'opened_at', ${time('dispute.opened_at')}, 'closed_at', ${time('dispute.closed_at')}) as document
      from market.orders traded join market.disputes dispute on dispute.order_id = traded.id
      where traded.buyer_id in ${agentsOf(humanId)} or traded.seller_id in ${agentsOf(humanId)}`,
  },
  {
    name: 'verdicts',
    rows: (humanId) => sql`
      select verdict.id, jsonb_build_object('urn', ${urn('verdict', 'verdict.id')}, 'document', verdict.document,
        'key_id', verdict.key_id, 'signature', verdict.signature) as document
      from market.orders traded join market.disputes dispute on dispute.order_id = traded.id
      join market.verdicts verdict on verdict.dispute_id = dispute.id
      where traded.buyer_id in ${agentsOf(humanId)} or traded.seller_id in ${agentsOf(humanId)}`,
  },
  {
    name: 'ratings',
    rows: (humanId) => sql`
      select rating.id, jsonb_build_object('urn', ${urn('rating', 'rating.id')}, 'order_urn', ${urn('order', 'rating.order_id')},
        'rating', rating.stars, 'comment', rating.comment, 'created_at', ${time('rating.rated_at')}, 'reply', reply.reply,
        'replied_at', ${time('reply.replied_at')}) as document
      from market.ratings rating
      join market.orders "order" on "order".id = rating.order_id
      left join market.rating_replies reply on reply.rating_id = rating.id
      where "order".buyer_id in ${agentsOf(humanId)} or rating.seller_id in ${agentsOf(humanId)}`,
  },
  {
    name: 'payouts',
    rows: (humanId) => sql`
      select id, jsonb_build_object('urn', ${urn('payout', 'id')}, 'order_urn', ${urn('order', 'order_id')},
        'state', state, 'leg', leg, 'amount', ${amount('amount_micros')}, 'to_address', to_address, 'tx_hash', tx_hash,
        'created_at', ${time('created_at')}, 'confirmed_at', ${time('confirmed_at')}) as document
      from market.payouts where human_id = ${humanId}`,
  },
  {
    name: 'liabilities',
    rows: (humanId) => sql`
      select leaf.block_number::text as id, jsonb_build_object('block_number', leaf.block_number,
        'account', account.kind || ':' || ledger.owner_name(account.owner_type, account.owner_id), 'amount', ${amount('leaf.amount')},
        'salt', encode(leaf.salt, 'hex'), 'position', leaf.position, 'root', tree.document->>'root') as document
      from ledger.accounts account
      join market.liabilities tree on tree.has_tree
      join market.liability_leaves leaf on leaf.block_number = tree.block_number and leaf.account_id = account.id
      where account.owner_type = 'human' and account.owner_id = ${humanId}::text`,
  },
  {
    name: 'webhooks',
    rows: (humanId) => sql`
      select hook.id, jsonb_build_object('urn', ${urn('webhook', 'hook.id')}, 'owner_urn',
        case when hook.account_id = hook.human_id then ${urn('human', 'hook.human_id')}
          else ${urn('agent', 'hook.account_id')} end,
        'url', hook.url, 'event_types', hook.event_types, 'status', hook.status,
        'created_at', ${time('hook.created_at')}, 'updated_at', ${time('hook.updated_at')}) as document
      from market.webhook_subscriptions hook where hook.human_id = ${humanId} and hook.org_id is null`,
  },
  {
    name: 'webhook_deliveries',
    rows: (humanId) => sql`
      select sent.id, jsonb_build_object('id', sent.id, 'webhook_urn', ${urn('webhook', 'sent.subscription_id')},
        'event', sent.body::jsonb, 'status', sent.status, 'attempts', sent.attempts,
        'response_status', sent.last_status, 'response_body', sent.last_response, 'failure', sent.last_failure,
        'created_at', ${time('sent.created_at')}, 'last_attempt_at', ${time('sent.last_attempt_at')}) as document
      from market.webhook_subscriptions hook
      join market.webhook_deliveries sent on sent.subscription_id = hook.id
      where hook.human_id = ${humanId} and hook.org_id is null`,
  },
  {
    name: 'orgs',
    rows: (humanId) => sql`
      select org.id, jsonb_build_object('urn', ${urn('org', 'org.id')}, 'slug', org.slug,
        'display_name', org.display_name, 'role', own.role, 'joined_at', ${time('own.joined_at')}) as document
      from market.org_members own join market.orgs org on org.id = own.org_id where own.human_id = ${humanId}`,
  },
  {
    name: 'notifications',
    rows: (humanId) => sql`
      select told.id, jsonb_build_object('id', told.id, 'org_urn', ${urn('org', 'told.org_id')}, 'kind', told.kind,
        'role', told.role, 'entity_type', told.entity_type, 'entity_id', told.entity_id, 'due_at', ${time('told.due_at')}, 'read_at', ${time('told.read_at')}) as document
      from market.notifications told where told.human_id = ${humanId}`,
  },
  {
    name: 'confirmations',
    rows: (humanId) => sql`
      select id, jsonb_build_object('id', id, 'org_urn', ${urn('org', 'org_id')}, 'agent_urn', ${urn('agent', 'agent_id')},
        'question', question, 'answer', answer, 'created_at', ${time('created_at')}, 'expires_at', ${time('expires_at')},
        'answered_at', ${time('answered_at')}) as document
      from market.confirmations where human_id = ${humanId}`,
  },
  {
    name: 'notification_prefs',
    rows: (humanId) => sql`
      select account_id as id, jsonb_build_object('account_id', account_id, 'kinds', kinds, 'quiet_from', quiet_from,
        'quiet_until', quiet_until, 'time_zone', time_zone, 'hidden_roles', hidden_roles) as document
      from market.notification_prefs where human_id = ${humanId}`,
  },
  {
    name: 'push_subscriptions',
    rows: (humanId) => sql`
      select id, jsonb_build_object('id', id, 'endpoint', endpoint, 'created_at', ${time('created_at')}) as document
      from market.push_subscriptions where human_id = ${humanId}`,
  },
  {
    // What they wrote, and not what a page says since others went on with it.
    name: 'page_versions',
    rows: (humanId) => sql`
      select said.page_id || ':' || lpad(said.number::text, 10, '0') as id, jsonb_build_object('page_id', said.page_id,
        'org_urn', ${urn('org', 'said.org_id')}, 'version', said.number, 'title', said.title, 'text', said.text,
        'created_by', said.created_by, 'created_at', ${time('said.created_at')}) as document
      from market.org_members own join market.page_versions said on said.org_id = own.org_id
      join market.pages page on page.id = said.page_id
      where own.human_id = ${humanId} and said.created_by in ${authorsOf(humanId)} and ${sees('page.space_id')}`,
  },
  {
    name: 'tasks',
    rows: (humanId) => sql`
      select task.id, jsonb_build_object('id', task.id, 'org_urn', ${urn('org', 'task.org_id')}, 'title', task.title,
        'text', task.text, 'state', task.state, 'created_by', task.created_by, 'claimed_by', task.claimed_by,
        'result', task.result, 'reason', task.reason, 'created_at', ${time('task.created_at')}) as document
      from market.org_members own join market.tasks task on task.org_id = own.org_id
      where own.human_id = ${humanId} and ${sees('task.space_id')}
        and (task.created_by in ${authorsOf(humanId)} or task.claimed_by in ${authorsOf(humanId)})`,
  },
  {
    // A file once, however often it was attached. What the virus scanner found is not handed out.
    name: 'attachments',
    hasBlobs: true,
    rows: (humanId) => sql`
      select file.id, jsonb_build_object('org_urn', ${urn('org', 'file.org_id')}, 'sha256', file.sha256,
        'size_bytes', file.size_bytes, 'attached', (
          select jsonb_agg(jsonb_build_object('attachment_id', version.attachment_id, 'version', version.number,
            'filename', attachment.filename, 'media_type', version.media_type, 'created_by', version.created_by,
            'created_at', ${time('version.created_at')}) order by version.created_at)
          from market.attachment_versions version join market.attachments attachment on attachment.id = version.attachment_id
          join market.pages page on page.id = attachment.page_id
          where version.file_id = file.id and version.created_by in ${authorsOf(humanId)}
            and ${sees('page.space_id')})) as document
      from market.org_members own join market.files file on file.org_id = own.org_id
      where own.human_id = ${humanId} and file.scan_state not in ('infected', 'deleted') and exists (
        select from market.attachment_versions version
        join market.attachments attachment on attachment.id = version.attachment_id
        join market.pages page on page.id = attachment.page_id
        where version.file_id = file.id and version.created_by in ${authorsOf(humanId)} and ${sees('page.space_id')})`,
  },
  {
    name: 'comments',
    rows: (humanId) => sql`
      select comment.id, jsonb_build_object('id', comment.id, 'org_urn', ${urn('org', 'comment.org_id')},
        'page_id', comment.page_id, 'task_id', comment.task_id, 'text', comment.text,
        'created_by', comment.created_by, 'created_at', ${time('comment.created_at')}) as document
      from market.org_members own join market.comments comment on comment.org_id = own.org_id
      left join market.pages page on page.id = comment.page_id left join market.tasks task on task.id = comment.task_id
      cross join lateral (select coalesce(page.space_id, task.space_id) as space_id) place
      where own.human_id = ${humanId} and ${sees('place.space_id')} and comment.created_by in ${authorsOf(humanId)}`,
  },
  {
    name: 'decisions',
    rows: (humanId) => sql`
      select decision.id, jsonb_build_object('id', decision.id, 'org_urn', ${urn('org', 'decision.org_id')},
        'page_id', (select page.id from market.pages page where page.id = decision.page_id and ${sees('page.space_id')}),
        'task_id', (select task.id from market.tasks task where task.id = decision.task_id and ${sees('task.space_id')}), 'title', decision.title, 'text', decision.text,
        'supersedes', decision.supersedes, 'created_by', decision.created_by,
        'created_at', ${time('decision.created_at')}) as document
      from market.org_members own join market.decisions decision on decision.org_id = own.org_id
      where own.human_id = ${humanId} and ${sees('decision.space_id')} and decision.created_by in ${authorsOf(humanId)}`,
  },
  {
    name: 'audit_log',
    rows: (humanId) => sql`
      select lpad(own.position::text, 18, '0') as id, jsonb_build_object('position', own.position, 'actor', entry.actor,
        'action', entry.action, 'subject', entry.subject, 'details', entry.details,
        'salt', encode(entry.salt, 'hex'), 'created_at', ${time('entry.created_at')}) as document
      from market.audit_accounts own join market.audit_seals seal on seal.position = own.position
      join market.audit_log entry on entry.id = seal.entry_id where own.account_id = ${humanId}`,
  },
]
