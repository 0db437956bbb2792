import { z } from '@hono/zod-openapi'
import { defineRoute } from '../../platform/http/route/route.ts'
import { addressText, amountText, timestampText } from '../../platform/http/route/schemas.ts'

const reserve = z
  .object({
    hot_wallet: addressText,
    floor: amountText.openapi({ description: 'Below it an alarm is raised.' }),
    cold_wallet: addressText.nullable(),
    ceiling: amountText.nullable().openapi({ description: 'What is held beyond it goes to the cold wallet.' }),
    cold_balance: amountText.openapi({ description: 'What the cold wallet was sent and has not given back.' }),
    observed: z
      .object({
        balance: amountText,
        due: amountText.openapi({ description: 'What is to be paid out of it, as far as it is decided.' }),
        below_floor_since: timestampText.nullable(),
        block_number: z.int(),
        at: timestampText,
      })
      .nullable()
      .openapi({ description: 'The wallet as it was last seen, at confirmed depth. Null before the first look.' }),
  })
  .openapi('HotWallet')

export const readHotWallet = defineRoute({
  operationId: 'readHotWallet',
  method: 'get',
  path: '/v1/ledger/hot-wallet',
  summary: 'Read what the hot wallet holds, what is to be paid out of it, and where it is to stay between',
  access: { scope: 'read', as: 'any' },
  answers: { 200: { description: 'The wallet.', schema: reserve } },
})

/** The hot wallet in wire form. */
export type HotWalletBody = z.input<typeof reserve>
