import type { ProblemTypes } from '../../../errors.ts'

export const httpProblems = {
  malformed: { name: 'request/malformed', status: 400, title: 'The request is malformed' },
  invalid: { name: 'request/invalid', status: 400, title: 'A value in the request is invalid' },
  headersTooLarge: { name: 'request/headers-too-large', status: 431, title: 'The request headers are too large' },
  expectationFailed: {
    name: 'request/expectation-failed',
    status: 417,
    title: 'The server does not support what the request expects',
  },
  transferCodingUnknown: {
    name: 'request/transfer-coding-unknown',
    status: 501,
    title: 'The body uses an unknown transfer coding',
  },
  timeout: { name: 'request/timeout', status: 408, title: 'The request took too long to arrive' },
  tooLarge: { name: 'request/too-large', status: 413, title: 'The request body is too large' },
  unsupportedMediaType: { name: 'request/unsupported-media-type', status: 415, title: 'The request body must be JSON' },
  notAcceptable: {
    name: 'request/not-acceptable',
    status: 406,
    title: 'The answer is JSON, which the request does not accept',
  },
  rangeNotSatisfiable: {
    name: 'request/range-not-satisfiable',
    status: 416,
    title: 'The file does not have these bytes',
  },
  upgradeRequired: { name: 'request/upgrade-required', status: 426, title: 'This path requires WebSocket' },
  methodNotAllowed: { name: 'request/method-not-allowed', status: 405, title: 'This path does not accept this method' },
  rateLimited: { name: 'request/rate-limited', status: 429, title: 'Too many requests' },
  notFound: { name: 'request/not-found', status: 404, title: 'This path does not exist' },
  required: { name: 'version/required', status: 400, title: 'A write needs a Market-Version header' },
  unknown: { name: 'version/unknown', status: 400, title: 'This Market-Version does not exist' },
  routeUnavailable: {
    name: 'version/route-unavailable',
    status: 404,
    title: 'This call does not exist in this Market-Version',
  },
  keyReused: {
    name: 'idempotency/key-reused',
    status: 409,
    title: 'This idempotency key was used for another request',
  },
  inFlight: { name: 'idempotency/in-flight', status: 409, title: 'A call with this idempotency key is in progress' },
  otherToken: {
    name: 'idempotency/other-token',
    status: 409,
    title: 'The answer to this idempotency key belongs to another token',
  },
  unavailable: { name: 'service/unavailable', status: 503, title: 'The service cannot answer right now' },
  fault: { name: 'service/fault', status: 500, title: 'The service failed' },
  notReady: { name: 'service/not-ready', status: 503, title: 'The service is not ready' },
} as const satisfies ProblemTypes
