import { useChange, useRead } from '../../../data/queries.ts'
import { t } from '../../../texts/texts.ts'
import { Button } from '../../../ui/forms/Button.tsx'
import { Problem } from '../../../ui/forms/Problem.tsx'

/** The address that notifications are mailed to, and its confirmation. */
export function MailAddress() {
  const { data, error } = useRead('getEmail', {})
  const ask = useChange('askEmailConfirmation', [])
  if (!data) return <Problem error={error} />
  if (data.is_confirmed) return <p>{t('Mails go to {email}.', { email: data.email })}</p>
  return (
    <div className="stack">
      <p>
        {t('Mails go to {email} once you have confirmed this address by the link in a mail.', { email: data.email })}
      </p>
      <Problem error={ask.error} />
      <div className="row">
        <Button busy={ask.isPending} onClick={() => ask.mutate({})}>
          {t('Send me the link')}
        </Button>
        {ask.isSuccess ? <span role="status">{t('The mail is on its way. Its link works for a day.')}</span> : null}
      </div>
    </div>
  )
}
