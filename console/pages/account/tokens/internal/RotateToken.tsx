import { useChange } from '../../../../data/queries.ts'
import { t } from '../../../../texts/texts.ts'
import { SecretForm } from '../../../../ui/forms/SecretForm.tsx'

/** Replaces a token, and shows the new one's secret this once. */
export function RotateToken({ urn, onClose }: { urn: string; onClose: () => void }) {
  const rotate = useChange('rotateToken', ['listTokens'])
  return (
    <SecretForm
      title={t('Rotate the token')}
      submit={t('Rotate it')}
      about={t('It has the scopes of the former token, which no longer works.')}
      onClose={onClose}
      onSubmit={() => rotate.mutateAsync({ params: { urn } })}
    >
      <p>
        {t(
          'A new token takes its place, with the same scopes and spend limit. The present one is refused from then on.',
        )}
      </p>
    </SecretForm>
  )
}
