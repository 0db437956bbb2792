import { randomBytes } from 'node:crypto'
import { HTTPFacilitatorClient } from '@x402/core/http'
import type { PaymentPayload, PaymentRequirements, SettleResponse, VerifyResponse } from '@x402/core/types'
import type { Address } from 'viem'
import type { SignedAuthorization } from '../../../../protocol/payments/authorization.ts'
import type { TestChain } from '../../chain/node.ts'
import { type Acting, actHere, type Bench, untilLogged } from '../facilitator.ts'

/** A facilitator that acts in this process, its x402 interface open. */
export interface OpenDesk extends Acting {
  url: string
  secret: string
  /** The stock client of such interfaces. */
  client: HTTPFacilitatorClient
  /** Any request, with the secret unless another header is given. */
  fetch: (path: string, init?: RequestInit) => Promise<Response>
  verify: (signed: SignedAuthorization, changes?: Changes) => Promise<VerifyResponse>
  settle: (signed: SignedAuthorization, changes?: Changes) => Promise<SettleResponse>
  /** GET /payments/{from}/{nonce}. */
  status: (signed: Pick<SignedAuthorization, 'from' | 'nonce'>, query?: string) => Promise<PaymentStatus>
}

/** What is other than a stock client and server would have it. */
export interface Changes {
  requirements?: Record<string, unknown>
  accepted?: Record<string, unknown>
}

/** The answer of the status of a payment, as far as tests go on with it. */
export interface PaymentStatus {
  state: string
  on_file: boolean
  transaction: string | null
  valid_before: number | null
  evidence: Record<string, unknown> | null
  proof: { block_number: number; block_hash: string; block_timestamp: number; authorization_state: boolean } | null
}

/** Has a facilitator act, with its interface on a free port. */
export async function openDesk(bench: Bench, overrides: Record<string, string> = {}): Promise<OpenDesk> {
  const secret = randomBytes(32).toString('base64url')
  const acting = await actHere(bench, {
    X402_PORT: '0',
    X402_SECRET: secret,
    X402_SETTLE_WAIT_MS: '10000',
    ...overrides,
  })
  await untilLogged(acting.output, 'x402 interface listens')
  const port = Number(/"port":(\d+)/.exec(acting.output())?.[1])
  const url = `http://127.0.0.1:${port}`
  const headers = { authorization: `Bearer ${secret}` }
  const client = new HTTPFacilitatorClient({
    url,
    createAuthHeaders: async () => ({ verify: headers, settle: headers, supported: headers }),
  })
  const ask = (path: string, init: RequestInit = {}) => fetch(`${url}${path}`, { headers, ...init })
  const present = (signed: SignedAuthorization, changes: Changes = {}) => presentation(bench.chain, signed, changes)
  return {
    ...acting,
    url,
    secret,
    client,
    fetch: ask,
    verify: (signed, changes) => client.verify(...present(signed, changes)),
    settle: (signed, changes) => client.settle(...present(signed, changes)),
    status: async ({ from, nonce }, query = '') => {
      const response = await ask(`/payments/${from}/${nonce}${query}`)
      return (await response.json()) as PaymentStatus
    },
  }
}

/** A signed payment as stock clients and servers present it: what was paid, and what was asked for. */
export function presentation(
  chain: TestChain,
  signed: SignedAuthorization,
  changes: Changes = {},
): [PaymentPayload, PaymentRequirements] {
  const { signature, ...members } = signed
  const requirements = requirementsFor(chain, signed.to, signed.value)
  const authorization = {
    ...members,
    value: members.value.toString(),
    validAfter: members.validAfter.toString(),
    validBefore: members.validBefore.toString(),
  }
  const accepted = { ...requirements, ...changes.accepted }
  return [
    { x402Version: 2, accepted, payload: { authorization, signature } },
    { ...requirements, ...changes.requirements },
  ]
}

function requirementsFor(chain: TestChain, payTo: Address, amountMicros: bigint): PaymentRequirements {
  return {
    scheme: 'exact',
    network: `eip155:${chain.chainId}`,
    asset: chain.token,
    amount: amountMicros.toString(),
    payTo,
    maxTimeoutSeconds: 600,
    extra: { ...chain.tokenNames },
  }
}
