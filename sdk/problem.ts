import type { ProblemType } from './operations.ts'

/** A problem response of the service (RFC 9457). Branch on `type`; `field` names the refused input. */
export class ApiProblem extends Error {
  readonly status: number
  readonly type: string
  /** For people; may change. */
  readonly detail: string | undefined
  readonly field: string | undefined
  readonly instance: string | undefined

  constructor(status: number, problem: { type?: string; detail?: string; field?: string; instance?: string }) {
    super(`${status} ${problem.type ?? 'unknown'}: ${problem.detail ?? 'no detail'}`)
    this.name = 'ApiProblem'
    this.status = status
    this.type = problem.type ?? 'about:blank'
    this.detail = problem.detail
    this.field = problem.field
    this.instance = problem.instance
  }
}

/** True for a problem of one of these types. */
export function isProblem(error: unknown, ...types: ProblemType[]): error is ApiProblem {
  return error instanceof ApiProblem && (types as string[]).includes(error.type)
}
