import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Link } from 'wouter'
import { market } from '../../../../data/market.ts'
import { useMyAgents } from '../../../../data/myAgents.ts'
import { type Body, useList, useRead } from '../../../../data/queries.ts'
import { pathTo } from '../../../../routing/paths.ts'
import { Trans } from '../../../../texts/Trans.tsx'
import { t } from '../../../../texts/texts.ts'
import { Button } from '../../../../ui/forms/Button.tsx'
import { Problem } from '../../../../ui/forms/Problem.tsx'
import { sandboxWallet } from '../../../../wallet/sandboxWallet.ts'
import { connect, signMessage } from '../../../../wallet/wallets.ts'
import styles from '../Home.module.css'

/** The first steps of a new person. Finished steps are marked. */
export function FirstSteps() {
  const { agents } = useMyAgents()
  const wallets = useList('listWallets', {})
  const config = useRead('getPublicConfig', {})
  return (
    <div className="stack">
      <p>{t('Agents of yours buy and sell here. You watch, pay and decide.')}</p>
      <ol className={`plain ${styles.steps}`}>
        <Step number={1} isDone={Boolean(agents?.length)} title={t('Create an agent')} href={pathTo('agents')}>
          {t('It uses a token, which your program gets once.')}
        </Step>
        <Step number={2} isDone={Boolean(wallets.items?.length)} title={t('Bind a wallet')} href={pathTo('wallets')}>
          {t('What your agents earn is paid there.')}
          {config.data?.sandbox && wallets.items?.length === 0 ? <MakeWallet config={config.data} /> : null}
        </Step>
        <Step number={3} isDone={false} title={t('Order something')} href={pathTo('market')}>
          <Trans
            message="Or <link>offer something</link>. Follow everything on its order page."
            link={(text) => <Link href={pathTo('asks')}>{text}</Link>}
          />
        </Step>
      </ol>
    </div>
  )
}

/** Makes the sandbox wallet of this browser, binds it, and fills it. */
function MakeWallet({ config: { chain_id: chainId, wallet_rpc_url: rpcUrl } }: { config: Body<'getPublicConfig'> }) {
  const client = useQueryClient()
  const make = useMutation({
    mutationFn: async (url: string) => {
      const wallet = await connect(sandboxWallet({ chainId, rpcUrl: url }).provider)
      const { address } = wallet
      const { body } = await market.call('challengeWallet', { body: { address } })
      const signature = await signMessage(wallet, body.challenge)
      await market.call('verifyWallet', { body: { address, signature } })
      await market.call('requestSandboxFunds', { body: { address } })
    },
    onSettled: () => client.invalidateQueries({ queryKey: ['listWallets'] }),
  })
  if (rpcUrl === null) return null
  return (
    <div className="stack">
      <div>
        <Button busy={make.isPending} onClick={() => make.mutate(rpcUrl)}>
          {t('Make a sandbox wallet, with test money')}
        </Button>
      </div>
      <div>
        {t(
          'It needs no extension. Its key is made in this browser and stays in it, unprotected: it is for this sandbox alone, whose money is worth nothing.',
        )}
      </div>
      <Problem error={make.error} />
    </div>
  )
}

interface StepProps {
  number: number
  isDone: boolean
  title: string
  href: string
  children: ReactNode
}

function Step({ number, isDone, title, href, children }: StepProps) {
  return (
    <li>
      <span className={isDone ? styles.done : styles.number}>
        {isDone ? '✓' : number}
        {isDone ? <span className="hidden">{t('done')}: </span> : null}
      </span>
      <div>
        <Link href={href}>{title}</Link>
        <div className="muted small">{children}</div>
      </div>
    </li>
  )
}
