import { useMutation, useQueryClient } from '@tanstack/react-query'
import { market } from '../data/market.ts'
import { useRead } from '../data/queries.ts'
import { t } from '../texts/texts.ts'
import { Button } from './forms/Button.tsx'
import { Problem } from './forms/Problem.tsx'
import { marketNow, setMarketClock } from './values/format.ts'

const SECOND_MS = 1_000

/** In a sandbox, moves all its clocks to the end of a window; in any other market it renders nothing. */
export function AdvanceClock({ to }: { to: string }) {
  const { data: config } = useRead('getPublicConfig', {})
  const client = useQueryClient()
  const advance = useMutation({
    mutationFn: async () => {
      const seconds = Math.ceil((new Date(to).getTime() - marketNow()) / SECOND_MS) + 1
      const { body } = await market.call('advanceSandboxClock', { body: { seconds: Math.max(1, seconds) } })
      setMarketClock(body.now)
    },
    onSuccess: () => client.invalidateQueries(),
  })
  if (!config?.sandbox) return null
  return (
    <>
      <Button kind="quiet" busy={advance.isPending} onClick={() => advance.mutate()}>
        {t('Advance to the end of this window')}
      </Button>
      <Problem error={advance.error} />
    </>
  )
}
