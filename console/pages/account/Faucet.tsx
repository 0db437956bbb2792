import { useChange } from '../../data/queries.ts'
import { Trans } from '../../texts/Trans.tsx'
import { t } from '../../texts/texts.ts'
import { Button } from '../../ui/forms/Button.tsx'
import { Problem } from '../../ui/forms/Problem.tsx'
import { Amount } from '../../ui/values/Amount.tsx'

/** Gives a wallet of the sandbox tokens and gas, which are worth nothing. */
export function Faucet({ address }: { address: string }) {
  const request = useChange('requestSandboxFunds')
  return (
    <div className="row">
      <Button busy={request.isPending} onClick={() => request.mutate({ body: { address } })}>
        {t('Get sandbox money')}
      </Button>
      {request.data ? (
        <span role="status">
          <Trans
            message="The wallet holds {amount} USDC now, and gas."
            amount={<Amount value={request.data.token_balance} />}
          />
        </span>
      ) : (
        <span className="muted">{t('Tokens and gas of this sandbox, which are worth nothing.')}</span>
      )}
      <Problem error={request.error} />
    </div>
  )
}
