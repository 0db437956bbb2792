/** The header in which a human names the agent it acts as. */
export const AGENT_HEADER = 'Market-Agent'

/** Every problem the service can return (RFC 9457): a stable type, its status and its title. */
export const problems = {
  'request/malformed': { status: 400, title: 'The request is malformed' },
  'request/invalid': { status: 400, title: 'A value in the request is invalid' },
  'request/headers-too-large': { status: 431, title: 'The request headers are too large' },
  'request/expectation-failed': { status: 417, title: 'The request expects what HTTP does not offer here' },
  'request/transfer-coding-unknown': { status: 501, title: 'The body is sent in a transfer coding that is not known' },
  'request/timeout': { status: 408, title: 'The request took too long to arrive' },
  'request/too-large': { status: 413, title: 'The request body is too large' },
  'request/unsupported-media-type': { status: 415, title: 'The request body must be JSON' },
  'request/not-acceptable': { status: 406, title: 'The answer is JSON, which the request does not accept' },
  'request/range-not-satisfiable': { status: 416, title: 'The file has no such bytes' },
  'request/upgrade-required': { status: 426, title: 'This path speaks WebSocket' },
  'request/method-not-allowed': { status: 405, title: 'This path does not take this method' },
  'request/rate-limited': { status: 429, title: 'Too many requests' },
  'request/not-found': { status: 404, title: 'There is no such path' },
  'version/required': { status: 400, title: 'A write needs a Market-Version header' },
  'version/unknown': { status: 400, title: 'This Market-Version does not exist' },
  'version/route-unavailable': { status: 404, title: 'This call does not exist in this Market-Version' },
  'auth/unauthenticated': { status: 401, title: 'A valid bearer token is required' },
  'auth/scope-insufficient': { status: 403, title: 'The token lacks a scope' },
  'auth/forbidden': { status: 403, title: 'This account may not do this' },
  erase_blocked: { status: 409, title: 'The account cannot be erased yet' },
  'auth/origin-refused': { status: 403, title: 'The request comes from another site' },
  'auth/ticket-invalid': { status: 401, title: 'The ticket has expired or was used' },
  re_auth_required: { status: 403, title: 'A fresh passkey assertion is required' },
  'idempotency/key-reused': { status: 409, title: 'This idempotency key was used for another request' },
  'idempotency/in-flight': { status: 409, title: 'A call with this idempotency key is being worked on' },
  'idempotency/other-token': { status: 409, title: 'The answer to this idempotency key belongs to another token' },
  'resource/not-found': { status: 404, title: 'No such resource' },
  'passkeys/challenge-invalid': { status: 409, title: 'There is no such open passkey ceremony' },
  'passkeys/registration-refused': { status: 422, title: 'The new passkey cannot be taken' },
  'passkeys/assertion-refused': { status: 401, title: 'The passkey does not prove who you are' },
  'passkeys/already-registered': { status: 409, title: 'This passkey is registered already' },
  'passkeys/last-one': { status: 409, title: 'The last passkey of an account stays' },
  'mails/not-needed': { status: 409, title: 'No confirmation is sent' },
  'enrolments/not-needed': { status: 409, title: 'A passkey lets this human in' },
  'agents/too-many': { status: 409, title: 'The person has agents enough' },
  'agents/deactivated': { status: 409, title: 'The agent has been deactivated' },
  'tokens/spend-limit': { status: 403, title: 'The payment is beyond the spend limit of the token' },
  'wallets/challenge-invalid': { status: 409, title: 'There is no open challenge for this address' },
  'wallets/signature-invalid': { status: 422, title: 'The signature does not prove this wallet' },
  'wallets/already-bound': { status: 409, title: 'This address belongs to another account' },
  'wallets/paid-to': { status: 409, title: 'The account is paid to this wallet' },
  'payouts/not-parked': { status: 409, title: 'The payout is not parked' },
  'payouts/wallet-not-in-use': { status: 422, title: 'Nobody is paid to this wallet' },
  'stops/nothing-to-explain': { status: 409, title: 'The stop has nothing to explain' },
  'asks/window-out-of-range': { status: 422, title: 'A window of the ask is outside the limits' },
  'asks/price-missing': { status: 422, title: 'An ask needs a price' },
  'asks/version-mismatch': { status: 412, title: 'The ask is at another version' },
  'asks/revised': { status: 409, title: 'The ask has changed since you read it' },
  'asks/at-capacity': { status: 409, title: 'This ask has as many open orders as it takes' },
  'asks/inactive': { status: 422, title: 'This ask is not for sale' },
  'bids/price-missing': { status: 422, title: 'A bid needs a price' },
  'bids/not-open': { status: 409, title: 'The bid takes no quotes any more' },
  'bids/window-out-of-range': { status: 422, title: 'A window of the bid is outside the limits' },
  'quotes/outside-bid': { status: 422, title: 'The quote does not fit the bid' },
  'quotes/not-open': { status: 409, title: 'The quote can no longer be ordered' },
  'quotes/other-bid': { status: 422, title: 'The quote answers another bid' },
  'orders/amount-out-of-range': { status: 422, title: 'The order amount is outside the limits' },
  'orders/own-ask': { status: 422, title: 'An agent cannot buy from itself' },
  'orders/seller-wallet-required': { status: 422, title: 'The seller has no verified wallet' },
  'orders/windows-too-long': { status: 422, title: 'The windows of this order outlast its hold' },
  'orders/state-conflict': { status: 409, title: 'The order is not in a state that allows this' },
  'orders/suspended': { status: 409, title: 'The payment of the order is gone from the chain for now' },
  'orders/window-closed': { status: 409, title: 'The window for this has closed' },
  'orders/deliveries-exhausted': { status: 409, title: 'The order cannot be delivered again' },
  'orders/already-funded': { status: 409, title: 'The order is already funded, or its payment is on its way' },
  'orders/payer-conflict': { status: 409, title: 'This payment belongs to another account' },
  'orders/payer-wallet-required': { status: 422, title: 'The paying wallet must be verified first' },
  'orders/gas-budget-spent': { status: 429, title: 'Too much gas was used for payments today' },
  'authorization/malformed': { status: 400, title: 'The signed authorization cannot be read' },
  'authorization/mismatch': { status: 422, title: 'The signed authorization is not for this order' },
  'authorization/expired': { status: 422, title: 'The signed authorization is not valid now' },
  'authorization/spent': { status: 409, title: 'This payment was made before' },
  'authorization/signature-invalid': { status: 422, title: "The signature is not the payer's" },
  'settlements/invalid': { status: 422, title: 'The signature does not agree to this settlement' },
  'messages/invalid-payload': { status: 422, title: 'The payload does not fit the message kind' },
  'orgs/too-many': { status: 409, title: 'The person owns orgs enough' },
  'orgs/slug-taken': { status: 409, title: 'This slug is taken' },
  'orgs/already-member': { status: 409, title: 'They are a member already' },
  'orgs/last-owner': { status: 409, title: 'An org needs an owner' },
  'orgs/not-empty': { status: 409, title: 'Others are in this org' },
  'exports/in-progress': { status: 409, title: 'An export is being made already' },
  'exports/not-ready': { status: 409, title: 'There is nothing to download' },
  'messages/seal-required': { status: 422, title: 'The thread is sealed, or is not' },
  'messages/seal-invalid': { status: 422, title: 'The message is not sealed as this thread wants it' },
  'messages/seal-reused': { status: 409, title: 'A sealed message is posted once' },
  'messages/disclosure-refused': { status: 422, title: 'The key does not open this message' },
  'keys/missing': { status: 422, title: 'A party has published no keys' },
  'keys/wallet-required': { status: 422, title: "The wallet is not verified as the owner's" },
  'keys/stale': { status: 422, title: 'The statement of the keys is too old, or not newer than the last' },
  'keys/weak': { status: 422, title: 'The signing key is not safe' },
  'deliveries/wrong-hash': { status: 422, title: 'The upload does not have the hash it was said to have' },
  'deliveries/too-many': { status: 409, title: 'The order has uploads enough' },
  'deliveries/link-expired': { status: 403, title: 'This link is over' },
  'workspace/file-too-large': { status: 413, title: 'The file is too large' },
  'workspace/quota-exceeded': { status: 413, title: 'The storage of the org is used up' },
  'workspace/upload-offset-mismatch': { status: 409, title: 'The upload goes on at another offset' },
  'workspace/upload-locked': { status: 423, title: 'Another request works on this upload' },
  'workspace/checksum-mismatch': { status: 460, title: 'The bytes are not those of the checksum' },
  'workspace/tus-version': { status: 412, title: 'The upload speaks another version of tus' },
  'workspace/humans-only': { status: 403, title: 'Only people may do this, not agents' },
  'workspace/preview-not-available': { status: 404, title: 'There is no preview' },
  'workspace/link-expired': { status: 403, title: 'This link is over' },
  'workspace/attachment-trashed': { status: 409, title: 'The attachment is in the trash' },
  'workspace/attachment-not-trashed': { status: 409, title: 'The attachment is not in the trash' },
  'workspace/agent-shut-out': { status: 403, title: 'The org has shut this agent out' },
  'workspace/agent-state-conflict': { status: 409, title: 'The agent is not in a state that allows this' },
  'workspace/agent-exists': { status: 409, title: 'The agent is a member already' },
  'workspace/space-archived': { status: 409, title: 'The space is archived' },
  'workspace/space-not-empty': { status: 409, title: 'The space is not empty' },
  'workspace/attachment-quarantined': { status: 403, title: 'The attachment is in quarantine' },
  'workspace/not-infected': { status: 409, title: 'The file is not in quarantine' },
  'workspace/confirmation-closed': { status: 409, title: 'The question is answered, or over' },
  'workspace/task-state-conflict': { status: 409, title: 'The task is not in a state that allows this' },
  'workspace/task-of-order': { status: 409, title: 'The task is done for an order' },
  'workspace/anchor-not-found': { status: 422, title: 'The page does not say these words' },
  'workspace/comment-conflict': { status: 409, title: 'The comment is not in a state that allows this' },
  'workspace/decision-superseded': { status: 409, title: 'Another decision took the place of this one' },
  'workspace/import-state-conflict': { status: 409, title: 'The import is not in a state that allows this' },
  'workspace/import-edited': { status: 409, title: 'Pages of the import were edited since' },
  'workspace/secret-exists': { status: 409, title: 'There is a secret of this name' },
  'workspace/confirmation-required': { status: 403, title: 'The human of this agent must confirm it first' },
  'workspace/page-conflict': { status: 412, title: 'The page was changed meanwhile' },
  'workspace/page-tree': { status: 422, title: 'The page cannot be below that one' },
  'workspace/page-not-trashed': { status: 409, title: 'The page is not in the trash' },
  'workspace/text-too-long': { status: 422, title: 'The page would have too much text' },
  'ratings/exists': { status: 409, title: 'This was rated, or answered, before' },
  'proposals/none': { status: 422, title: 'This message is no proposal' },
  'proposals/other-digest': { status: 422, title: 'The digest is not that of the proposal' },
  'proposals/superseded': { status: 409, title: 'This proposal does not stand any more' },
  'events/cursor-expired': { status: 410, title: 'The log does not go on from this cursor' },
  'events/too-many-streams': { status: 429, title: 'The account has too many open streams' },
  'disputes/state-conflict': { status: 409, title: 'The dispute is not in a state that allows this' },
  'disputes/too-many-appeals': { status: 422, title: 'The account has open appeals enough' },
  'disputes/too-many-files': { status: 409, title: 'The side has handed in files enough' },
  'disputes/evidence-refused': { status: 422, title: 'This is no evidence of this dispute' },
  'webhooks/too-many': { status: 409, title: 'The account has webhooks enough' },
  'webhooks/disabled': { status: 409, title: 'The webhook is disabled' },
  'webhooks/not-disabled': { status: 409, title: 'The webhook is not disabled' },
  'webhooks/not-active': { status: 409, title: 'Nothing is sent to the webhook now' },
  'webhooks/not-replayable': { status: 409, title: 'The delivery cannot be sent again' },
  'search/timed-out': { status: 503, title: 'The search took too long' },
  'facilitator/unavailable': { status: 503, title: 'Payments cannot be made right now' },
  'service/unavailable': { status: 503, title: 'The service cannot answer right now' },
  'service/catching-up': { status: 503, title: 'The service has just started and moves no money yet' },
  'service/not-ready': { status: 503, title: 'The service is not ready' },
  'service/fault': { status: 500, title: 'The service failed' },
} as const satisfies Record<string, { status: number; title: string }>

/** The stable name of a problem; its wire type is `market:error:<name>`. */
export type ProblemName = keyof typeof problems

/** What a problem carries besides its type: what was wrong and what to do, and for invalid input which field. */
export interface ProblemDetails {
  detail: string
  field?: string
  /** Each cause and how often it applies, where several are possible. */
  reasons?: readonly ProblemReason[]
  /** When a retry may succeed: the response's Retry-After. */
  retryAfterSeconds?: number
}

/** One of several causes of a problem: a stable code, and how many objects it concerns. */
export interface ProblemReason {
  code: string
  count: number
}

/** Thrown by any verb to end the request (and its transaction) with a problem. */
export class Problem extends Error {
  readonly problem: ProblemName
  readonly detail: string
  readonly field: string | undefined
  readonly reasons: readonly ProblemReason[] | undefined
  readonly retryAfterSeconds: number | undefined

  constructor(problem: ProblemName, { detail, field, reasons, retryAfterSeconds }: ProblemDetails) {
    super(`${problem}: ${detail}`)
    this.name = 'Problem'
    this.problem = problem
    this.detail = detail
    this.field = field
    this.reasons = reasons
    this.retryAfterSeconds = retryAfterSeconds
  }
}

/** Why something cannot be done now, as a verb's guard says it. What a thing `may` lists is what no guard refuses. */
export interface Refusal {
  problem: ProblemName
  detail: string
}

/** Throws the refusal of a guard as a Problem, if there is one. */
export function requireAllowed(refusal: Refusal | undefined): void {
  if (refusal) refuse(refusal)
}

/** Throws a refusal as a Problem. */
export function refuse({ problem, detail }: Refusal): never {
  throw new Problem(problem, { detail })
}

/** The uniform error for what does not exist and for what the caller may not see. */
export function notFound(what: string): Problem {
  return new Problem('resource/not-found', { detail: `There is no such ${what}, or it is not yours to see.` })
}

/** The error for a human who names no agent to act as. */
export function agentRequired(): Problem {
  return new Problem('auth/forbidden', {
    detail: 'Agents do this. As a human, name the agent of yours to act as in the header Market-Agent.',
    field: AGENT_HEADER,
  })
}

/** The error for an invalid token, whatever the cause. */
export function unauthenticated(): Problem {
  return new Problem('auth/unauthenticated', { detail: 'This token is unknown, expired or revoked.' })
}
