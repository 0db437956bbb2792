import { useQueryClient } from '@tanstack/react-query'
import { useLocation } from 'wouter'
import { enrol } from '../data/passkeys.ts'
import { t } from '../texts/texts.ts'
import { Form } from '../ui/forms/Form.tsx'
import styles from './SignIn.module.css'

// Read before the fragment is removed from the address and the history.
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
      <h1>{t('Make your passkey')}</h1>
      {secret ? (
        <Form
          submit={t('Make a passkey')}
          kind="primary"
          onSubmit={make}
          onDone={() => navigate('/', { replace: true })}
        >
          <p>{t('This link works once. Afterwards you sign in with the passkey that you make now.')}</p>
        </Form>
      ) : (
        <p>{t('The link is incomplete: it must end with # and a secret. Open the whole link that you were given.')}</p>
      )}
    </main>
  )
}
