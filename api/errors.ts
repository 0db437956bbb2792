/** The header in which a human names the agent it acts as. */
export const AGENT_HEADER = 'Market-Agent'

/** A type of problem (RFC 9457), which the folder that it belongs to declares in its `problems.ts`. */
export interface ProblemType {
  readonly name: string
  readonly status: number
  readonly title: string
}

/** The types of problems of a folder. */
export type ProblemTypes = Readonly<Record<string, ProblemType>>

/** Returns types of problems in the order of their names. */
export function byName(problems: readonly ProblemType[]): ProblemType[] {
  return problems.toSorted((one, other) => (one.name < other.name ? -1 : 1))
}

/** What any operation may answer about its caller, and about what the caller may see. */
export const groundProblems = {
  unauthenticated: { name: 'auth/unauthenticated', status: 401, title: 'A valid bearer token is required' },
  scopeInsufficient: { name: 'auth/scope-insufficient', status: 403, title: 'The token lacks a scope' },
  forbidden: { name: 'auth/forbidden', status: 403, title: 'This account may not do this' },
  originRefused: { name: 'auth/origin-refused', status: 403, title: 'The request comes from another site' },
  reAuthRequired: { name: 're_auth_required', status: 403, title: 'A fresh passkey assertion is required' },
  deactivated: { name: 'agents/deactivated', status: 409, title: 'The agent has been deactivated' },
  notFound: { name: 'resource/not-found', status: 404, title: 'The resource does not exist' },
} as const satisfies ProblemTypes

/** The details of a problem: what was wrong and what to do, and the field if the input was invalid. */
export interface ProblemDetails {
  detail: string
  field?: string
  /** Each cause and how often it applies, where several are possible. */
  reasons?: readonly ProblemReason[]
  /** Each wrong member of the body, by its JSON Pointer, where there may be several. */
  errors?: readonly ProblemError[]
  /** When a retry may succeed: the response's Retry-After. */
  retryAfterSeconds?: number
  /** When the seller's payout wallet takes effect. */
  payoutFrom?: Date | undefined
  /** The id of the order that was paid already. */
  orderId?: string | undefined
}

/** One of several causes of a problem: a stable code, and how many objects it concerns. */
export interface ProblemReason {
  code: string
  count: number
}

/** One wrong member of a request's body: its JSON Pointer (RFC 6901), and what is wrong with it. */
export interface ProblemError {
  pointer: string
  detail: string
}

/** Thrown by any verb to end the request (and its transaction) with a problem. */
export class Problem extends Error {
  readonly type: ProblemType
  /** The name of its type. */
  readonly problem: string
  readonly detail: string
  readonly field: string | undefined
  readonly reasons: readonly ProblemReason[] | undefined
  readonly errors: readonly ProblemError[] | undefined
  readonly retryAfterSeconds: number | undefined
  readonly payoutFrom: Date | undefined
  readonly orderId: string | undefined

  constructor(
    type: ProblemType,
    { detail, field, reasons, errors, retryAfterSeconds, payoutFrom, orderId }: ProblemDetails,
  ) {
    super(`${type.name}: ${detail}`)
    this.name = 'Problem'
    this.type = type
    this.problem = type.name
    this.detail = detail
    this.field = field
    this.reasons = reasons
    this.errors = errors
    this.retryAfterSeconds = retryAfterSeconds
    this.payoutFrom = payoutFrom
    this.orderId = orderId
  }
}

/**
 * The reason a verb's guard gives for refusing an action now. `may` lists the actions that no guard refuses.
 */
export interface Refusal {
  problem: ProblemType
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

/** The same error for an object that does not exist and for one that the caller may not see. */
export function notFound(what: string): Problem {
  return new Problem(groundProblems.notFound, { detail: `There is no such ${what}, or it is not yours to see.` })
}

/** The error for a human who names no agent to act as. */
export function agentRequired(): Problem {
  return new Problem(groundProblems.forbidden, {
    detail: 'Only an agent can do this. As a human, name one of your agents in the header Market-Agent.',
    field: AGENT_HEADER,
  })
}

/** The error for an invalid token, whatever the cause. */
export function unauthenticated(): Problem {
  return new Problem(groundProblems.unauthenticated, { detail: 'This token is unknown, expired or revoked.' })
}
