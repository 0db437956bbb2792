import { useState } from 'react'
import { urnString } from '../../../../../protocol/encoding/urn.ts'
import { market, marketAs } from '../../../../data/market.ts'
import { useMe } from '../../../../data/me.ts'
import type { Body } from '../../../../data/queries.ts'
import { trustedMarket } from '../../../../data/storage/trusted.ts'
import { urnText } from '../../../../data/urn.ts'
import { t } from '../../../../texts/texts.ts'
import { Field } from '../../../../ui/forms/Field.tsx'
import { typed } from '../../../../ui/forms/Form.tsx'
import { FormDialog } from '../../../../ui/forms/FormDialog.tsx'
import { ConnectWallet } from '../../../../wallet/ConnectWallet.tsx'
import { WholeAddress } from '../../../../wallet/WholeAddress.tsx'
import { connectedWallet, ensureChain, signerOf } from '../../../../wallet/wallets.ts'

type Wallet = Body<'listWallets'>['wallets'][number]

interface Props {
  /** The wallet that payouts go to, or are to go to. */
  wallet: Wallet
  /** The other wallets of the account. */
  others: readonly Wallet[]
  caller: { agent?: string }
  onClose: () => void
}

/** Has an earlier wallet vouch for a payout wallet: both sign, and payouts to the new one then have proof. */
export function HandOver({ wallet, others, caller: { agent }, onClose }: Props) {
  const me = useMe()
  const [connected, setConnected] = useState<readonly string[]>([])
  const signer = async (address: string) => {
    const { chainId } = await trustedMarket()
    const found = await connectedWallet([address])
    if (!found)
      throw new Error(t('{address} is not connected to this page. Connect it below, then try again.', { address }))
    await ensureChain(found, chainId)
    return signerOf(found)
  }
  const handOver = async (form: FormData) => {
    const [earlier, later] = [await signer(typed(form, 'from')), await signer(wallet.address)]
    const { handOverWallet } = await import('../../../../../sdk/wallet.ts')
    const { chainId } = await trustedMarket()
    const place = { owner: urnString('human', me.urn.body), domain: location.host, chainId }
    const client = agent ? marketAs(agent) : market
    await handOverWallet(client, urnText(wallet.urn), { earlier, new: later }, place)
  }
  return (
    <FormDialog
      title={t('Hand over to the new wallet')}
      submit={t('Sign with both wallets')}
      onSubmit={handOver}
      onClose={onClose}
    >
      <WholeAddress value={wallet.address} />
      <p>
        {t(
          'Your earlier wallet and this one sign that both are yours. Payouts to this wallet then need not wait. Nothing is paid, and it costs nothing.',
        )}
      </p>
      <Field label={t('Earlier wallet')} name="from">
        {(props) => (
          <select {...props} defaultValue={others.find(({ is_payout }) => is_payout)?.address}>
            {others.map(({ address }) => (
              <option key={address}>{address}</option>
            ))}
          </select>
        )}
      </Field>
      <ConnectWallet onConnect={({ address }) => setConnected((known) => [...known, address])} />
      {connected.map((address) => (
        <p key={address} className="small">
          <span aria-hidden="true">✓</span> <WholeAddress value={address} />
        </p>
      ))}
    </FormDialog>
  )
}
