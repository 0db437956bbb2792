import { useQueryClient } from '@tanstack/react-query'
import { useLocation } from 'wouter'
import { enrol } from '../data/passkeys.ts'
import { Form } from '../ui/Form.tsx'
import styles from './SignIn.module.css'

// Kept from the fragment before it is taken out of the address, and of the history with it.
const secret = location.hash.slice(1)

/** Makes the first passkey of an account that was created for somebody, by the link they were given. */
export function Enrol() {
  const client = useQueryClient()
  const [, navigate] = useLocation()
  const make = async () => {
    await enrol(secret)
    await client.resetQueries()
  }
  return (
    <main className={styles.page}>
      <h1>Make your passkey</h1>
      {secret ? (
        <Form submit="Make a passkey" kind="primary" onSubmit={make} onDone={() => navigate('/', { replace: true })}>
          <p>This link lets you in once. The passkey that you make now lets you in from then on.</p>
        </Form>
      ) : (
        <p>The link is not whole: it ends with # and a secret. Open it again as you were given it.</p>
      )}
    </main>
  )
}
