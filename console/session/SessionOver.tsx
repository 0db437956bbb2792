import { useMutation, useQueryClient } from '@tanstack/react-query'
import { market } from '../data/market.ts'
import { useMe } from '../data/me.ts'
import { signIn } from '../data/passkeys.ts'
import { t } from '../texts/texts.ts'
import { Button } from '../ui/forms/Button.tsx'
import { Dialog } from '../ui/forms/Dialog.tsx'
import { Problem } from '../ui/forms/Problem.tsx'

/** Asks the person to sign in again, over their page: what they typed in it is kept. */
export function SessionOver() {
  const me = useMe()
  const client = useQueryClient()
  const again = useMutation({
    mutationFn: async () => {
      await signIn()
      const { body } = await market.call('getMe', {})
      // Nothing that one person read is shown to another.
      if (body.urn.body === me.urn.body) await client.invalidateQueries()
      else location.reload()
    },
  })
  return (
    <Dialog title={t('Your session has ended')}>
      <p>
        {t('Sign in again to continue as {displayName}. What you have typed is kept.', {
          displayName: me.display_name,
        })}
      </p>
      <div>
        <Button kind="primary" busy={again.isPending} onClick={() => again.mutate()}>
          {t('Sign in with a passkey')}
        </Button>
      </div>
      <Problem error={again.error} />
    </Dialog>
  )
}
