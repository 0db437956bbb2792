import { useRead } from '../../data/queries.ts'
import { SecretForm } from '../../ui/SecretForm.tsx'

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
      title="Rotate the secret"
      submit="Rotate it"
      about="Check signatures with this one from now on."
      onClose={onClose}
      onSubmit={rotate}
    >
      <p>
        Deliveries are signed with both secrets for {hours ?? 'some'} hours, so that your receiver can change over
        without losing one.
      </p>
    </SecretForm>
  )
}
