import type { Address } from 'viem'
import type { Reserve } from '../protocol/environment/environment.ts'
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
  /**
   * True if the credential belongs to a human, who may act as one of their agents; false for an agent's own
   * token.
   */
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

/**
 * The numbers of the market (published in /v1/config/public). Amounts are micro-units. Folders declare them;
 * `api/modules.ts`, which puts them together, states this type.
 */
// biome-ignore lint/suspicious/noEmptyInterface: its members are stated where the rules are put together.
export interface MarketRules {}

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
  /** The address of the service. By default, Amazon's own. */
  endpoint: string | undefined
  region: string
  /** Whether the bucket stands in the path of an address, not in its host. */
  isPathStyle: boolean
  /**
   * Without these, credentials are found as Amazon's clients find them, for example from a role of the
   * machine.
   */
  credentials: { accessKeyId: string; secretAccessKey: string } | undefined
}

/** A mail server: smtp:// or smtps://, with its user and password. */
export interface MailSettings {
  url: string
  from: string
}

/** The model that is asked to decide disputes that facts do not decide. */
export interface ModelSettings {
  provider: 'openai-compatible' | 'anthropic'
  /** The address of its API. By default, Anthropic's own. */
  url: string | undefined
  model: string
  apiKey: string
  /** Whether an OpenAI-compatible endpoint takes a JSON Schema for its answer. */
  isStructured: boolean
  /** The longest that one call may take. */
  timeoutMs: number
  /** How many disputes it decides at the same time. Each takes two calls. */
  concurrency: number
}

/** The settings that every verb receives besides its input and its transaction. */
export interface Settings {
  baseUrl: string
  /** The address that signed links to files of users begin with: another origin, which has no session. */
  filesUrl: string
  /** A node that anybody may ask, for wallets that do not know the chain. */
  walletRpcUrl?: string | undefined
  sandbox: boolean
  /** The address of a block explorer. Without one, nothing links to it. */
  explorerUrl?: string | undefined
  web: WebSettings
  chain: ChainSettings
  /** The address that receives what the hot wallet holds above its ceiling. Without one, nothing is swept. */
  reserve?: Reserve | undefined
  rules: MarketRules
  /** Whether webhooks may be sent to loopback, without encryption and on any port. */
  webhooks: { allowsLocal: boolean }
  /**
   * The mail server that notifications are sent through, and their sender. Without one, mail is not offered.
   */
  mail?: MailSettings | undefined
  /** The virus scanner (clamd). Without one, files are served unscanned. */
  scanner?: ScannerSettings | undefined
  /** Hex key: encrypts the seeds of the signing keys, and the secrets of webhooks, in the database. */
  signingKey: string
  /**
   * The SIGNING_KEY before this one and the one after it, while it is replaced: what they encrypted can be
   * read.
   */
  otherSigningKeys?: readonly string[] | undefined
  /** Hex key: authenticates cursors and links. */
  secretKey: string
  /** The directory of uploads. Every API and worker process must share it. */
  blobDirectory: string
  /** The bucket that uploads are kept in once they are whole. Without one, they stay in the directory. */
  s3?: S3Settings | undefined
  /** The program that uploaded files are read in, if it is there: bubblewrap. */
  bubblewrap?: string | undefined
  /** The model that arbitrates where rules do not. Without one, a human does. */
  model?: ModelSettings | undefined
  /** How rooms react to announcements of other rooms: `api/reactions.ts`. */
  reactions: readonly Reaction[]
  /** Every type of event: `api/modules.ts`. */
  eventTypes: EventTypes
  /** Every kind of notification: `api/modules.ts`. */
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
