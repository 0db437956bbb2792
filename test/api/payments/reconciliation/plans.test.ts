import { after, before, describe, it } from 'node:test'
import { expect } from 'chai'
import { sql } from 'kysely'
import { v7 as uuidv7 } from 'uuid'
import { accountsAfter } from '../../../../api/payments/reconciliation/internal/accounts.ts'
import { startWorld, type World } from '../../../kit/api/payments/escrow/world.ts'
import { openPlanned, type Planned } from '../../../kit/api/platform/db/plans.ts'

describe('the comparison of the accounts, one by one', () => {
  let world: World
  let planned: Planned

  before(async () => {
    world = await startWorld()
    planned = openPlanned(world.databaseUrl)
    // What it stands on, humans and deposits, is left out.
    await sql`set session_replication_role = replica`.execute(planned.db)
    await sql`
      insert into market.payouts (id, human_id, leg, state, amount_micros, deposit_from, deposit_nonce, nonce)
      select gen_random_uuid(), ${uuidv7()}, 'payee', case place % 1000 when 0 then 'pending' else 'confirmed' end,
        1, '', place, place
      from generate_series(1, 5000) place`.execute(planned.db)
    await sql`reset session_replication_role`.execute(planned.db)
    await sql`vacuum analyze market.payouts`.execute(planned.db)
  })

  after(async () => {
    await planned?.db.destroy()
    await world?.stop()
  })

  it('does not read what an owner was paid before to know what is still owed', async () => {
    const [plan] = await planned.plansOf((tx) =>
      accountsAfter(tx, world.settings.chain, { block: 0n, after: 0n, also: [] }),
    )
    expect(plan).to.match(/Index Only Scan using payouts_owed on payouts/)
    expect(plan).to.not.match(/payouts_by_human|Seq Scan on payouts/)
  })
})
