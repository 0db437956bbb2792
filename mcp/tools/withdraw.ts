import { z } from 'zod'
import { formatAmount } from '../../protocol/encoding/amounts.ts'
import { withdrawCall } from '../../sdk/escrow.ts'
import type { Market } from '../../sdk/market.ts'
import { paymentMarket } from '../../sdk/offer.ts'
import type { Purse } from '../purse.ts'
import { defineTool, type Tool } from '../tool.ts'
import { amount } from './inputs.ts'

const withdrawal = z.object({
  withdrawn: amount.nullable(),
  tx_hash: z.string().nullable(),
  to_send: z
    .object({ chain_id: z.int(), to: z.string(), data: z.string() })
    .nullable()
    .describe('A transaction to sign and send; null where this server has sent one.'),
  next_step: z.string(),
})

/** The tool that takes what the escrow contract owes a wallet out to it. */
export const withdrawTools: readonly Tool[] = [
  defineTool({
    name: 'withdraw',
    title: 'Take out what you earned',
    description:
      'Takes all that the escrow contract owes the wallet of this server out to that wallet, on chain; without one it returns the transaction to send from the wallet that is paid. Custodied orders are paid out by themselves.',
    input: z.object({}),
    output: withdrawal,
    isReadOnly: false,
    isIdempotent: true,
    run: async ({ client, purse }) => (purse?.withdraw ? sent(await purse.withdraw()) : unsent(client, purse)),
  }),
]

function sent({ withdrawnMicros, txHash: tx_hash }: Awaited<ReturnType<NonNullable<Purse['withdraw']>>>) {
  const next_step = tx_hash === null ? 'The contract owes this wallet nothing.' : 'The money is in the wallet.'
  return { withdrawn: formatAmount(withdrawnMicros), tx_hash, to_send: null, next_step }
}

async function unsent(client: Market, purse: Purse | undefined) {
  const location = purse?.market ?? paymentMarket((await client.call('getPublicConfig', {})).body)
  const { chainId: chain_id, to, data } = withdrawCall(location)
  const next_step =
    'Compare `to` with the escrow contract that you kept, then send this from the wallet that is paid, without value.'
  return { withdrawn: null, tx_hash: null, to_send: { chain_id, to, data }, next_step }
}
