import { useState } from 'react'
import { useChange } from '../../data/queries.ts'
import { Button } from '../../ui/Button.tsx'
import { Confirm } from '../../ui/Confirm.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { Secret } from '../../ui/Secret.tsx'

/** Replaces a token, and shows the new one's secret this once. */
export function RotateToken({ urn, onClose }: { urn: string; onClose: () => void }) {
  const rotate = useChange('rotateToken', ['listTokens'])
  const [secret, setSecret] = useState<string>()
  if (secret) {
    return (
      <Dialog title="The new token" onClose={onClose}>
        <Secret value={secret} about="It may what the former one might, which is good no more." />
        <div>
          <Button onClick={onClose}>I have kept it</Button>
        </div>
      </Dialog>
    )
  }
  return (
    <Confirm
      title="Rotate the token"
      action="Rotate it"
      kind="primary"
      busy={rotate.isPending}
      error={rotate.error}
      onConfirm={() => rotate.mutate({ params: { urn } }, { onSuccess: (minted) => setSecret(minted.secret) })}
      onClose={onClose}
    >
      <p>A new token takes its place, with the same scopes and spend limit. The present one is refused from then on.</p>
    </Confirm>
  )
}
