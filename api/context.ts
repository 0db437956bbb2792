import type { Address } from 'viem'
import type { Reserve } from '../protocol/environment/environment.ts'
import type { FeeRate } from '../protocol/payments/fees.ts'
import type { Reaction } from './platform/announcements/announce.ts'
import type { Scope } from './platform/db/generated/tables.ts'
import type { EventTypes } from './platform/events/eventType.ts'

/** The caller: a human, or an agent that a human owns. */
export interface Actor {
  humanId: string
  agentId: string | null
  /** The id of the presented token, or of the session. */
  tokenId: string
  /** When that token or session expires, or null if it does not. */
  expiresAt: Date | null
  /** Set for a browser call that is authenticated by a session cookie; null for a token. */
  session: ActorSession | null
  scopes: readonly Scope[]
  /** The credential is of a human, who may act as an agent of theirs; not an agent's own token. */
  isHuman: boolean
  isOperator: boolean
  /** The acting agent is deactivated: it may continue its open orders and begin nothing new. */
  isDeactivated: boolean
  /** The token was already rotated. It only authorises a repetition of that same rotation. */
  isRotated: boolean
}

/** A session. `rules.freshPasskeySeconds` decides whether its passkey sign-in is recent. */
export interface ActorSession {
  isFresh: boolean
}

/** The chain and the accounts the service works with. Addresses are checksummed. */
export interface ChainSettings {
  chainId: number
  escrow: Address
  token: Address
  hotWallet: Address
  feeRecipient: Address
  startBlock: bigint
  confirmations: number
  /** The only factories whose wallets may sign before they are deployed (ERC-6492). */
  walletFactories: readonly Address[]
}

/** The numbers of the market (published in /v1/config/public). Amounts are micro-units. */
export interface MarketRules {
  /**
   * The fee history. Past rates must stay, because receipts are checked against them; a new rate is appended with the
   * instant it takes effect.
   */
  fees: readonly FeeRate[]
  minOrderMicros: bigint
  maxOrderMicros: bigint
  custodyThresholdMicros: bigint
  paymentWindowSeconds: number
  holdSeconds: number
  settlementMarginSeconds: number
  defaultSlaSeconds: number
  maxSlaSeconds: number
  minAutoAcceptSeconds: number
  maxAutoAcceptSeconds: number
  defaultAutoAcceptSeconds: number
  maxDeliveries: number
  rejectionWindowSeconds: number
  ratingWindowSeconds: number
  /** How long each state of a dispute lasts at most (trading/disputes/states.ts). */
  disputeEvidenceSeconds: number
  preReviewSeconds: number
  arbitrationSeconds: number
  humanReviewSeconds: number
  appealWindowSeconds: number
  /** How long both sides may speak to an appeal once its fee is paid. */
  appealHearingSeconds: number
  /** How many files a side may hand in, to the evidence and to an appeal each, and how large one may be. */
  maxEvidenceFiles: number
  maxEvidenceBytes: number
  /** How long a reviewer has to open a case, and above which price two decide it. */
  reviewerSeconds: number
  twoReviewersMicros: bigint
  /** How long an appeal waits for its fee. */
  appealPaymentSeconds: number
  /** The fee of an appeal: hundredths of a percent of the price, within these bounds, and never above the price. */
  appealFeeBps: number
  minAppealFeeMicros: bigint
  maxAppealFeeMicros: bigint
  /** How many appeals of one owner can be open. */
  maxOpenAppeals: number
  /** An unmatched payment below this amount is not returned, because returning it would cost more than it is worth. */
  minStrayReturnMicros: bigint
  /** How long a write can be repeated with its Idempotency-Key. */
  idempotencySeconds: number
  /** The maximum lifetime of a session, its maximum idle time, and how long its passkey sign-in counts as fresh. */
  sessionSeconds: number
  sessionIdleSeconds: number
  freshPasskeySeconds: number
  passkeyChallengeSeconds: number
  /** How long an agent's ticket can be exchanged for its first token. */
  ticketSeconds: number
  /** How long an old payout wallet stays in use after its replacement was chosen, so that the owner can object. */
  payoutWalletDelaySeconds: number
  /** The most wei that the payments of one owner may cost in any 24 hours, and those of a new owner. */
  dailyFundingWei: bigint
  newOwnerFundingWei: bigint
  /** The most that is paid to sellers out of custody in any 24 hours. */
  dailyPayoutMicros: bigint
  /** The largest order that a stock x402 client is offered to pay: its payment says nothing of the seller. */
  x402MaxAmountMicros: bigint
  /** Below this balance an alarm reports that the hot wallet may run out of gas money. */
  hotWalletFloorMicros: bigint
  /** How long a finished export is kept. */
  exportSeconds: number
  /** How long a link to a file is valid. */
  linkSeconds: number
  /** How long the challenge of a wallet can be answered. */
  walletChallengeSeconds: number
  /** How long a rotated token can repeat its own rotation, in case the answer was lost. */
  rotationRepeatSeconds: number
  /** How long bids and quotes stay open at most, and when their authors say nothing. */
  maxBidSeconds: number
  defaultBidSeconds: number
  defaultQuoteSeconds: number
  /** How many uploads an order can have. */
  maxUploads: number
  /** How much lost disputes count in a composite score: from 0 to 1 (spec 8.1). */
  reputationAlpha: number
  /** How long an invitation to an org stays open. */
  invitationSeconds: number
  /** How long events are kept in the log. */
  eventRetentionSeconds: number
  /** How many streams of events an account can have open at each API process. */
  maxEventStreams: number
  /** The largest upload, in bytes. */
  maxDeliveryBytes: number
  /** How many active agents a person can have, and how many orgs a person can own. */
  maxAgents: number
  maxOwnedOrgs: number
  /** How many mails with notifications a person gets in an hour. What is more waits, and is one mail. */
  maxHourlyMails: number
  /** How many webhooks an account can have. */
  maxWebhooks: number
  /** How long an attempt of a webhook may take in all. */
  webhookTimeoutSeconds: number
  /** How long an attempt of an org's webhook may take in all. */
  orgWebhookTimeoutSeconds: number
  /** How many attempts run at once for one webhook. */
  webhookConcurrency: number
  /** How many attempts each worker begins for one webhook in a second, on average. */
  webhookRatePerSecond: number
  /** How long the former secret signs beside a new one. */
  webhookOverlapSeconds: number
  /** How long a delivery of a webhook is kept, and a dead letter can be replayed. */
  webhookRetentionSeconds: number
  /** A webhook is paused once every attempt has failed for this long, and there were at least so many of them. */
  webhookPauseSeconds: number
  webhookPauseAttempts: number
  /** The largest file that one request may upload, in bytes. */
  maxFormUploadBytes: number
  /** The largest file that may be uploaded in parts, in bytes, and how long its parts are waited for. */
  maxUploadBytes: number
  uploadSeconds: number
  /** How much the files of an org may take up, in bytes. */
  maxOrgBytes: number
  /** How long a claimed task stays with its claimant who does not renew, where the claim does not say. */
  taskLeaseSeconds: number
  /** How many days a trashed page or attachment can be restored. */
  trashDays: number
  /** How often the liabilities of custody are published, and for how many publications the proof paths are kept. */
  liabilitySeconds: number
  liabilityTreesKept: number
  /**
   * The length of a rate-limit window, and how many requests it allows: per account, and per address without a token.
   */
  rateWindowSeconds: number
  maxReads: number
  maxWrites: number
  maxAnonymous: number
}

/** The addresses at which browsers reach the service. They are configured, never taken from a request. */
export interface WebSettings {
  /** The domain that passkeys are bound to (WebAuthn's RP ID). */
  rpId: string
  /** The exact origins whose pages may use passkeys and may write with a session. */
  origins: readonly string[]
  /** True except on loopback: cookies are then only sent over encrypted connections. */
  isSecure: boolean
  /** The name of the cookie of a session. */
  sessionCookie: string
}

/** Where clamd listens. */
export type ScannerSettings = { host: string; port: number } | { path: string }

/** A bucket of a service that speaks the API of Amazon S3. */
export interface S3Settings {
  bucket: string
  /** The service's address; of Amazon's, its own by default. */
  endpoint: string | undefined
  region: string
  /** Whether the bucket stands in the path of an address, not in its host. */
  isPathStyle: boolean
  /** Without these, as Amazon's clients find them: a role of the machine, for one. */
  credentials: { accessKeyId: string; secretAccessKey: string } | undefined
}

/** A mail server: smtp:// or smtps://, with its user and password. */
export interface MailSettings {
  url: string
  from: string
}

/** The model that is asked what facts leave open in a dispute. */
export interface ModelSettings {
  provider: 'openai-compatible' | 'anthropic'
  /** The address of its API; of Anthropic's, its own by default. */
  url: string | undefined
  model: string
  apiKey: string
  /** Whether an OpenAI-compatible endpoint takes a JSON Schema for its answer. */
  isStructured: boolean
  /** The longest that one call may take. */
  timeoutMs: number
  /** How many disputes are before it at once. Each is two calls. */
  concurrency: number
}

/** The settings that every verb receives besides its input and its transaction. */
export interface Settings {
  baseUrl: string
  /** The address that signed links to files of users begin with: another origin, where no session is. */
  filesUrl: string
  sandbox: boolean
  web: WebSettings
  chain: ChainSettings
  /** The address that receives what the hot wallet holds above its ceiling. Without one, nothing is swept. */
  reserve?: Reserve | undefined
  rules: MarketRules
  /** Whether webhooks may be sent to loopback, without encryption and on any port. */
  webhooks: { allowsLocal: boolean }
  /** The mail server that notifications are sent through, and their sender. Without one, mail is not offered. */
  mail?: MailSettings | undefined
  /** The virus scanner (clamd). Without one, files are served unscanned. */
  scanner?: ScannerSettings | undefined
  /** Hex key: encrypts the seeds of the signing keys, and the secrets of webhooks, in the database. */
  signingKey: string
  /** Hex key: authenticates cursors and links. */
  secretKey: string
  /** The directory of uploads. Every API and worker process must share it. */
  blobDirectory: string
  /** The bucket that uploads are kept in once they are whole. Without one, they stay in the directory. */
  s3?: S3Settings | undefined
  /** The program that the worker reads uploaded files in, if it is there: bubblewrap. */
  bubblewrap?: string | undefined
  /** The model that arbitrates where rules do not. Without one, a human does. */
  model?: ModelSettings | undefined
  /** How rooms react to what other rooms announce: `api/reactions.ts`. */
  reactions: readonly Reaction[]
  /** Every type of event: `api/declarations.ts`. */
  eventTypes: EventTypes
  /** Every kind of notification: `api/declarations.ts`. */
  noticeKinds: Readonly<Record<string, { title: string }>>
}

/** A call of a route that is open to everyone. */
export interface PublicCall {
  settings: Settings
  requestId: string
}

/** A call by an authenticated caller. Jobs act as the service and have no actor: they take Settings alone. */
export interface CallContext extends PublicCall {
  actor: Actor
}

/** A call by an agent, or by a human acting as one. */
export interface AgentCall extends CallContext {
  actor: Actor & { agentId: string }
}
