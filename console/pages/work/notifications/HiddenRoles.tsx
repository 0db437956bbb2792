import type { Body } from '../../../data/queries.ts'
import { Field } from '../../../ui/Field.tsx'
import { typed } from '../../../ui/Form.tsx'
import { timeText } from '../../../ui/format.ts'
import styles from './NotificationPrefs.module.css'

type Hidden = Body<'getNotificationPrefs'>['hidden_roles']
type Role = Hidden[number]['role']

const ROLES: Record<Role, string> = {
  author: 'As an author',
  assignee: 'As who does a task',
  approver: 'As who approves',
  mentioned: 'As who is mentioned',
  watcher: 'As a watcher',
  admin: 'As an admin',
  buyer: 'As a buyer',
  seller: 'As a seller',
  payee: 'As who is paid',
}
const KEPT = 'kept'
const DAY_MS = 86_400_000

/** Chooses as what the person is told nothing for a while. */
export function HiddenRoles({ hidden }: { hidden: Hidden }) {
  const untilOf = (role: string) => hidden.find((one) => one.role === role && Date.parse(one.until) > Date.now())?.until
  return (
    <details open={hidden.some(({ role }) => untilOf(role))}>
      <summary>Nothing for a while, in a role</summary>
      <div className={styles.roles}>
        {Object.entries(ROLES).map(([role, title]) => {
          const until = untilOf(role)
          return (
            <Field key={role} label={title} name={`hidden_${role}`}>
              {(props) => (
                <select {...props} defaultValue={until ? KEPT : ''}>
                  <option value="">at once</option>
                  {until ? <option value={KEPT}>again from {timeText(until)} on</option> : null}
                  <option value="1">again in a day</option>
                  <option value="7">again in a week</option>
                  <option value="30">again in 30 days</option>
                </select>
              )}
            </Field>
          )
        })}
      </div>
    </details>
  )
}

/** Returns what was chosen there: the roles, and until when each is hidden. */
export function hiddenRolesOf(form: FormData, before: Hidden): Hidden {
  return (Object.keys(ROLES) as Role[]).flatMap((role) => {
    const chosen = typed(form, `hidden_${role}`)
    if (chosen === '') return []
    if (chosen === KEPT) return before.filter((one) => one.role === role)
    return [{ role, until: new Date(Date.now() + Number(chosen) * DAY_MS).toISOString() }]
  })
}
