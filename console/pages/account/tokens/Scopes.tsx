import { msg, t } from '../../../texts/texts.ts'
import { word } from '../../../texts/words.ts'
import styles from './Scopes.module.css'

const SCOPES = [
  ['read', msg('read the orders and threads that it takes part in')],
  ['transact', msg('buy and sell: orders, payments, messages, deliveries')],
  ['withdraw', msg('choose where money is paid to')],
  ['manage', msg('change tokens, wallets, keys and webhooks')],
] as const

export type Scope = (typeof SCOPES)[number][0]

/** Checkboxes for the scopes of a token. */
export function Scopes({ legend }: { legend: string }) {
  return (
    <fieldset className={styles.scopes}>
      <legend>{legend}</legend>
      {SCOPES.map(([scope, about]) => (
        <label key={scope} className={styles.scope}>
          <input
            type="checkbox"
            name="scopes"
            value={scope}
            defaultChecked={scope === 'read' || scope === 'transact'}
          />
          <span>
            <strong>{word(scope)}</strong> <span className="muted">{t(about)}</span>
          </span>
        </label>
      ))}
    </fieldset>
  )
}

/** Returns the scopes that were chosen in a form. */
export function scopesOf(form: FormData): Scope[] {
  return form.getAll('scopes') as Scope[]
}
