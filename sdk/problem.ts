import type { ProblemType } from './generated/operations.ts'

/** One of several causes of a problem: a stable code, and the number of things it concerns. */
export interface ProblemReason {
  code: string
  count: number
}

/** One wrong member of a request's body: its JSON Pointer (RFC 6901), and what is wrong with it. */
export interface ProblemError {
  pointer: string
  detail: string
}

/** The members of a problem response. An answer may have only some. */
export interface ProblemMembers {
  type?: string
  title?: string
  detail?: string
  field?: string
  instance?: string
  code?: string
  reasons?: readonly ProblemReason[]
  errors?: readonly ProblemError[]
  payout_from?: string
}

/** A problem response of the service (RFC 9457). Branch on `type`; `field` names the refused input. */
export class ApiProblem extends Error {
  readonly status: number
  readonly type: string
  /** The same for all problems of a type. For people; may change. */
  readonly title: string | undefined
  /** For people; may change. */
  readonly detail: string | undefined
  readonly field: string | undefined
  /** `market:request:<id>`: name it when you ask the operator. */
  readonly instance: string | undefined
  /** Only for calls about orgs: the last part of the type, with underscores. */
  readonly code: string | undefined
  /** Every cause, if there may be several; otherwise empty. */
  readonly reasons: readonly ProblemReason[]
  /** Every wrong member, if there may be several; otherwise empty. */
  readonly errors: readonly ProblemError[]
  /**
   * For `orders/seller-wallet-required`: when the seller's payout wallet takes effect, if the seller has
   * chosen one.
   */
  readonly payoutFrom: string | undefined
  /** The seconds until the same call may succeed, if a 429 or a 503 says so. */
  readonly retryAfterSeconds: number | undefined

  constructor(status: number, problem: ProblemMembers, retryAfterSeconds?: number) {
    super(`${status} ${problem.type ?? 'unknown'}: ${problem.detail ?? 'no detail'}`)
    this.name = 'ApiProblem'
    this.status = status
    this.type = problem.type ?? 'about:blank'
    this.title = problem.title
    this.detail = problem.detail
    this.field = problem.field
    this.instance = problem.instance
    this.code = problem.code
    this.reasons = problem.reasons ?? []
    this.errors = problem.errors ?? []
    this.payoutFrom = problem.payout_from
    this.retryAfterSeconds = retryAfterSeconds
  }
}

/** True for a problem of one of these types; without types, for any problem. */
export function isProblem(error: unknown, ...types: ProblemType[]): error is ApiProblem {
  return error instanceof ApiProblem && (types.length === 0 || (types as string[]).includes(error.type))
}
