import { useEffect } from 'react'
import type { Body } from '../../../data/queries.ts'
import { useRead } from '../../../data/queries.ts'
import { Trans } from '../../../texts/Trans.tsx'
import { t } from '../../../texts/texts.ts'
import { setMarketClock, timeText } from '../../../ui/values/format.ts'
import { announceSandboxWallet } from '../../../wallet/sandboxWallet.ts'

/**
 * What only a sandbox has in the navigation: that its money is worth nothing, its clock, and its wallet for
 * this browser.
 */
export function SandboxClock({ config }: { config: Body<'getPublicConfig'> }) {
  const { data } = useRead('readSandboxClock', {}, { pollMs: 15_000 })
  if (data) setMarketClock(data.now)
  const { chain_id: chainId, wallet_rpc_url: rpcUrl } = config
  useEffect(() => (rpcUrl === null ? undefined : announceSandboxWallet({ chainId, rpcUrl })), [chainId, rpcUrl])
  return (
    <>
      <strong>{t('Sandbox: its money is worth nothing')}</strong>
      {data ? (
        <div>
          <Trans message="Its clock: {time}" time={<time dateTime={data.now}>{timeText(data.now)}</time>} />
        </div>
      ) : null}
    </>
  )
}
