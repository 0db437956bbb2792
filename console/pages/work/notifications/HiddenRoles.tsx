import type { Body } from '../../../data/queries.ts'
import { Field } from '../../../ui/Field.tsx'
import { typed } from '../../../ui/Form.tsx'
import { timeText } from '../../../ui/format.ts'
import styles from './NotificationPrefs.module.css'

type Hidden = Body<'getNotificationPrefs'>['hidden_roles']
type Role = Hidden[number]['role']

const ROLES: Record<Role, string> = {
  author: 'As an author',
  assignee: 'As an assignee',
  approver: 'As an approver',
  mentioned: 'When mentioned',
  watcher: 'As a watcher',
  admin: 'As an admin',
  invited: 'When invited',
  buyer: 'As a buyer',
  seller: 'As a seller',
  payee: 'As a payee',
}
const KEPT = 'kept'
const DAY_MS = 86_400_000

/** Mutes notifications by the person's role, for a time. */
export function HiddenRoles({ hidden }: { hidden: Hidden }) {
  const untilOf = (role: string) => hidden.find((one) => one.role === role && Date.parse(one.until) > Date.now())?.until
  return (
    <details open={hidden.some(({ role }) => untilOf(role))}>
      <summary>Mute a role for a while</summary>
      <div className={styles.roles}>
        {Object.entries(ROLES).map(([role, title]) => {
          const until = untilOf(role)
          return (
            <Field key={role} label={title} name={`hidden_${role}`}>
              {(props) => (
                <select {...props} defaultValue={until ? KEPT : ''}>
                  <option value="">not muted</option>
                  {until ? <option value={KEPT}>muted until {timeText(until)}</option> : null}
                  <option value="1">mute for a day</option>
                  <option value="7">mute for a week</option>
                  <option value="30">mute for 30 days</option>
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
