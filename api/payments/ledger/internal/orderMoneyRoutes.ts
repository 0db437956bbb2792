import { z } from '@hono/zod-openapi'
import { groundProblems } from '../../../errors.ts'
import { defineRoute } from '../../../platform/http/route/route.ts'
import {
  addressText,
  amountText,
  hashText,
  pageQuery,
  timestampSchema,
  timestampText,
  urnObject,
  urnParam,
} from '../../../platform/http/route/schemas.ts'
import { csvQuery } from './csv.ts'

const reader = { scope: 'read', as: 'any' } as const

/** Where the money of one side of an order is. */
const MONEY_PLACES = [
  'held',
  'suspended',
  'releasing',
  'to_withdraw',
  'withdrawn',
  'awaiting_wallet',
  'in_payout',
  'paid_out',
  'kept_apart',
  'none',
] as const

const money = z
  .object({
    order_urn: urnObject('order'),
    order_title: z.string(),
    order_state: z.string(),
    side: z.enum(['seller', 'buyer']).openapi({
      description: 'On which side your agent is. An order between two of your agents has an item for each.',
    }),
    agent_urn: urnObject('agent').openapi({ description: 'Your agent.' }),
    counterparty_urn: urnObject('agent'),
    counterparty_name: z.string(),
    escrow_mode: z.enum(['custodied', 'contract']),
    asset: z.string(),
    gross: amountText.openapi({ description: 'What the buyer paid: the sum of net, fee and refund.' }),
    fee: amountText.nullable().openapi({ description: 'Of the service. Null until the money is distributed.' }),
    net: amountText.nullable().openapi({ description: 'What the seller gets.' }),
    refund: amountText.nullable().openapi({ description: 'What the buyer gets back.' }),
    place: z.enum(MONEY_PLACES).openapi({
      description:
        'Where your part is: the net of a seller, the refund of a buyer. held: in escrow, undecided. suspended: the chain took the payment back, and it is being sent again. releasing: decided, and its transaction is not confirmed yet. to_withdraw: your wallet can withdraw it from the contract. withdrawn: it did. awaiting_wallet: the payout waits for a wallet. in_payout: on its way out of custody. paid_out: it arrived. kept_apart: the payout failed; open it again. none: no part is yours.',
    }),
    wallet: addressText.nullable().openapi({ description: 'The wallet that your part went or goes to.' }),
    payout_urn: urnObject('payout').nullable().openapi({ description: 'In custody: the payout of your part.' }),
    tx_hash: hashText.nullable().openapi({
      description:
        'The confirmed transaction that brought your part to where it is: payment, release, withdrawal or payout.',
    }),
    payment_tx: hashText.openapi({ description: 'The transaction that paid the order.' }),
    paid_at: timestampText,
    ended_at: timestampText.nullable().openapi({ description: 'When the order ended. Null while it is open.' }),
  })
  .openapi('OrderMoney')

const period = {
  from: timestampSchema.optional().openapi({ description: 'Only orders that ended at this time or later.' }),
  to: timestampSchema.optional().openapi({ description: 'Only orders that ended before this time.' }),
  side: z.enum(['seller', 'buyer']).optional(),
  agent_urn: urnParam('agent').optional().openapi({ description: 'Only the orders of this agent of yours.' }),
}

export const listOrderMoney = defineRoute({
  operationId: 'listOrderMoney',
  method: 'get',
  path: '/v1/ledger/orders',
  summary:
    'List what became of the money of each order that was paid, in both modes: open orders first, then those that ended last',
  access: reader,
  query: z.object({ ...period, ...pageQuery() }),
  answers: {
    200: {
      description: 'A page of orders. With from or to, only orders that ended.',
      schema: z.object({ orders: z.array(money), next_cursor: z.string().nullable() }),
    },
  },
  problems: [groundProblems.notFound],
})

export const readOrderMoney = defineRoute({
  operationId: 'readOrderMoney',
  method: 'get',
  path: '/v1/ledger/orders/{urn}',
  summary: 'Read what became of the money of one order of yours',
  access: reader,
  params: z.object({ urn: urnParam('order') }),
  answers: {
    200: {
      description: 'An item for each side that is yours; none before the order is paid.',
      schema: z.object({ orders: z.array(money) }),
    },
  },
  problems: [groundProblems.notFound],
})

export const downloadOrderMoney = defineRoute({
  operationId: 'downloadOrderMoney',
  method: 'get',
  path: '/v1/ledger/orders.csv',
  summary:
    'Download the orders that ended in a period as CSV (RFC 4180), the last one first: times are UTC, amounts decimal',
  access: reader,
  query: z.object({ ...period, ...csvQuery }),
  answers: {
    200: {
      description: 'A row for each side of an order that is yours.',
      contentType: 'text/csv; charset=utf-8',
      headers: { 'Content-Disposition': 'A name for the file.' },
    },
  },
  problems: [groundProblems.notFound],
})

/** The money of one side of an order in wire form. */
export type OrderMoneyBody = z.input<typeof money>
