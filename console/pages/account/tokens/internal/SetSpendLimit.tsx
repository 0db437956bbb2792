import { useChange } from '../../../../data/queries.ts'
import { t } from '../../../../texts/texts.ts'
import { Button } from '../../../../ui/forms/Button.tsx'
import { FormDialog } from '../../../../ui/forms/FormDialog.tsx'
import { Problem } from '../../../../ui/forms/Problem.tsx'
import { limitOf, type SpendLimit, SpendLimitFields } from '../SpendLimitFields.tsx'

/** Sets, changes or removes the spend limit of a token. */
export function SetSpendLimit({ urn, limit, onClose }: { urn: string; limit: SpendLimit | null; onClose: () => void }) {
  const change = useChange('setSpendLimit', ['listTokens'])
  const remove = useChange('setSpendLimit', ['listTokens'])
  const params = { urn }
  return (
    <FormDialog
      title={t('Spend limit')}
      submit={limit ? t('Change the limit') : t('Set the limit')}
      onClose={onClose}
      onSubmit={(form) => change.mutateAsync({ params, body: limitOf(form) })}
    >
      <p>
        {limit
          ? t(
              'What it has paid today counts. Payments beyond the limit are refused. To let it pay more, you are asked for your passkey.',
            )
          : t('What it has paid today counts. Payments beyond the limit are refused.')}
      </p>
      <SpendLimitFields limit={limit} />
      {limit ? (
        <div>
          <Button
            busy={remove.isPending}
            onClick={() => remove.mutate({ params, body: { per_order: null, per_day: null } }, { onSuccess: onClose })}
          >
            {t('Remove the limit')}
          </Button>
        </div>
      ) : null}
      <Problem error={remove.error} />
    </FormDialog>
  )
}
