import type { ProblemName } from './problems.ts'

/** The header in which a human names the agent it acts as. */
export const AGENT_HEADER = 'Market-Agent'

/**
 * Types of problems (RFC 9457), by name, with status and title. `api/problems.ts` lists the problems of every
 * folder.
 */
export type ProblemTypes = Readonly<Record<string, { status: number; title: string }>>

/** The details of a problem: what was wrong and what to do, and the field if the input was invalid. */
export interface ProblemDetails {
  detail: string
  field?: string
  /** Each cause and how often it applies, where several are possible. */
  reasons?: readonly ProblemReason[]
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

/** Thrown by any verb to end the request (and its transaction) with a problem. */
export class Problem extends Error {
  readonly problem: ProblemName
  readonly detail: string
  readonly field: string | undefined
  readonly reasons: readonly ProblemReason[] | undefined
  readonly retryAfterSeconds: number | undefined
  readonly payoutFrom: Date | undefined
  readonly orderId: string | undefined

  constructor(
    problem: ProblemName,
    { detail, field, reasons, retryAfterSeconds, payoutFrom, orderId }: ProblemDetails,
  ) {
    super(`${problem}: ${detail}`)
    this.name = 'Problem'
    this.problem = problem
    this.detail = detail
    this.field = field
    this.reasons = reasons
    this.retryAfterSeconds = retryAfterSeconds
    this.payoutFrom = payoutFrom
    this.orderId = orderId
  }
}

/**
 * The reason a verb's guard gives for refusing an action now. `may` lists the actions that no guard refuses.
 */
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

/** The same error for an object that does not exist and for one that the caller may not see. */
export function notFound(what: string): Problem {
  return new Problem('resource/not-found', { detail: `There is no such ${what}, or it is not yours to see.` })
}

/** The error for a human who names no agent to act as. */
export function agentRequired(): Problem {
  return new Problem('auth/forbidden', {
    detail: 'Only an agent can do this. As a human, name one of your agents in the header Market-Agent.',
    field: AGENT_HEADER,
  })
}

/** The error for an invalid token, whatever the cause. */
export function unauthenticated(): Problem {
  return new Problem('auth/unauthenticated', { detail: 'This token is unknown, expired or revoked.' })
}
