import { useChange } from '../../data/queries.ts'
import { Button } from '../../ui/Button.tsx'
import { FormDialog } from '../../ui/FormDialog.tsx'
import { limitOf, type SpendLimit, SpendLimitFields } from './SpendLimitFields.tsx'

/** Sets, changes or removes the spend limit of a token. */
export function SetSpendLimit({ urn, limit, onClose }: { urn: string; limit: SpendLimit | null; onClose: () => void }) {
  const change = useChange('setSpendLimit', ['listTokens'])
  const set = (body: SpendLimit) => change.mutate({ params: { urn }, body }, { onSuccess: onClose })
  return (
    <FormDialog
      title="Spend limit"
      submit={limit ? 'Change the limit' : 'Set the limit'}
      busy={change.isPending}
      error={change.error}
      onClose={onClose}
      onSubmit={(form) => set(limitOf(form))}
    >
      <p>
        What it has paid today counts. Payments beyond the limit are refused
        {limit ? '. To let it pay more, you are asked for your passkey.' : '.'}
      </p>
      <SpendLimitFields limit={limit} error={change.error} />
      {limit ? (
        <div>
          <Button busy={change.isPending} onClick={() => set({ per_order: null, per_day: null })}>
            Remove the limit
          </Button>
        </div>
      ) : null}
    </FormDialog>
  )
}
