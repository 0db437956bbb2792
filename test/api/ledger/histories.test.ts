import { after, before, describe, test } from 'node:test'
import { expect } from 'chai'
import fc from 'fast-check'
import { sql } from 'kysely'
import { newTrade, startWorld, type World } from '../escrow/world.ts'
import { ChainModel } from './chainModel.ts'
import { live, plan } from './histories.ts'

const HISTORIES = process.env.MARKET_TEST_DEEP ? 1_000 : 12
const MOST_TRADES = 6

describe(`the ledger after ${HISTORIES} histories of up to ${MOST_TRADES} trades at once`, () => {
  let world: World

  before(async () => {
    world = await startWorld()
  })

  after(() => world.stop())

  test('is balanced, owes nobody less than nothing, and says what the chain does', async () => {
    const stage = { world, chain: new ChainModel(), between: await newTrade(world, 'contract') }
    const history = fc.array(plan, { minLength: 1, maxLength: MOST_TRADES })
    const property = fc.asyncProperty(history, async (plans) => {
      await Promise.all(plans.map((each) => live(stage, each)))
      expect(await figures(world)).to.deep.equal(expected(stage.chain))
      expect(await faults(world)).to.deep.equal([])
    })
    // One history after the other, on the same books: what one leaves is where the next begins. So none can be shrunk.
    await fc.assert(property, { numRuns: HISTORIES, endOnFailure: true })
  })
})

interface Figures {
  escrow: bigint
  hotWallet: bigint
  claimable: Record<string, bigint>
  /** Of the contract, those whose payment vanished left out: they stand against a loss. */
  holds: Record<string, bigint>
}

function expected(chain: ChainModel): Figures {
  const above = (of: ReadonlyMap<string, bigint>) => Object.fromEntries([...of].filter(([, micros]) => micros !== 0n))
  return {
    escrow: chain.escrowMicros,
    hotWallet: chain.hotWalletMicros,
    claimable: above(chain.claimable),
    holds: above(chain.holds),
  }
}

async function figures({ db }: World): Promise<Figures> {
  const { rows } = await sql<{ kind: string; owner: string; micros: bigint }>`
    select account.kind, account.owner, sum(entry.amount)::bigint as micros
    from ledger.entries entry join ledger.accounts account on account.id = entry.account_id
    where not exists (select from market.settled_events gone
      where gone.vanished_at is not null and account.kind = 'hold' and gone.key = 'funded:' || account.owner)
    group by 1, 2 having sum(entry.amount) <> 0`.execute(db)
  const sum = (kind: string) => rows.reduce((total, row) => (row.kind === kind ? total + row.micros : total), 0n)
  const each = (kind: string) =>
    Object.fromEntries(
      rows.filter((row) => row.kind === kind && row.owner.startsWith('0x')).map(({ owner, micros }) => [owner, micros]),
    )
  return {
    escrow: -sum('escrow_contract'),
    hotWallet: -sum('hot_wallet'),
    claimable: each('claimable'),
    holds: each('hold'),
  }
}

/** Whatever must never be, by name. */
async function faults({ db }: World): Promise<string[]> {
  const { rows } = await sql<{ fault: string }>`
    select 'transfer ' || transfer.key || ' does not balance' as fault from ledger.transfers transfer
      left join ledger.entries entry on entry.transfer_id = transfer.id
      group by transfer.id having count(entry) < 2 or sum(entry.amount) <> 0
    union all
    select 'account ' || account.kind || ' ' || account.owner || ' is not the sum of its entries'
      from ledger.accounts account left join ledger.entries entry on entry.account_id = account.id
      where not account.is_append_only
      group by account.id having coalesce(sum(entry.amount), 0) <> account.balance
    union all
    select 'entry ' || id || ' says another balance than those before it make' from (
      select entry.id, entry.balance_after, sum(entry.amount) over (partition by entry.account_id order by entry.id) as sum
      from ledger.entries entry where entry.balance_after is not null) told
      where balance_after <> sum
    union all
    select account.kind || ' ' || account.owner || ' is below zero' from ledger.accounts account
      join ledger.entries entry on entry.account_id = account.id
      where account.kind not in ('escrow_contract', 'hot_wallet', 'cold_wallet', 'loss')
      group by account.id having sum(entry.amount) < 0
    union all
    select 'hold ' || hold.id || ' is ' || hold.status || ' and was distributed ' || count(ended) || ' times' from market.holds hold
      left join ledger.accounts account on account.kind = 'hold'
        and account.owner = coalesce(hold.hold_key, 'market:order:' || hold.order_id)
      left join ledger.entries ended on ended.account_id = account.id and ended.amount < 0
      group by hold.id
      having count(ended) <> (case hold.status when 'released' then 1 else 0 end)
        or coalesce(-sum(ended.amount), 0) <> (case hold.status when 'released' then hold.amount_micros else 0 end)
    union all
    select 'hold ' || id || ' was not distributed whole' from market.holds where status = 'released'
      and released_payer_micros + released_payee_micros + released_fee_micros <> amount_micros
    union all
    select 'payout ' || payout.id || ' is ' || payout.state from market.payouts payout where state <> 'confirmed'
    `.execute(db)
  return rows.map(({ fault }) => fault)
}
