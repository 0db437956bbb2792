import { z } from 'zod'
import { getSpending } from '../../api/identity/tokens/routes.ts'
import { formatAmount, parseAmount } from '../../protocol/encoding/amounts.ts'
import type { Market } from '../../sdk/market.ts'
import type { Purse } from '../purse.ts'
import { defineTool, type Tool, ToolRefusal } from '../tool.ts'
import { amount } from './inputs.ts'

const wallet = z.object({ address: z.string(), per_order: amount, per_24_hours: amount, left: amount })

/** The tool that reads how much may still be spent. */
export const spendingTools: readonly Tool[] = [
  defineTool({
    name: 'get_spending',
    title: 'Read what you may spend',
    description:
      'Reads the spend limit of your token, what it has committed today (UTC) and what is left; and those of the wallet that buy pays from, in any 24 hours.',
    input: z.object({}),
    output: getSpending.answers[200].schema.extend({ wallet: wallet.optional() }),
    isReadOnly: true,
    run: async ({ client, purse }) => ({
      ...(await client.call('getSpending', {})).body,
      ...(purse ? { wallet: ofWallet(purse) } : {}),
    }),
  }),
]

/**
 * Throws a ToolRefusal if the service would refuse a payment of this amount, so that the wallet signs and
 * counts nothing. The service still makes its own decision.
 */
export async function requireRoom(client: Market, amountText: string): Promise<void> {
  const { spend_limit: limit, left_today: left, resets_at: until } = (await client.call('getSpending', {})).body
  const isBeyond = (most: string | null | undefined) =>
    most != null && (parseAmount(amountText) ?? 0n) > (parseAmount(most) ?? 0n)
  const refuse = (why: string) => new ToolRefusal(`It costs ${amountText}, and ${why}. Nothing was signed.`)
  if (isBeyond(limit?.per_order)) throw refuse(`your token pays at most ${limit?.per_order} at once`)
  if (isBeyond(left)) throw refuse(`${left} is left of what your token may pay until ${until}`)
}

function ofWallet({ address, spending: { limits, leftMicros } }: Purse) {
  return {
    address,
    per_order: formatAmount(limits.perOrderMicros),
    per_24_hours: formatAmount(limits.perDayMicros),
    left: formatAmount(leftMicros()),
  }
}
