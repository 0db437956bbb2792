import { type Context, Hono, type MiddlewareHandler } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import { getAddress, type Hex, isAddress } from 'viem'
import { inSpan, inTrace } from '../../../protocol/telemetry/trace.ts'
import { summary } from '../../context/summary.ts'
import { requireBearer } from './bearer.ts'
import type { X402Context } from './context.ts'
import { networkName, SCHEME } from './offer.ts'
import { problem } from './problem.ts'
import { type Fault, fault } from './reasons.ts'
import { isFault, readPresented } from './request.ts'
import { failure, settle } from './settle.ts'
import { paymentStatus } from './status.ts'
import { invalid, verify } from './verify.ts'

const MAX_BODY_BYTES = 65_536
const MAX_AT_ONCE = 64
const UINT256 = /^(0|[1-9][0-9]{0,77})$/

/** The dependencies of the interface besides the context. */
export interface AppOptions {
  secret: string
  /** How long a settle call waits for its payment to be final. */
  settleWaitMs: number
}

/** The x402 facilitator interface, and the status of payments: everything behind one bearer secret. */
export function createX402App(x402: X402Context, { secret, settleWaitMs }: AppOptions): Hono {
  const app = new Hono()
  app.use((context, next) =>
    inTrace(context.req.header('traceparent'), () => inSpan(`x402 ${context.req.method}`, { kind: 'server' }, next)),
  )
  app.use(requireBearer(secret), limitAtOnce(), bodyLimit({ maxSize: MAX_BODY_BYTES, onError: tooLarge }))
  app.get('/supported', (context) => context.json(supported(x402)))
  app.post('/verify', async (context) => {
    const presented = readPresented(await readJson(context))
    return isFault(presented) ? context.json(invalid(presented), 400) : context.json(await verify(x402, presented))
  })
  app.post('/settle', async (context) => {
    const presented = readPresented(await readJson(context))
    if (isFault(presented)) return context.json(failure(x402, presented), 400)
    return context.json(await settle(x402, presented, settleWaitMs))
  })
  app.get('/payments/:from/:nonce', async (context) => {
    const question = readQuestion(context)
    return isFault(question)
      ? problem('request/invalid', question.message)
      : context.json(await paymentStatus(x402, question))
  })
  app.notFound(() =>
    problem('request/not-found', 'There are /verify, /settle, /supported and /payments/{from}/{nonce}.'),
  )
  app.onError((error) => {
    x402.log.warn({ error: summary(error) }, 'x402: a request was not answered')
    return problem('service/unavailable', 'The node or the database does not answer. Nothing is known: ask again.')
  })
  return app
}

/** Returns what we settle (x402 v2), and which addresses pay the gas. */
function supported(context: X402Context) {
  return {
    kinds: [{ x402Version: 2, scheme: SCHEME, network: networkName(context) }],
    extensions: [],
    signers: { 'eip155:*': context.submitters },
  }
}

/** A body that is not JSON is read as undefined, which is not a payment. */
async function readJson(context: Context): Promise<unknown> {
  try {
    return JSON.parse(await context.req.text())
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}

function readQuestion(context: Context) {
  const { from = '', nonce = '' } = context.req.param()
  const end = context.req.query('valid_before')
  if (!isAddress(from)) return unanswerable('from must be an address: 0x and 40 hex digits, its checksum right.')
  if (!/^0x[0-9a-fA-F]{64}$/.test(nonce)) return unanswerable('nonce must be 0x and 64 hex digits.')
  if (end !== undefined && !UINT256.test(end)) return unanswerable('valid_before must be unix seconds.')
  const validBefore = end === undefined ? undefined : BigInt(end)
  return { from: getAddress(from), nonce: nonce.toLowerCase() as Hex, validBefore }
}

function unanswerable(message: string): Fault {
  return fault('invalid_payload', message)
}

function tooLarge(): Response {
  return problem('request/too-large', `A body may have ${MAX_BODY_BYTES} bytes.`)
}

/** The pipeline needs the database session: requests must not starve it. */
function limitAtOnce(): MiddlewareHandler {
  let count = 0
  return async (_context, next) => {
    if (count >= MAX_AT_ONCE) return problem('service/unavailable', 'Too many requests at once: try again.')
    count += 1
    try {
      await next()
    } finally {
      count -= 1
    }
    return undefined
  }
}
