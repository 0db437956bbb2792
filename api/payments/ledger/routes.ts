import { z } from '@hono/zod-openapi'
import { defineRoute } from '../../platform/http/route/route.ts'
import {
  addressText,
  amountText,
  changeText,
  hashText,
  pageQuery,
  timestampSchema,
  timestampText,
  urnObject,
  urnText,
} from '../../platform/http/route/schemas.ts'
import { csvQuery } from './internal/csv.ts'

const owner = { scope: 'read', as: 'human' } as const

const asset = z.string().openapi({
  description: 'CAIP-2 chain, and the token.',
  example: 'eip155:8453/0x833589fcd6edb6e08f4c7c32d4f71b54bda02913',
})

const balances = z
  .object({
    owner_urn: urnObject('human'),
    asset,
    as_of: timestampText.openapi({ description: 'Everything that was booked before this instant is in it.' }),
    custody: z
      .object({
        payable: amountText.openapi({ description: 'What your agents earned and is not on its way.' }),
        in_transit: amountText.openapi({ description: 'Payouts and refunds on their way to you.' }),
        held: amountText.openapi({ description: 'What your agents paid for orders that are not decided.' }),
        kept_apart: amountText.openapi({ description: 'Refunds that could not be made: open them again.' }),
        total: amountText,
      })
      .openapi({ description: 'What the hot wallet keeps for you.' }),
    contract: z
      .object({
        held: amountText.openapi({ description: 'What your agents paid for orders that are not decided.' }),
        claimable: amountText.openapi({
          description:
            'What your wallets may withdraw from the contract: those that you bound, and those that paid for you.',
        }),
        wallets: z
          .array(z.object({ address: addressText, claimable: amountText }))
          .openapi({ description: 'The same by wallet: each withdraws by a transaction of its own.' }),
      })
      .openapi({ description: 'What the contract keeps for you, as the ledger has it of its events.' }),
  })
  .openapi('Balances')

export const readBalances = defineRoute({
  operationId: 'readBalances',
  method: 'get',
  path: '/v1/ledger/balances',
  summary: 'Read what is kept for you and your agents: now, or at any time in the past',
  access: owner,
  query: z.object({ at: timestampSchema.optional() }),
  answers: { 200: { description: 'The balances.', schema: balances } },
})

const period = {
  from: timestampSchema.optional().openapi({ description: 'Where the period begins; with the account by default.' }),
  to: timestampSchema.optional().openapi({ description: 'Where it ends, itself not in it; now by default.' }),
}

const line = z
  .object({
    at: timestampText,
    kind: z.string().openapi({ description: 'Which posting it is of: docs/ledger.md has them all.' }),
    amount: changeText,
    balance: changeText.openapi({ description: 'What the account has after it.' }),
    order_urn: urnObject('order').nullable(),
    order_title: z.string().nullable(),
    payout_urn: urnObject('payout').nullable(),
    tx_hash: hashText.nullable(),
  })
  .openapi('StatementLine')

const statement = z
  .object({
    owner_urn: urnObject('human'),
    asset,
    from: timestampText,
    to: timestampText,
    opening_balance: changeText,
    closing_balance: changeText.openapi({ description: 'The opening balance and the lines of all pages.' }),
    lines: z.array(line),
    next_cursor: z.string().nullable(),
  })
  .openapi('Statement')

export const readStatement = defineRoute({
  operationId: 'readStatement',
  method: 'get',
  path: '/v1/ledger/statement',
  summary: 'Read what your agents earned in custody and what was paid out of it, in a period, oldest first',
  access: owner,
  query: z.object({ ...period, ...pageQuery(1_000) }),
  answers: { 200: { description: 'A page of the statement.', schema: statement } },
})

export const downloadStatement = defineRoute({
  operationId: 'downloadStatement',
  method: 'get',
  path: '/v1/ledger/statement.csv',
  summary:
    'Download a whole statement as CSV (RFC 4180): a row for the opening balance, each line, and the closing one',
  access: owner,
  query: z.object({ ...period, ...csvQuery }),
  answers: {
    200: {
      description: 'The statement.',
      contentType: 'text/csv; charset=utf-8',
      headers: { 'Content-Disposition': 'A name for the file.' },
    },
  },
})

const payoutReceipt = z
  .object({
    payout_urn: urnObject('payout'),
    order_urn: urnObject('order').nullable(),
    agent_urn: urnObject('agent').nullable(),
    leg: z.enum(['payee', 'payer']),
    asset,
    amount: amountText,
    from: addressText.openapi({ description: 'The hot wallet.' }),
    to: addressText,
    nonce: hashText.openapi({ description: 'Of the authorization: follows from the deposit and the leg.' }),
    deposit: z
      .object({ from: addressText, nonce: hashText, amount: amountText, tx_hash: hashText })
      .openapi({ description: 'What it was paid out of.' }),
    tx_hash: hashText,
    block_number: z.int(),
    block_hash: hashText,
    log_index: z.int(),
    confirmed_at: timestampText,
    sale: z
      .object({ order_urn: urnText('order'), seller_urn: urnText('agent'), owner_urn: urnText('human') })
      .optional()
      .openapi({ description: "Of a seller's net: what the nonce of the deposit is the hash of." }),
    binding: z
      .object({ message: z.string(), signature: z.string() })
      .optional()
      .openapi({ description: "Of a seller's net: the EIP-4361 message by which the wallet was bound to the seller." }),
  })
  .openapi('PayoutReceipt')

export const listPayoutReceipts = defineRoute({
  operationId: 'listPayoutReceipts',
  method: 'get',
  path: '/v1/ledger/payout-receipts',
  summary: 'List what was paid out of custody to you, with where the chain shows it, newest first',
  access: { scope: 'read', as: 'any' },
  query: z.object(pageQuery()),
  answers: {
    200: {
      description: 'A page of receipts.',
      schema: z.object({ receipts: z.array(payoutReceipt), next_cursor: z.string().nullable() }),
    },
  },
})

/** The balances in wire form. */
export type BalancesBody = z.input<typeof balances>
/** A page of a statement in wire form. */
export type StatementBody = z.input<typeof statement>
/** A payout's receipt in wire form. */
export type PayoutReceiptBody = z.input<typeof payoutReceipt>
