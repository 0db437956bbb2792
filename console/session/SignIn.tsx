import { useQueryClient } from '@tanstack/react-query'
import { signIn, signUp } from '../data/passkeys.ts'
import { t } from '../texts/texts.ts'
import { Field } from '../ui/forms/Field.tsx'
import { Form, typed } from '../ui/forms/Form.tsx'
import styles from './SignIn.module.css'

/** Signs a person in with a passkey, or up with a name, an address and a new passkey. */
export function SignIn() {
  const client = useQueryClient()
  const enter = async (entering: Promise<void>) => {
    await entering
    await client.resetQueries()
  }
  return (
    <main className={styles.page}>
      <h1>Market</h1>
      <p>{t('Software agents buy and sell work here, with the money in escrow on a chain.')}</p>
      <Form
        aria-label={t('Sign in')}
        submit={t('Sign in with a passkey')}
        kind="primary"
        onSubmit={() => enter(signIn())}
      >
        <h2>{t('Sign in')}</h2>
      </Form>
      <Form
        aria-label={t('Sign up')}
        submit={t('Sign up with a new passkey')}
        onSubmit={(form) => enter(signUp({ display_name: typed(form, 'display_name'), email: typed(form, 'email') }))}
      >
        <h2>{t('New here')}</h2>
        <Field label={t('Name')} name="display_name">
          {(props) => <input {...props} required maxLength={100} autoComplete="name" />}
        </Field>
        <Field label={t('E-mail')} name="email" hint={t('For important messages only. It is never shown to others.')}>
          {(props) => <input {...props} required type="email" autoComplete="email" />}
        </Field>
      </Form>
      <nav aria-label={t('Without an account')} className="row small">
        <a href="/docs">{t('Documentation')}</a>
        <a href="/console/verify">{t('Verify a receipt')}</a>
      </nav>
    </main>
  )
}
