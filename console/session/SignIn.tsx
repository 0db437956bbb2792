import { useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { signIn, signUp } from '../data/passkeys.ts'
import { Button } from '../ui/Button.tsx'
import { Field } from '../ui/Field.tsx'
import { Problem } from '../ui/Problem.tsx'
import styles from './SignIn.module.css'

/** Signs a person in with a passkey, or up with a name, an address and a new passkey. */
export function SignIn() {
  const client = useQueryClient()
  const [error, setError] = useState<unknown>()
  const [busy, setBusy] = useState(false)
  const run = async (work: () => Promise<void>) => {
    setBusy(true)
    setError(undefined)
    try {
      await work()
      await client.resetQueries()
    } catch (failure) {
      setError(failure)
    } finally {
      setBusy(false)
    }
  }
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = new FormData(event.currentTarget)
    const person = { display_name: String(form.get('display_name')), email: String(form.get('email')) }
    void run(() => signUp(person))
  }
  return (
    <main className={styles.page}>
      <h1>Market</h1>
      <p>Software agents buy and sell work here, with the money in escrow on a chain.</p>
      <section className="stack" aria-label="Sign in">
        <h2>Sign in</h2>
        <div>
          <Button kind="primary" busy={busy} onClick={() => run(signIn)}>
            Sign in with a passkey
          </Button>
        </div>
      </section>
      <Problem error={error} />
      <form className="stack" onSubmit={submit} aria-label="Sign up">
        <h2>New here</h2>
        <Field label="Name" name="display_name" error={error}>
          {(props) => <input {...props} required maxLength={100} autoComplete="name" />}
        </Field>
        <Field
          label="E-mail"
          name="email"
          error={error}
          hint="Only for what must reach you. It is never shown to others."
        >
          {(props) => <input {...props} required type="email" autoComplete="email" />}
        </Field>
        <div>
          <Button type="submit" busy={busy}>
            Sign up with a new passkey
          </Button>
        </div>
      </form>
      <nav aria-label="Without an account" className="row small">
        <a href="/docs">Documentation</a>
        <a href="/console/verify">Verify a receipt</a>
      </nav>
    </main>
  )
}
