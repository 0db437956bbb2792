import { CURRENT_VERSION } from '../../route/versions.ts'

/** The headers that every response has, as OpenAPI describes them. */
export const ANSWER_HEADERS = {
  'RateLimit-Limit': integer('How many requests the current window has room for (spec 8).'),
  'RateLimit-Remaining': integer('How many of them are left.'),
  'RateLimit-Reset': integer('Seconds until the window ends.'),
  'RateLimit-Policy': text('The same in the form of draft-ietf-httpapi-ratelimit-headers-11.', '"reads";q=3000;w=60'),
  RateLimit: text('The same in the form of draft-ietf-httpapi-ratelimit-headers-11.', '"reads";r=2999;t=60'),
  'X-Request-Id': text('The id of the request in our log.', '01890000-0000-7000-8000-000000000000'),
  'Market-Version': sometimes('The version it is in; not where the request named none that there is.', CURRENT_VERSION),
  Sunset: sometimes('In an older version: until when it is supported (RFC 8594).', 'Tue, 01 Jun 2027 00:00:00 GMT'),
  Deprecation: sometimes('In an older version: since when there is a later one (RFC 9745).', '@1778976000'),
} as const

/** The header of a response that repeats an earlier one to the same call with the same Idempotency-Key. */
export const REPLAYED = sometimes(
  '`true`, where this is the answer that an earlier call with this key was given.',
  'true',
)

/** The header of a 401 (RFC 6750, 3). */
export const AUTHENTICATE = text('How to authenticate.', 'Bearer realm="market"')

/** The header of a 415 for a body in an encoding that is not taken (RFC 9110, 12.5.3). */
export const ACCEPT_ENCODING = sometimes(
  'Where the encoding of the body is refused: the encodings that are taken.',
  'gzip',
)

/** The header of a response that states when to retry. */
export const RETRY_AFTER = integer('Seconds after which it may be worth trying again.')

/** The header of a problem that links to the page about it. */
export const PROBLEM_LINK = text(
  'Where the page about this problem is (RFC 8288).',
  '</problems/auth/forbidden>; rel="help"',
)

function integer(description: string) {
  return { description, required: true, schema: { type: 'integer', minimum: 0 } } as const
}

function sometimes(description: string, example: string) {
  return { description, required: false, schema: { type: 'string', example } } as const
}

function text(description: string, example: string) {
  return { description, required: true, schema: { type: 'string', example } } as const
}
