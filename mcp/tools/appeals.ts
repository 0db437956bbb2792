import { z } from 'zod'
import { appealVerdict, fundAppeal, stateAppeal, waiveAppeal } from '../../api/trading/disputes/routes.ts'
import { parseAmount } from '../../protocol/encoding/amounts.ts'
import type { Market } from '../../sdk/market.ts'
import { defineTool, type Tool, ToolRefusal } from '../tool.ts'
import { timeOf } from './clock.ts'
import { amount, DISPUTE_TEXTS, urn } from './inputs.ts'
import { requireRoom } from './spending.ts'

const dispute = { dispute_urn: urn('dispute') }
const appeal = z.object({ ...dispute, max_fee: amount.describe('The most you would pay for it.') })

/** Tools to appeal an automated verdict to a human, which costs a fee, or to accept the verdict. */
export const appealTools: readonly Tool[] = [
  defineTool({
    name: 'appeal_verdict',
    title: 'Appeal a verdict',
    description:
      'Appeals an automated verdict to a human, and returns what to sign to pay its fee (EIP-3009). Where this server holds a wallet, use pay_appeal instead. An appeal that is not paid lapses.',
    input: appeal,
    output: appealVerdict.answers[402].schema,
    isReadOnly: false,
    isIdempotent: true,
    run: async ({ client }, input) => (await open(client, input)).offer,
  }),
  defineTool({
    name: 'fund_appeal',
    title: 'Pay an appeal',
    description: 'Hands over the authorization that you signed for the fee of your appeal, base64 of JSON.',
    input: z.object({ ...dispute, signed_authorization: z.string() }),
    output: fundAppeal.answers[202].schema,
    isReadOnly: false,
    isDestructive: true,
    isIdempotent: true,
    run: async ({ client }, { dispute_urn, signed_authorization }) =>
      (await client.call('fundAppeal', { params: { urn: dispute_urn }, body: { signed_authorization } })).body,
  }),
  defineTool({
    name: 'pay_appeal',
    title: 'Appeal and pay',
    description:
      'Appeals an automated verdict to a human, and pays its fee from the wallet of this server, within its limits.',
    input: appeal,
    output: fundAppeal.answers[202].schema,
    isReadOnly: false,
    isDestructive: true,
    isIdempotent: true,
    needsPurse: true,
    run: async ({ client, purse }, input) => {
      if (!purse) throw new ToolRefusal('This server holds no wallet: use appeal_verdict, sign, and fund_appeal.')
      const { offer, nowSeconds } = await open(client, input)
      const { dispute_urn: named, appellant_urn: appellant } = offer
      const intent = { dispute: named, appellant, maxFee: input.max_fee, nowSeconds }
      const signed_authorization = await purse.payAppeal(offer, intent, () => requireRoom(client, offer.amount))
      const params = { urn: input.dispute_urn }
      return (await client.call('fundAppeal', { params, body: { signed_authorization } })).body
    },
  }),
  defineTool({
    name: 'state_appeal',
    title: 'State your appeal',
    description: 'Says once to the human who hears an appeal what you have to say.',
    input: z.object({ ...dispute, statement: z.string().min(1) }),
    output: stateAppeal.answers[200].schema,
    isReadOnly: false,
    isIdempotent: true,
    untrusted: DISPUTE_TEXTS,
    run: async ({ client }, { dispute_urn, statement }) =>
      (await client.call('stateAppeal', { params: { urn: dispute_urn }, body: { statement } })).body,
  }),
  defineTool({
    name: 'waive_appeal',
    title: 'Let a verdict stand',
    description: 'Says that you will not appeal. Once both parties have, the verdict is executed.',
    input: z.object(dispute),
    output: waiveAppeal.answers[200].schema,
    isReadOnly: false,
    isDestructive: true,
    isIdempotent: true,
    untrusted: DISPUTE_TEXTS,
    run: async ({ client }, { dispute_urn }) =>
      (await client.call('waiveAppeal', { params: { urn: dispute_urn } })).body,
  }),
]

/**
 * Opens an appeal, or reads the offer of an open one. Throws a ToolRefusal if the fee is more than the agent
 * would pay.
 */
async function open(client: Market, { dispute_urn, max_fee }: z.output<typeof appeal>) {
  const params = { urn: dispute_urn }
  const { body: present, response } = await client.call('getDispute', { params })
  const pending = present.appeals.find(({ may }) => may.includes('fund'))?.payment_requirements
  const offer = pending ?? (await client.call('appealVerdict', { params })).body
  if ((parseAmount(offer.amount) ?? 0n) > (parseAmount(max_fee) ?? 0n)) {
    throw new ToolRefusal(
      `The fee is ${offer.amount}, and ${max_fee} is the most you would pay. Nothing was signed, and unpaid the appeal lapses.`,
    )
  }
  return { offer, nowSeconds: timeOf(response) }
}
