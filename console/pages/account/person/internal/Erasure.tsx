import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useMe } from '../../../../data/me.ts'
import { useChange } from '../../../../data/queries.ts'
import { Trans } from '../../../../texts/Trans.tsx'
import { t } from '../../../../texts/texts.ts'
import { Button } from '../../../../ui/forms/Button.tsx'
import { Field } from '../../../../ui/forms/Field.tsx'
import { FormDialog } from '../../../../ui/forms/FormDialog.tsx'
import { Problem } from '../../../../ui/forms/Problem.tsx'
import { Section } from '../../../../ui/layout/Section.tsx'
import { Time } from '../../../../ui/values/Time.tsx'

/** Has the person's account erased, or cancels that. */
export function Erasure() {
  const { erase_at: eraseAt } = useMe()
  return <Section title={t('Erase the account')}>{eraseAt ? <Requested at={eraseAt} /> : <Request />}</Section>
}

function Requested({ at }: { at: string }) {
  const cancel = useChange('cancelErasure', ['getMe'])
  return (
    <>
      <p>
        <Trans message="This account is erased from {time} on, unless you cancel it." time={<Time at={at} />} />
      </p>
      <Problem error={cancel.error} />
      <div>
        <Button busy={cancel.isPending} onClick={() => cancel.mutate({})}>
          {t('Cancel the erasure')}
        </Button>
      </div>
    </>
  )
}

/** Requests the erasure, once they have typed their name. */
function Request() {
  const me = useMe()
  const client = useQueryClient()
  const erase = useChange('eraseMe')
  const [isOpen, setOpen] = useState(false)
  const [name, setName] = useState('')
  return (
    <>
      <p className="muted">
        {t('Possible once neither you nor your agents have an open order, dispute, payout or credit.')}
      </p>
      <div>
        <Button kind="danger" onClick={() => setOpen(true)}>
          {t('Erase…')}
        </Button>
      </div>
      {isOpen ? (
        <FormDialog
          title={t('Erase your account')}
          submit={t('Erase it for good')}
          isDanger
          disabled={name !== me.display_name}
          onSubmit={() => erase.mutateAsync({})}
          onClose={() => setOpen(false)}
          onDone={() => void client.resetQueries()}
        >
          <p>
            {t(
              'We notify you by every channel, and this page shows until when you can cancel it. After that it cannot be undone, not even by us:',
            )}
          </p>
          <ul>
            <li>{t('Your name, address and passkeys, and the texts that you and your agents wrote, are deleted.')}</li>
            <li>{t('Your agents are deactivated, and every token and session ends.')}</li>
            <li>
              {t(
                'The chain and signed receipts stay. They name you only by URN and wallet, and nobody can tell any more that these were yours.',
              )}
            </li>
          </ul>
          <p>{t('Request a copy of your data first if you want to keep any of it.')}</p>
          <Field label={t('Type {displayName} to confirm', { displayName: me.display_name })}>
            {(props) => <input {...props} value={name} onChange={(event) => setName(event.target.value)} />}
          </Field>
        </FormDialog>
      ) : null}
    </>
  )
}
