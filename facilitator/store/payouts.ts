import type { Address, Hex } from 'viem'
import type { PayoutLeg } from '../../protocol/nonces.ts'
import type { Session } from '../session.ts'
import type { PayoutAuthorization } from '../store.ts'

/** What the hot wallet has signed. */
export function payoutStore(session: Session) {
  return {
    /** Whether the service, or an operator, has stopped what leaves the hot wallet, or the contract at our wish. */
    async arePayoutsStopped(place: 'hot_wallet' | 'escrow'): Promise<boolean> {
      const { rowCount } = await session.query(
        'select from market.payout_stops where lifted_at is null and place = $1 limit 1',
        [place],
      )
      return rowCount !== 0
    },

    /** Everything signed under a payout's nonce, the longest valid first. */
    async payoutAuthorizations(nonce: Hex): Promise<PayoutAuthorization[]> {
      const { rows } = await session.query<AuthorizationRow>(
        'select * from facilitator.authorizations where nonce = $1 order by valid_before desc',
        [nonce],
      )
      return rows.map(toAuthorization)
    },

    /**
     * Records an authorization before it is used. False, and nothing recorded, when what was signed for payees in the
     * last 24 hours (each nonce once) would exceed `dailyMicros` with it. Refunds do not count: whoever pays us and is
     * refunded, again and again, must not use up what sellers are paid from.
     */
    async recordPayoutAuthorization(signed: PayoutAuthorization, dailyMicros: bigint): Promise<boolean> {
      const { nonce, leg, validBefore, recipient, amountMicros, signature } = signed
      const { rowCount } = await session.query(
        `insert into facilitator.authorizations (nonce, leg, valid_before, recipient, amount_micros, signature)
         select $1, $2, $3::bigint, $4, $5::bigint, $6
         where $2 = 'payer' or $5::bigint + (
           select coalesce(sum(amount), 0) from (
             select max(amount_micros) as amount from facilitator.authorizations
             where leg = 'payee' and signed_at > clock_timestamp() - interval '24 hours' and nonce <> $1
             group by nonce) signed
         ) <= $7::bigint`,
        [nonce, leg, validBefore, recipient.toLowerCase(), amountMicros, signature, dailyMicros],
      )
      return rowCount === 1
    },
  }
}

interface AuthorizationRow {
  nonce: Hex
  leg: PayoutLeg
  valid_before: string
  recipient: Address
  amount_micros: string
  signature: Hex
}

function toAuthorization(row: AuthorizationRow): PayoutAuthorization {
  return {
    nonce: row.nonce,
    leg: row.leg,
    validBefore: BigInt(row.valid_before),
    recipient: row.recipient,
    amountMicros: BigInt(row.amount_micros),
    signature: row.signature,
  }
}
