import { useState } from 'react'
import { useChange, useRead } from '../../data/queries.ts'
import { Button } from '../../ui/Button.tsx'
import { Confirm } from '../../ui/Confirm.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { Secret } from '../../ui/Secret.tsx'
import type { WebhookInput } from './WebhookActions.tsx'

/** Replaces the secret of a webhook, and shows the new one this once. */
export function RotateWebhook({ input, onClose }: { input: WebhookInput; onClose: () => void }) {
  const { data: config } = useRead('getPublicConfig', {})
  const rotate = useChange('rotateWebhookSecret', ['getWebhook'])
  const [secret, setSecret] = useState<string>()
  if (secret) {
    return (
      <Dialog title="The new secret" onClose={onClose}>
        <Secret value={secret} about="Check signatures with this one from now on." />
        <div>
          <Button onClick={onClose}>I have kept it</Button>
        </div>
      </Dialog>
    )
  }
  const hours = config ? Math.round(config.rules.webhook_overlap_seconds / 3_600) : undefined
  return (
    <Confirm
      title="Rotate the secret"
      action="Rotate it"
      kind="primary"
      busy={rotate.isPending}
      error={rotate.error}
      onConfirm={() => rotate.mutate(input, { onSuccess: (rotated) => setSecret(rotated.secret) })}
      onClose={onClose}
    >
      <p>
        Deliveries are signed with both secrets for {hours ?? 'some'} hours, so that your receiver can change over
        without losing one.
      </p>
    </Confirm>
  )
}
