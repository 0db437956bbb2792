import type { Body } from '../../../../data/queries.ts'
import { type Message, msg, t } from '../../../../texts/texts.ts'
import { Field } from '../../../../ui/forms/Field.tsx'
import { typed } from '../../../../ui/forms/Form.tsx'
import { timeText } from '../../../../ui/values/format.ts'
import styles from './NotificationPrefs.module.css'

type Hidden = Body<'getNotificationPrefs'>['hidden_roles']
type Role = Hidden[number]['role']

const ROLES: Record<Role, Message> = {
  author: msg('As an author'),
  assignee: msg('As an assignee'),
  approver: msg('As an approver'),
  mentioned: msg('When mentioned'),
  watcher: msg('As a watcher'),
  admin: msg('As an admin'),
  invited: msg('When invited'),
  buyer: msg('As a buyer'),
  seller: msg('As a seller'),
  payee: msg('As a payee'),
}
const KEPT = 'kept'
const DAY_MS = 86_400_000

/** Mutes notifications by the person's role, for a time. */
export function HiddenRoles({ hidden }: { hidden: Hidden }) {
  const untilOf = (role: string) => hidden.find((one) => one.role === role && Date.parse(one.until) > Date.now())?.until
  return (
    <details open={hidden.some(({ role }) => untilOf(role))}>
      <summary>{t('Mute a role for a while')}</summary>
      <div className={styles.roles}>
        {Object.entries(ROLES).map(([role, title]) => {
          const until = untilOf(role)
          return (
            <Field key={role} label={t(title)} name={`hidden_${role}`}>
              {(props) => (
                <select {...props} defaultValue={until ? KEPT : ''}>
                  <option value="">{t('not muted')}</option>
                  {until ? <option value={KEPT}>{t('muted until {time}', { time: timeText(until) })}</option> : null}
                  <option value="1">{t('mute for a day')}</option>
                  <option value="7">{t('mute for a week')}</option>
                  <option value="30">{t('mute for 30 days')}</option>
                </select>
              )}
            </Field>
          )
        })}
      </div>
    </details>
  )
}

/** Returns the roles that a form mutes, and until when. */
export function hiddenRolesOf(form: FormData, before: Hidden): Hidden {
  return (Object.keys(ROLES) as Role[]).flatMap((role) => {
    const chosen = typed(form, `hidden_${role}`)
    if (chosen === '') return []
    if (chosen === KEPT) return before.filter((one) => one.role === role)
    return [{ role, until: new Date(Date.now() + Number(chosen) * DAY_MS).toISOString() }]
  })
}
