import { sql } from 'kysely'
import type { ProblemTypes } from '../../../errors.ts'
import type { PersonalData } from '../../db/personalDataRule.ts'

const MINUTE = 60
const DAY = 86_400

export const answerPersonalData: PersonalData = {
  tables: {
    'market.idempotent_answers': {
      deleted: {
        rows: (person) => sql`scope = ${person.id} or scope in (select id::text from ${person.agents} as agent (id))`,
        columns: ['key', 'fingerprint', 'headers', 'body'],
      },
      plain: ['scope', 'operation', 'token_id', 'status', 'is_sealed', 'created_at'],
    },
  },
}

export const httpProblems = {
  'request/malformed': { status: 400, title: 'The request is malformed' },
  'request/invalid': { status: 400, title: 'A value in the request is invalid' },
  'request/headers-too-large': { status: 431, title: 'The request headers are too large' },
  'request/expectation-failed': { status: 417, title: 'The server does not support what the request expects' },
  'request/transfer-coding-unknown': { status: 501, title: 'The body uses an unknown transfer coding' },
  'request/timeout': { status: 408, title: 'The request took too long to arrive' },
  'request/too-large': { status: 413, title: 'The request body is too large' },
  'request/unsupported-media-type': { status: 415, title: 'The request body must be JSON' },
  'request/not-acceptable': { status: 406, title: 'The answer is JSON, which the request does not accept' },
  'request/range-not-satisfiable': { status: 416, title: 'The file does not have these bytes' },
  'request/upgrade-required': { status: 426, title: 'This path requires WebSocket' },
  'request/method-not-allowed': { status: 405, title: 'This path does not accept this method' },
  'request/rate-limited': { status: 429, title: 'Too many requests' },
  'request/not-found': { status: 404, title: 'This path does not exist' },
  'version/required': { status: 400, title: 'A write needs a Market-Version header' },
  'version/unknown': { status: 400, title: 'This Market-Version does not exist' },
  'version/route-unavailable': { status: 404, title: 'This call does not exist in this Market-Version' },
  'idempotency/key-reused': { status: 409, title: 'This idempotency key was used for another request' },
  'idempotency/in-flight': { status: 409, title: 'A call with this idempotency key is in progress' },
  'idempotency/other-token': { status: 409, title: 'The answer to this idempotency key belongs to another token' },
  'resource/not-found': { status: 404, title: 'The resource does not exist' },
  'service/unavailable': { status: 503, title: 'The service cannot answer right now' },
  'service/fault': { status: 500, title: 'The service failed' },
} as const satisfies ProblemTypes

export const httpRules = {
  /** How long a write can be repeated with its Idempotency-Key. */
  idempotencySeconds: DAY,
  /**
   * The length of a rate-limit window, and how many requests it allows: per account, and per address without
   * a token.
   */
  rateWindowSeconds: MINUTE,
  maxReads: 3_000,
  maxWrites: 600,
  maxAnonymous: 1_200,
}
