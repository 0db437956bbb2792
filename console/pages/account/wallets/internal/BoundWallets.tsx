import { useState } from 'react'
import { type Body, useChange, useList } from '../../../../data/queries.ts'
import { urnText } from '../../../../data/urn.ts'
import { t } from '../../../../texts/texts.ts'
import { Button } from '../../../../ui/forms/Button.tsx'
import { FormDialog } from '../../../../ui/forms/FormDialog.tsx'
import { Section } from '../../../../ui/layout/Section.tsx'
import { Table } from '../../../../ui/layout/Table.tsx'
import { Time } from '../../../../ui/values/Time.tsx'
import { WholeAddress } from '../../../../wallet/WholeAddress.tsx'
import { PayoutState } from '../PayoutState.tsx'
import { HandOver } from './HandOver.tsx'

type Wallet = Body<'listWallets'>['wallets'][number]

interface Props {
  actor: string | undefined
  /** How long a change of the payout wallet waits. */
  delaySeconds: number | undefined
}

/** The wallets that are bound to an account. */
export function BoundWallets({ actor, delaySeconds }: Props) {
  const caller = actor ? { agent: actor } : {}
  const { items, error, more } = useList('listWallets', caller)
  const isPaid = items?.some(({ is_payout }) => is_payout) ?? false
  const [act, setAct] = useState<{ what: 'choose' | 'handOver' | 'remove'; wallet: Wallet }>()
  const others = items?.filter(({ urn }) => urn.body !== act?.wallet.urn.body) ?? []
  return (
    <Section title={t('Bound wallets')}>
      <Table
        caption={t('Bound wallets')}
        rows={items}
        error={error}
        more={more}
        keyOf={({ urn }) => urn.body}
        empty={<p>{t('None yet. Bind one below: a signature proves that you hold it, and costs nothing.')}</p>}
        columns={[
          { title: t('Address'), cell: ({ address }) => <WholeAddress value={address} /> },
          { title: t('Payouts'), isLabelled: true, cell: (wallet) => <PayoutState wallet={wallet} /> },
          { title: t('Bound'), isLabelled: true, cell: ({ verified_at }) => <Time at={verified_at} /> },
          {
            title: t('Change'),
            cell: (wallet) => (
              <div className="row">
                {wallet.is_payout || (wallet.payout_from && isPaid) ? null : (
                  <Button kind="quiet" onClick={() => setAct({ what: 'choose', wallet })}>
                    {t('Pay here')}
                  </Button>
                )}
                {wallet.payout_from && wallet !== items?.at(-1) ? (
                  <Button kind="quiet" onClick={() => setAct({ what: 'handOver', wallet })}>
                    {t('Hand over')}
                  </Button>
                ) : null}
                <Button kind="quiet" onClick={() => setAct({ what: 'remove', wallet })}>
                  {t('Remove')}
                </Button>
              </div>
            ),
          },
        ]}
      />
      {act?.what === 'choose' ? (
        <Choose
          wallet={act.wallet}
          caller={caller}
          hours={Math.round((delaySeconds ?? 0) / 3_600)}
          isPaid={isPaid}
          onDone={() => setAct(others.length > 0 ? { ...act, what: 'handOver' } : undefined)}
          onClose={() => setAct(undefined)}
        />
      ) : null}
      {act?.what === 'handOver' ? (
        <HandOver wallet={act.wallet} others={others} caller={caller} onClose={() => setAct(undefined)} />
      ) : null}
      {act?.what === 'remove' ? <Remove wallet={act.wallet} caller={caller} onClose={() => setAct(undefined)} /> : null}
    </Section>
  )
}

interface ActProps {
  wallet: Wallet
  caller: { agent?: string }
  onClose: () => void
}

interface ChooseProps extends ActProps {
  hours: number
  isPaid: boolean
  onDone: () => void
}

function Choose({ wallet, caller, hours, isPaid, onDone, onClose }: ChooseProps) {
  const choose = useChange('choosePayoutWallet', ['listWallets'])
  return (
    <FormDialog
      title={t('Receive payouts in this wallet')}
      submit={isPaid ? t('Pay here in {hours} h', { hours }) : t('Pay here')}
      onSubmit={() => choose.mutateAsync({ ...caller, params: { urn: urnText(wallet.urn) } })}
      onDone={onDone}
      onClose={onClose}
    >
      <WholeAddress value={wallet.address} />
      <p>
        {t(
          'The change takes effect in {hours, plural, one {# hour} other {# hours}}, or at once if no payout wallet is in use. Until then payouts go to the present wallet. You are notified at once, so that an intruder in your account cannot redirect your money unnoticed. To undo the change, choose another wallet.',
          { hours },
        )}
      </p>
    </FormDialog>
  )
}

function Remove({ wallet, caller, onClose }: ActProps) {
  const remove = useChange('removeWallet', ['listWallets'])
  return (
    <FormDialog
      title={t('Remove the wallet')}
      submit={t('Remove it')}
      isDanger
      onSubmit={() => remove.mutateAsync({ ...caller, params: { urn: urnText(wallet.urn) } })}
      onClose={onClose}
    >
      <WholeAddress value={wallet.address} />
      <p>{t('The wallet is no longer bound. Its contents stay yours, and nobody else can bind it.')}</p>
    </FormDialog>
  )
}
