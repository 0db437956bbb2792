import { expect } from 'chai'
import type { Reply } from '../api.ts'
import type { Operation } from './document.ts'

const CURRENT = '2026-05-17'
const ALWAYS = ['cache-control', 'vary', 'x-content-type-options']

/** Whether an operation did what it was asked to. */
export function isTaken({ status }: Pick<Reply, 'status'>): boolean {
  return status < 400 || status === 402
}

/** Asserts that an answer is one the contract declares for its operation: status, media type, shape and headers. */
export function expectDeclared(
  operation: Operation,
  { status, headers, body }: Reply,
  { version, told }: { version: string | undefined; told: string },
): void {
  expect(status, told).to.be.below(500)
  const answer = operation.answers.get(status)
  if (!answer) throw new Error(`a status that is not declared: ${told}`)
  const type = headers.get('content-type')
  const schema = type === null ? undefined : answer.media.get(type)
  if (answer.media.size > 0 && !schema) throw new Error(`a media type that is not declared, ${type}: ${told}`)
  expect(schema?.safeParse(body).error?.issues ?? [], told).to.deep.equal([])
  expect(answer.headers, told).to.include.members(['RateLimit', 'RateLimit-Policy', 'RateLimit-Limit', 'X-Request-Id'])
  for (const name of [...answer.headers, ...ALWAYS]) expect(headers.has(name), `${name}: ${told}`).to.equal(true)
  // What is no version, or none at all, cannot be answered in it.
  if (status !== 400) expect(headers.get('market-version'), told).to.equal(version ?? CURRENT)
}
