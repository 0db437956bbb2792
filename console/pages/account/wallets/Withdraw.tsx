import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { formatAmount } from '../../../../protocol/encoding/amounts.ts'
import type { Body } from '../../../data/queries.ts'
import { Trans } from '../../../texts/Trans.tsx'
import { t } from '../../../texts/texts.ts'
import { Button } from '../../../ui/forms/Button.tsx'
import { Field } from '../../../ui/forms/Field.tsx'
import { Form } from '../../../ui/forms/Form.tsx'
import { Problem } from '../../../ui/forms/Problem.tsx'
import { DescriptionList } from '../../../ui/layout/DescriptionList.tsx'
import { Amount } from '../../../ui/values/Amount.tsx'
import { ChainHash } from '../../../ui/values/ChainHash.tsx'
import { WalletError } from '../../../wallet/provider.ts'
import { WholeAddress } from '../../../wallet/WholeAddress.tsx'
import { type ConnectedWallet, ensureChain, nodeOf, type Receipt } from '../../../wallet/wallets.ts'
import { withdrawFrom } from './internal/withdrawFrom.ts'

const POLL_MS = 5_000

interface Props {
  wallet: ConnectedWallet
  config: Body<'getPublicConfig'>
  onClose: () => void
}

/** Shows a wallet's credit at the contract and the transaction that withdraws it, and sends that. */
export function Withdraw({ wallet, config, onClose }: Props) {
  const client = useQueryClient()
  const market = { chainId: config.chain_id, escrow: config.escrow_contract, token: config.token.address }
  const [to, setTo] = useState('')
  const credit = useQuery({
    queryKey: ['claimable', market.escrow, wallet.address],
    queryFn: async () => {
      await ensureChain(wallet, market.chainId)
      const { readClaimable } = await import('../../../../sdk/escrow.ts')
      return formatAmount(await readClaimable(nodeOf(wallet), market, wallet.address))
    },
    // After a refusal of the person the wallet is not asked again; after a failure of its node it is.
    refetchInterval: ({ state }) =>
      state.error instanceof WalletError && state.error.fault !== 'failed' ? false : POLL_MS,
  })
  const withdraw = useMutation({
    mutationFn: () => withdrawFrom(wallet, market, to.trim()),
    onSettled: () =>
      Promise.all(
        ['claimable', 'readBalances', 'readOrderMoney', 'listOrderMoney'].map((key) =>
          client.invalidateQueries({ queryKey: [key] }),
        ),
      ),
  })
  const hasCredit = credit.data !== undefined && Number(credit.data) > 0
  return (
    <Form
      submit={t('Withdraw')}
      kind="primary"
      disabled={!hasCredit}
      beside={
        <Button kind="quiet" onClick={onClose}>
          {t('Another wallet')}
        </Button>
      }
      onSubmit={() => withdraw.mutateAsync()}
    >
      <DescriptionList
        items={[
          [t('Wallet'), <WholeAddress key="wallet" value={wallet.address} />],
          [t('Credit, by the wallet’s own node'), credit.data ? <Amount key="credit" value={credit.data} /> : '…'],
        ]}
      />
      <Problem error={credit.error} />
      {hasCredit ? (
        <>
          <Field label={t('Send it to another address')} hint={t('Empty: to the wallet itself.')}>
            {(props) => (
              <input {...props} value={to} onChange={(event) => setTo(event.target.value)} className="mono" />
            )}
          </Field>
          <DescriptionList
            items={[
              [t('Your wallet will call'), to.trim() ? 'withdrawTo(address)' : 'withdraw()'],
              [t('of the escrow contract'), <WholeAddress key="escrow" value={market.escrow} />],
              [t('on chain'), market.chainId],
              [t('and all of the credit goes to'), <WholeAddress key="to" value={to.trim() || wallet.address} />],
            ]}
          />
        </>
      ) : null}
      {withdraw.data ? <Withdrawn receipt={withdraw.data} /> : null}
    </Form>
  )
}

function Withdrawn({ receipt }: { receipt: Receipt }) {
  return (
    <p role="status">
      <Trans
        message="Withdrawn in block {number}: {transaction}"
        number={Number(receipt.blockNumber)}
        transaction={<ChainHash kind="tx" value={receipt.transactionHash} />}
      />
    </p>
  )
}
