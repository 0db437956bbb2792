import { z } from '@hono/zod-openapi'
import { SIGNING_PURPOSES } from '../../protocol/keys/signing.ts'
import { signedFeeSchedule } from '../../protocol/payments/fees.ts'
import { defineRoute } from '../platform/http/route/route.ts'
import { addressText, amountText, timestampText } from '../platform/http/route/schemas.ts'
import { MARKET_VERSIONS } from '../platform/http/route/versions.ts'

const jwk = z.object({
  kty: z.literal('OKP'),
  crv: z.literal('Ed25519'),
  alg: z.literal('Ed25519'),
  use: z.literal('sig'),
  kid: z.string(),
  x: z.string(),
  purpose: z
    .enum(SIGNING_PURPOSES)
    .optional()
    .openapi({ description: 'What it signs: nothing else verifies with it.' }),
  valid_from: timestampText.optional(),
  valid_until: timestampText.optional().openapi({ description: 'Absent while the key is in use.' }),
})
const jwks = z.object({ keys: z.array(jwk) }).openapi('Jwks')

const token = z.object({
  address: addressText,
  decimals: z.literal(6),
  eip712_domain: z.object({
    name: z.string(),
    version: z.string(),
    chainId: z.int(),
    verifyingContract: addressText,
  }),
})

const rules = z.object({
  fee_bps: z
    .int()
    .openapi({ description: 'Of orders placed now. What was before and what is announced is in `fees`.' }),
  min_order_amount: amountText,
  max_order_amount: amountText,
  custody_threshold: amountText,
  payment_window_seconds: z.int(),
  hold_seconds: z.int(),
  settlement_margin_seconds: z.int(),
  default_sla_seconds: z.int(),
  max_sla_seconds: z.int(),
  min_auto_accept_seconds: z.int(),
  max_auto_accept_seconds: z.int(),
  default_auto_accept_seconds: z.int(),
  max_deliveries: z.int(),
  rating_window_seconds: z.int(),
  rejection_window_seconds: z.int(),
  dispute_evidence_seconds: z.int().openapi({ description: 'How long the parties of a dispute have for evidence.' }),
  max_evidence_files: z
    .int()
    .openapi({ description: 'How many files a side may hand in, to the evidence and to an appeal each.' }),
  max_evidence_bytes: z.int().openapi({ description: 'How large one of them may be.' }),
  pre_review_seconds: z
    .int()
    .openapi({ description: 'How long a reviewer has to look at a dispute whose text was flagged.' }),
  arbitration_seconds: z.int().openapi({ description: 'How long the automated decision may take.' }),
  human_review_seconds: z.int().openapi({ description: 'How long a human decision may take.' }),
  reviewer_seconds: z
    .int()
    .openapi({ description: 'How long a reviewer has to open a case, before another is asked.' }),
  two_reviewers_above: amountText.openapi({ description: 'Two reviewers decide disputes above this price.' }),
  appeal_window_seconds: z.int().openapi({ description: 'How long an automated verdict can be appealed.' }),
  appeal_payment_seconds: z.int().openapi({ description: 'How long an appeal waits for its fee.' }),
  appeal_hearing_seconds: z
    .int()
    .openapi({ description: 'How long both sides may speak to an appeal once its fee is paid.' }),
  appeal_fee_bps: z.int().openapi({
    description:
      'The fee of an appeal, in hundredths of a percent of the price; within the next two, and never above the price.',
  }),
  min_appeal_fee: amountText,
  max_appeal_fee: amountText,
  max_open_appeals: z.int().openapi({ description: 'How many appeals of one owner can be open.' }),
  min_stray_return_amount: amountText,
  idempotency_seconds: z.int(),
  session_seconds: z.int(),
  session_idle_seconds: z.int(),
  fresh_passkey_seconds: z.int(),
  passkey_challenge_seconds: z.int(),
  ticket_seconds: z.int(),
  payout_wallet_delay_seconds: z.int(),
  daily_funding_wei: z.string().openapi({
    description:
      'The most, in wei, that submitting the payments of one owner may cost in any 24 hours: further ones are 429.',
  }),
  new_owner_funding_wei: z.string().openapi({
    description: 'The same for an owner none of whose payments was confirmed before these 24 hours.',
  }),
  x402_max_amount: amountText.openapi({
    description: 'The largest order that a stock x402 client is offered to pay (header PAYMENT-REQUIRED).',
  }),
  daily_payout_amount: amountText.openapi({
    description: 'The most that is sent to sellers out of custody in any 24 hours.',
  }),
  hot_wallet_floor: amountText,
  export_seconds: z.int(),
  link_seconds: z.int(),
  wallet_challenge_seconds: z.int(),
  rotation_repeat_seconds: z.int(),
  max_bid_seconds: z.int().openapi({ description: 'How long bids and quotes can be open.' }),
  default_bid_seconds: z.int(),
  default_quote_seconds: z.int(),
  max_uploads: z.int().openapi({ description: 'Of one order.' }),
  invitation_seconds: z.int(),
  event_retention_seconds: z.int().openapi({ description: 'How long events can be read.' }),
  max_agents: z.int().openapi({ description: 'Active ones, of one person.' }),
  max_owned_orgs: z.int().openapi({ description: 'Of one person.' }),
  max_picture_bytes: z.int().openapi({ description: 'Of the picture of an account or org, as it is sent.' }),
  max_hourly_mails: z.int().openapi({ description: 'With notifications, to one person.' }),
  max_event_streams: z.int().openapi({ description: 'Open at once, of one account, at each API process.' }),
  max_delivery_bytes: z.int(),
  max_webhooks: z.int().openapi({ description: 'Of one account.' }),
  webhook_timeout_seconds: z.int(),
  org_webhook_timeout_seconds: z.int(),
  webhook_concurrency: z.int().openapi({ description: 'How many attempts run at once for one webhook.' }),
  webhook_rate_per_second: z.int(),
  webhook_overlap_seconds: z.int().openapi({ description: 'How long a former secret signs beside a new one.' }),
  webhook_retention_seconds: z.int().openapi({ description: 'How long a dead letter can be replayed.' }),
  webhook_pause_seconds: z.int(),
  webhook_pause_attempts: z.int(),
  max_form_upload_bytes: z
    .int()
    .openapi({ description: 'Of a file in one request; larger ones are uploaded in parts.' }),
  max_upload_bytes: z.int().openapi({ description: 'Of a file that is uploaded in parts.' }),
  upload_seconds: z.int().openapi({ description: 'How long an upload in parts may take in all.' }),
  max_org_bytes: z.int().openapi({ description: 'Of all files of an org together.' }),
  task_lease_seconds: z.int().openapi({ description: 'How long a claim of a task holds, where it does not say.' }),
  page_presence_seconds: z
    .int()
    .openapi({ description: 'How long you are named as having a page open after you last said so.' }),
  trash_days: z.int().openapi({ description: 'How long a trashed attachment can be restored.' }),
  liability_seconds: z.int().openapi({ description: 'How often it is published what custody owes.' }),
  liability_trees_kept: z.int().openapi({ description: 'Of how many of those you can get the path of your balance.' }),
})

const rateLimits = z.object({ window_seconds: z.int(), reads: z.int(), writes: z.int(), anonymous: z.int() }).openapi({
  description:
    'How many requests a window has room for: those of an account that read, those that write, and those of an address without a token.',
})

const publicConfig = z
  .object({
    sandbox: z.boolean(),
    base_url: z
      .string()
      .openapi({ description: 'The public address of this market, whose host wallet bindings name.' }),
    network: z.string().openapi({ example: 'eip155:84532' }),
    chain_id: z.int(),
    wallet_rpc_url: z.string().nullable().openapi({
      description:
        'A node that anybody may ask, to add the chain to a wallet that does not know it. Null: none is named.',
    }),
    escrow_contract: addressText,
    token,
    hot_wallet: addressText,
    cold_wallet: addressText.nullable().openapi({
      description: 'Where the service keeps what the hot wallet holds beyond its ceiling. Null: nowhere.',
    }),
    cold_wallet_proof: z.string().nullable().openapi({
      description:
        'The cold wallet’s signature (EIP-191, or ERC-1271 for a contract) that proves its control to an audit. Its text is in docs/audit.md.',
    }),
    hot_wallet_ceiling: amountText.nullable(),
    fee_recipient: addressText,
    start_block: z.int().openapi({ description: 'Where the contract was deployed: nothing of ours is before it.' }),
    confirmations: z
      .int()
      .openapi({ description: 'Blocks, the one of the transaction included, before money counts as moved.' }),
    explorer_url: z.string().nullable().openapi({
      description:
        'A block explorer, which has transactions below /tx/ and accounts below /address/. Null: none is named.',
    }),
    rules,
    fees: signedFeeSchedule,
    rate_limits: rateLimits,
    reputation: z.object({ weighting_function: z.string(), alpha: z.number() }),
    webhooks: z.object({
      attempts: z.int(),
      retry_seconds: z.array(z.int()).openapi({ description: 'The delay after each failed attempt but the last.' }),
      local_targets: z.boolean().openapi({ description: 'Whether loopback, http and any port are allowed.' }),
    }),
    notifications: z.object({
      channels: z.array(z.enum(['in_app', 'push', 'email'])),
      push_public_key: z.string().openapi({
        description: 'The applicationServerKey of push subscriptions (RFC 8292): base64url of a point on P-256.',
      }),
    }),
    versions: z.object({ current: z.enum(MARKET_VERSIONS), supported: z.array(z.enum(MARKET_VERSIONS)) }),
    keys: jwks,
  })
  .openapi('PublicConfig')

export const getPublicConfig = defineRoute({
  operationId: 'getPublicConfig',
  method: 'get',
  path: '/v1/config/public',
  summary: 'Read everything a client or an auditor needs to know of this market',
  access: 'public',
  answers: { 200: { description: 'The configuration.', schema: publicConfig } },
})

export const getKeys = defineRoute({
  operationId: 'getKeys',
  method: 'get',
  path: '/v1/keys',
  group: { name: 'keys', about: 'What our signatures are verified with.' },
  summary: 'Read the public keys that receipts and verdicts are signed with (RFC 7517)',
  access: { scope: 'read', as: 'any' },
  answers: { 200: { description: 'The keys.', schema: jwks } },
})
