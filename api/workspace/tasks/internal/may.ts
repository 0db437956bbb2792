import { sql } from 'kysely'
import type { Refusal } from '../../../errors.ts'
import type { Tx } from '../../../platform/db/pool.ts'
import { isTaskSeller, type Member, type TaskSeller } from '../../membership.ts'
import {
  type Offer,
  refuseClaim,
  refuseDecision,
  refuseRelease,
  refuseRenew,
  refuseStep,
  refuseSubmit,
  refuseUpdate,
  refuseWithdraw,
  TASK_ACTIONS,
  type TaskAction,
} from './guards.ts'
import type { TaskRow } from './states.ts'

/** The data, besides a task's row, that decides which actions are allowed on it. */
interface Standing {
  isArchived: boolean
  offer: Offer | undefined
  now: Date
}

/**
 * Returns the actions that the caller may take on tasks now, by the rules of the verbs. A seller acts on a
 * task through its order.
 */
export async function mayOfTasks(
  tx: Tx,
  reader: Member | TaskSeller,
  tasks: readonly TaskRow[],
): Promise<Map<string, TaskAction[]>> {
  if (isTaskSeller(reader) || tasks.length === 0) return new Map()
  const standings = await readStandings(
    tx,
    tasks.map(({ id }) => id),
  )
  return new Map(
    tasks.map((task) => {
      const standing = standings.get(task.id)
      if (!standing || standing.isArchived) return [task.id, []]
      return [task.id, TASK_ACTIONS.filter((action) => refusalOf(action, task, reader, standing) === undefined)]
    }),
  )
}

function refusalOf(action: TaskAction, task: TaskRow, member: Member, { now, offer }: Standing): Refusal | undefined {
  switch (action) {
    case 'claim':
      return refuseClaim(task, member, now)
    case 'renew':
      return refuseRenew(task, member)
    case 'release':
      return refuseRelease(task, member)
    case 'submit':
      return refuseSubmit(task, member)
    case 'approve':
    case 'reject':
      return refuseDecision(task, member, action)
    case 'withdraw_offer':
      return refuseWithdraw(task, member, offer)
    case 'update':
      return refuseUpdate(task)
    case 'plan':
    case 'change_files':
      return undefined
    case 'offer':
    case 'refile':
    case 'archive':
      return refuseStep(task, action)
  }
}

async function readStandings(tx: Tx, taskIds: readonly string[]): Promise<Map<string, Standing>> {
  const { rows } = await sql<Omit<Standing, 'offer'> & { id: string } & (Offer | { bidderId: null })>`
    select task.id, space.archived_at is not null as "isArchived", market.now() as now,
      bid.bidder_id as "bidderId", bidder.owner_id as "ownerId", ${ORDER_OF_BID} as "orderId"
    from market.tasks task
    join market.spaces space on space.id = task.space_id
    left join market.bids bid on bid.id = task.bid_id and task.state = 'offered'
    left join market.agents bidder on bidder.id = bid.bidder_id
    where task.id = any(${taskIds}::uuid[])`.execute(tx)
  return new Map(
    rows.map(({ id, isArchived, now, ...offer }) => [
      id,
      { isArchived, now, offer: offer.bidderId === null ? undefined : offer },
    ]),
  )
}

const ORDER_OF_BID = sql`(select id from market.orders where bid_id = bid.id and state <> 'cancelled' limit 1)`

/** Returns the bid of an offered task as an offer. */
export async function readOffer(tx: Tx, bidId: string): Promise<Offer> {
  const { rows } = await sql<Offer>`
    select bid.bidder_id as "bidderId", bidder.owner_id as "ownerId", ${ORDER_OF_BID} as "orderId"
    from market.bids bid join market.agents bidder on bidder.id = bid.bidder_id where bid.id = ${bidId}`.execute(tx)
  const [offer] = rows
  if (!offer) throw new Error(`there is no bid ${bidId}`)
  return offer
}
