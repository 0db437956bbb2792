import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useLocation } from 'wouter'
import { enrol } from '../data/passkeys.ts'
import { Button } from '../ui/Button.tsx'
import { Problem } from '../ui/Problem.tsx'
import styles from './SignIn.module.css'

// Kept from the fragment before it is taken out of the address, and of the history with it.
const secret = location.hash.slice(1)

/** Makes the first passkey of an account that was created for somebody, by the link they were given. */
export function Enrol() {
  const client = useQueryClient()
  const [, navigate] = useLocation()
  const [error, setError] = useState<unknown>()
  const [busy, setBusy] = useState(false)
  const make = async () => {
    setBusy(true)
    try {
      await enrol(secret)
      await client.resetQueries()
      navigate('/', { replace: true })
    } catch (failure) {
      setError(failure)
      setBusy(false)
    }
  }
  return (
    <main className={styles.page}>
      <h1>Make your passkey</h1>
      {secret ? (
        <>
          <p>This link lets you in once. The passkey that you make now lets you in from then on.</p>
          <div>
            <Button kind="primary" busy={busy} onClick={make}>
              Make a passkey
            </Button>
          </div>
        </>
      ) : (
        <p>The link is not whole: it ends with # and a secret. Open it again as you were given it.</p>
      )}
      <Problem error={error} />
    </main>
  )
}
