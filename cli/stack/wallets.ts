import { getAddress, isAddress } from 'viem'
import { rejectWallet } from '../../api/payments/payouts/rejectWallet.ts'
import { parseUrn } from '../../protocol/encoding/urn.ts'
import { readOwnerUrl } from '../machine/env.ts'

const USAGE = `Usage: ./market wallets reject <human urn> <wallet>

Has the facilitator skip a wallet that somebody else bound to a person's account. The person's own wallet then proves payouts again.
The alarm "an owner has two wallets without a hand-over" names the person and both wallets: ask the person which one is theirs.
Reads DATABASE_URL, of the database's owner, or takes the running sandbox.`

/** Rejects a wallet of an owner. */
export async function run(args: string[]): Promise<number> {
  const [action, human = '', wallet = '', ...more] = args
  const ownerId = parseUrn('human', human)
  if (action !== 'reject' || ownerId === undefined || !isAddress(wallet, { strict: false }) || more.length > 0) {
    console.error(USAGE)
    return args.includes('--help') ? 0 : 2
  }
  const isSeen = await rejectWallet(await readOwnerUrl(), ownerId, getAddress(wallet))
  console.log(
    `${getAddress(wallet)} counts for ${human} no longer.${isSeen ? '' : ' The facilitator had not seen it.'}`,
  )
  return 0
}
