import { sql } from 'kysely'
import { anyOf } from '../../../platform/db/lists.ts'
import type { Tx } from '../../../platform/db/pool.ts'
import { inTransaction } from '../../../platform/db/transaction.ts'
import type { JobServices } from '../../../platform/jobs/services.ts'
import { type LeasedSend, NEXT_ATTEMPT, SHOWN } from './lease.ts'
import type { LeasedMail } from './mail.ts'

const MAX_IN_MAIL = 1_000
const MAX_PEOPLE = 64

interface Recipient {
  id: string
  email: string
  is_confirmed: boolean
}

/**
 * Leases the mail of a person for whom notifications are due. Two workers never lease the same person at
 * once. Notifications for an address that is not confirmed are dropped. Those beyond the hour's limit wait
 * for the end of the hour. Returns undefined when nothing is due.
 */
export async function leaseMail({ db, settings }: JobServices): Promise<LeasedMail | undefined> {
  for (;;) {
    const leased = await inTransaction(db, 'read write', async (tx) => {
      const person = await findRecipient(tx)
      if (!person) return undefined
      if (!settings.mail || !person.is_confirmed) await drop(tx, person)
      else if (!(await hold(tx, person, settings.rules.maxHourlyMails))) return (await take(tx, person)) ?? 'none'
      return 'none'
    })
    if (leased !== 'none') return leased
  }
}

async function findRecipient(tx: Tx): Promise<Recipient | undefined> {
  const { rows } = await sql<Recipient>`
    select id, email, confirmed_email is not distinct from email as is_confirmed
    from market.humans where id in (
      select told.human_id from market.notification_sends send join market.notifications told on told.id = send.notification_id
      where send.channel = 'email' and send.next_attempt_at <= market.now() order by send.next_attempt_at limit ${MAX_PEOPLE})
    limit 1 for no key update skip locked`.execute(tx)
  return rows[0]
}

const dueTo = ({ id }: Recipient) => sql`
  told.id = send.notification_id and told.human_id = ${id} and send.channel = 'email'
  and send.next_attempt_at <= market.now()`

async function drop(tx: Tx, person: Recipient): Promise<void> {
  await sql`delete from market.notification_sends send using market.notifications told where ${dueTo(person)}`.execute(
    tx,
  )
}

/**
 * Postpones the due notifications until the person may get a mail again. Returns false if the person may get
 * one now.
 */
async function hold(tx: Tx, person: Recipient, maxHourly: number): Promise<boolean> {
  const { numAffectedRows = 0n } = await sql`
    with free as (
      select sent_at + interval '1 hour' as at from market.notification_mails
      where human_id = ${person.id} and sent_at > market.now() - interval '1 hour'
      order by sent_at desc offset ${maxHourly - 1} limit 1
    )
    update market.notification_sends send
    set next_attempt_at = market.after_quiet_hours(free.at, prefs.quiet_from, prefs.quiet_until, prefs.time_zone)
    from free, market.notifications told left join market.notification_prefs prefs on prefs.account_id = told.account_id
    where ${dueTo(person)}`.execute(tx)
  return numAffectedRows > 0n
}

async function take(tx: Tx, person: Recipient): Promise<LeasedMail | undefined> {
  const { rows } = await sql<LeasedSend>`
    with due as (
      select send.id from market.notification_sends send, market.notifications told where ${dueTo(person)}
      order by send.next_attempt_at limit ${MAX_IN_MAIL}
    ), mine as (
      update market.notification_sends send
      set attempts = send.attempts + 1, next_attempt_at = ${NEXT_ATTEMPT}
      from due, market.notifications told left join market.notification_prefs prefs on prefs.account_id = told.account_id
      where send.id = due.id and told.id = send.notification_id
      returning send.*
    ) ${SHOWN} order by told.due_at, told.id`.execute(tx)
  const unwanted = rows.filter((send) => !send.is_wanted).map(({ id }) => id)
  if (unwanted.length > 0) await tx.deleteFrom('market.notification_sends').where('id', '=', anyOf(unwanted)).execute()
  const sends = rows.filter((send) => send.is_wanted)
  if (sends.length === 0) return undefined
  const { id } = await tx
    .insertInto('market.notification_mails')
    .values({ human_id: person.id })
    .returning('id')
    .executeTakeFirstOrThrow()
  return { id, humanId: person.id, email: person.email, sends }
}
