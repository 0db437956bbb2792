import { Trans } from '../../../../texts/Trans.tsx'
import { t } from '../../../../texts/texts.ts'
import { Amount } from '../../../../ui/values/Amount.tsx'
import type { SpendLimit } from '../SpendLimitFields.tsx'

/** The amount that a token has paid today, and its limit. */
export function Spent({ spent, limit }: { spent: string; limit: SpendLimit | null }) {
  const { per_order: atOnce, per_day: aDay } = limit ?? { per_order: null, per_day: null }
  return (
    <span>
      {aDay === null ? (
        <Amount value={spent} />
      ) : (
        <Trans message="{spent} of {limit}" spent={<Amount value={spent} />} limit={<Amount value={aDay} />} />
      )}
      {atOnce === null ? null : (
        <span className="muted">
          {', '}
          <Trans message="each at most {amount}" amount={<Amount value={atOnce} />} />
        </span>
      )}
      {limit === null ? <span className="muted">, {t('no limit')}</span> : null}
    </span>
  )
}
