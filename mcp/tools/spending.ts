import { z } from 'zod'
import { formatAmount } from '../../protocol/amounts.ts'
import type { Purse } from '../purse.ts'
import { defineTool, type Tool } from '../tool.ts'

/** The tool for what may still be spent. */
export const spendingTools: readonly Tool[] = [
  defineTool({
    name: 'get_spending',
    title: 'Read what you may spend',
    description:
      'Reads the spend limit of your token, what it has committed today (UTC) and what is left; and those of the wallet that buy pays from, in any 24 hours.',
    input: z.object({}),
    isReadOnly: true,
    run: async ({ client, purse }) => ({
      ...(await client.call('getSpending', {})).body,
      ...(purse ? { wallet: ofWallet(purse) } : {}),
    }),
  }),
]

function ofWallet({ address, spending: { limits, leftMicros } }: Purse) {
  return {
    address,
    per_order: formatAmount(limits.perOrderMicros),
    per_24_hours: formatAmount(limits.perDayMicros),
    left: formatAmount(leftMicros()),
  }
}
