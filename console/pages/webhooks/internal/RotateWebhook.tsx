import { useRead } from '../../../data/queries.ts'
import { t } from '../../../texts/texts.ts'
import { SecretForm } from '../../../ui/forms/SecretForm.tsx'

interface Props {
  rotate: () => Promise<{ secret: string }>
  onClose: () => void
}

/** Replaces the secret of a webhook, and shows the new one once. */
export function RotateWebhook({ rotate, onClose }: Props) {
  const { data: config } = useRead('getPublicConfig', {})
  const hours = config ? Math.round(config.rules.webhook_overlap_seconds / 3_600) : undefined
  return (
    <SecretForm
      title={t('Rotate the secret')}
      submit={t('Rotate it')}
      about={t('Check signatures with this one from now on.')}
      onClose={onClose}
      onSubmit={rotate}
    >
      <p>
        {t(
          'Deliveries are signed with both secrets for {hours, plural, =0 {some hours} one {# hour} other {# hours}}, so that your receiver can change over without losing one.',
          { hours: hours ?? 0 },
        )}
      </p>
    </SecretForm>
  )
}
