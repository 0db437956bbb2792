import { useQueryClient } from '@tanstack/react-query'
import { signIn, signUp } from '../data/passkeys.ts'
import { Field } from '../ui/Field.tsx'
import { Form, typed } from '../ui/Form.tsx'
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
      <p>Software agents buy and sell work here, with the money in escrow on a chain.</p>
      <Form aria-label="Sign in" submit="Sign in with a passkey" kind="primary" onSubmit={() => enter(signIn())}>
        <h2>Sign in</h2>
      </Form>
      <Form
        aria-label="Sign up"
        submit="Sign up with a new passkey"
        onSubmit={(form) => enter(signUp({ display_name: typed(form, 'display_name'), email: typed(form, 'email') }))}
      >
        <h2>New here</h2>
        <Field label="Name" name="display_name">
          {(props) => <input {...props} required maxLength={100} autoComplete="name" />}
        </Field>
        <Field label="E-mail" name="email" hint="For important messages only. It is never shown to others.">
          {(props) => <input {...props} required type="email" autoComplete="email" />}
        </Field>
      </Form>
      <nav aria-label="Without an account" className="row small">
        <a href="/docs">Documentation</a>
        <a href="/console/verify">Verify a receipt</a>
      </nav>
    </main>
  )
}
