import type { Address, Hex } from 'viem'
import type { Session } from '../session.ts'
import type { PayoutAuthorization } from '../store.ts'
import type { AuthenticFile } from './authenticFile.ts'

/** Queries for the authorizations of the hot wallet. */
export function payoutStore(session: Session, file: AuthenticFile) {
  return {
    /**
     * Returns whether the service or an operator has stopped outflows of the hot wallet, or our requests to the
     * contract.
     */
    async arePayoutsStopped(place: 'hot_wallet' | 'escrow'): Promise<boolean> {
      const { rowCount } = await session.query(
        'select from market.payout_stops where lifted_at is null and place = $1 limit 1',
        [place],
      )
      return rowCount !== 0
    },

    /** Returns everything signed under a payout's nonce, the longest valid first. */
    async payoutAuthorizations(nonce: Hex): Promise<PayoutAuthorization[]> {
      const { rows } = await session.query<AuthorizationRow>(
        'select * from facilitator.authorizations where nonce = $1 order by valid_before desc',
        [nonce],
      )
      return file.authorizations(rows.map(toAuthorization))
    },

    /** Returns what was signed for the cold wallet under other nonces and is valid after a time (unix seconds). */
    async otherSweeps(nonce: Hex, after: bigint): Promise<PayoutAuthorization[]> {
      const { rows } = await session.query<AuthorizationRow>(
        `select * from facilitator.authorizations
         where leg = 'sweep' and nonce <> $1 and valid_before > $2 and signed_at > clock_timestamp() - interval '2 days'`,
        [nonce, after],
      )
      return file.authorizations(rows.map(toAuthorization))
    },

    /** Returns the sum of all requested payouts that have not ended; micro-units. */
    async openPayoutMicros(): Promise<bigint> {
      const { rows } = await session.query<{ sum: string }>(
        `select coalesce(sum((intent.payload->>'amount')::numeric), 0)::text as sum from market.intents intent
         where intent.closed_at is null and intent.kind = 'payout' and intent.payload->>'amount' ~ '^[0-9]{1,18}$'
           and not exists (select from facilitator.outcomes outcome where outcome.intent_id = intent.id)`,
        [],
      )
      return BigInt(rows[0]?.sum ?? 0)
    },

    /**
     * Records an authorization before it is used. Returns false, and records nothing, if it would raise what was signed
     * for payees in the last 24 hours (each nonce counted once) above `dailyMicros`. Refunds do not count: a payer who
     * pays and is refunded repeatedly must not use up the sellers' limit. Nor do sweeps, which stay our own.
     */
    async recordPayoutAuthorization(signed: PayoutAuthorization, dailyMicros: bigint): Promise<boolean> {
      const { nonce, leg, validBefore, recipient, amountMicros, signature } = signed
      const { rowCount } = await session.query(
        `insert into facilitator.authorizations (nonce, leg, valid_before, recipient, amount_micros, signature)
         select $1, $2, $3::bigint, $4, $5::bigint, $6
         where $2 <> 'payee' or $5::bigint + (
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
  leg: PayoutAuthorization['leg']
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
