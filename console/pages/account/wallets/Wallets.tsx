import { useRead } from '../../../data/queries.ts'
import { t } from '../../../texts/texts.ts'
import { Problem } from '../../../ui/forms/Problem.tsx'
import { PageHead } from '../../../ui/layout/PageHead.tsx'
import { ActorSelect } from '../actor/ActorSelect.tsx'
import { useActor } from '../actor/useActor.ts'
import { BindWallet } from './internal/BindWallet.tsx'
import { BoundWallets } from './internal/BoundWallets.tsx'
import { Claim } from './internal/Claim.tsx'

/**
 * The wallets of the person and of their agents: bound by a signature, chosen for payouts, their credit
 * withdrawn.
 */
export function Wallets() {
  const [actor, setActor] = useActor()
  const { data: config, error } = useRead('getPublicConfig', {})
  return (
    <>
      <PageHead title={t('Wallets')} about={t('Payments go to and from wallets that only you control.')} />
      <ActorSelect label={t('Wallets of')} value={actor} onChange={setActor} />
      <Problem error={error} />
      <BoundWallets key={`bound-${actor}`} actor={actor} delaySeconds={config?.rules.payout_wallet_delay_seconds} />
      <BindWallet key={`bind-${actor}`} actor={actor} />
      {config ? <Claim config={config} /> : null}
    </>
  )
}
