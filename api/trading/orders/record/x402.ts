import { z } from 'zod'
import { parseUrn, urnString } from '../../../../protocol/encoding/urn.ts'
import type { SignedAuthorization, TokenDomain } from '../../../../protocol/payments/authorization.ts'
import type { ChainSettings, MarketRules, Settings } from '../../../context.ts'
import { Problem } from '../../../errors.ts'
import { authorizationMembers, decodeBase64Json, readMembers, signatureMember } from './authorization.ts'
import type { OrderRow } from './find.ts'
import { orderProblems } from './problems.ts'

/** Request header of a paid retry (x402 v2, HTTP transport). */
export const PAYMENT_SIGNATURE = 'PAYMENT-SIGNATURE'
/** Response header of an offer (x402 v2, HTTP transport). */
export const PAYMENT_REQUIRED = 'PAYMENT-REQUIRED'
/** Response header of a payment that was taken (x402 v2, HTTP transport). */
export const PAYMENT_RESPONSE = 'PAYMENT-RESPONSE'

// A stock client derives its times from its own clock, some time after the offer was made.
const CLIENT_DELAY_SECONDS = 300

/** A payment presented by an x402 client, and the order its offer was for. */
export interface X402Payment {
  orderId: string
  authorization: SignedAuthorization
}

/** Returns the CAIP-2 name of the chain, as in offers and requirements. */
export function networkName(chain: ChainSettings): string {
  return `eip155:${chain.chainId}`
}

/**
 * Returns whether a stock client may pay an order: only a custodied one up to a limit, because the client's
 * random nonce does not name the seller.
 */
export function isForStockClients(rules: MarketRules, order: Pick<OrderRow, 'escrow_mode' | 'price_micros'>): boolean {
  return order.escrow_mode === 'custodied' && order.price_micros <= rules.x402MaxAmountMicros
}

/**
 * Returns the PAYMENT-REQUIRED header of a custodied order: base64 of an x402 v2 offer. Stock `exact` clients
 * draw their own nonces, so contract mode, where the nonce is the terms hash, is never offered this way.
 */
export function paymentRequiredHeader(
  settings: Pick<Settings, 'baseUrl' | 'chain' | 'rules'>,
  order: OrderRow,
  domain: TokenDomain,
): string {
  const { chain, rules, baseUrl } = settings
  const delaySeconds = Math.min(CLIENT_DELAY_SECONDS, Math.floor(rules.paymentWindowSeconds / 2))
  const offer = {
    x402Version: 2,
    resource: { url: `${baseUrl}/v1/orders`, description: 'Payment of an order', mimeType: 'application/json' },
    accepts: [
      {
        scheme: 'exact',
        network: networkName(chain),
        asset: chain.token,
        amount: order.price_micros.toString(),
        payTo: chain.hotWallet,
        maxTimeoutSeconds: rules.paymentWindowSeconds - delaySeconds,
        extra: {
          name: domain.name,
          version: domain.version,
          assetTransferMethod: 'eip3009',
          orderUrn: urnString('order', order.id),
          escrowMode: order.escrow_mode,
        },
      },
    ],
  }
  return Buffer.from(JSON.stringify(offer)).toString('base64')
}

/**
 * Returns the PAYMENT-RESPONSE header of a payment that was taken: base64 of an x402 v2 SettlementResponse.
 * It names no transaction, because the payment is submitted after the answer; the order says when it is
 * settled.
 */
export function paymentResponseHeader(chain: ChainSettings, payer: string): string {
  const response = { success: true, transaction: '', network: networkName(chain), payer }
  return Buffer.from(JSON.stringify(response)).toString('base64')
}

/**
 * Reads a PAYMENT-SIGNATURE header. Throws authorization/malformed, or authorization/mismatch for another
 * network or token.
 */
export function decodePaymentSignature(settings: Pick<Settings, 'chain'>, header: string): X402Payment {
  const { accepted, payload } = readMembers(payment, decodeBase64Json(header, PAYMENT_SIGNATURE), PAYMENT_SIGNATURE)
  const offered = { network: networkName(settings.chain), asset: settings.chain.token.toLowerCase() }
  for (const [member, expected] of Object.entries(offered)) {
    const given = accepted[member as keyof typeof offered].toLowerCase()
    if (given !== expected) {
      throw new Problem(orderProblems.authorizationMismatch, {
        detail: `This service is paid in ${expected}, not in ${given}.`,
        field: `${PAYMENT_SIGNATURE}.accepted.${member}`,
      })
    }
  }
  return {
    orderId: accepted.extra.orderUrn,
    authorization: { ...payload.authorization, signature: payload.signature },
  }
}

// Unknown members are allowed where the protocol can be extended: clients echo the whole offer and their own
// extensions.
const payment = z.looseObject({
  x402Version: z.literal(2),
  accepted: z.looseObject({
    scheme: z.literal('exact'),
    network: z.string(),
    asset: z.string(),
    extra: z.looseObject({
      orderUrn: z.string().transform((text, context) => {
        const id = parseUrn('order', text)
        if (id === undefined) context.addIssue({ code: 'custom', message: 'must be the orderUrn of the offer' })
        return id ?? z.NEVER
      }),
    }),
  }),
  payload: z.looseObject({ authorization: z.strictObject(authorizationMembers), signature: signatureMember }),
})
