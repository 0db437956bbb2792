import { Amount } from '../../ui/Amount.tsx'
import type { SpendLimit } from './SpendLimitFields.tsx'

/** The amount that a token has paid today, and its limit. */
export function Spent({ spent, limit }: { spent: string; limit: SpendLimit | null }) {
  const { per_order: atOnce, per_day: aDay } = limit ?? { per_order: null, per_day: null }
  return (
    <span>
      <Amount value={spent} />
      {aDay === null ? null : (
        <>
          {' of '}
          <Amount value={aDay} />
        </>
      )}
      {atOnce === null ? null : (
        <span className="muted">
          {', each at most '}
          <Amount value={atOnce} />
        </span>
      )}
      {limit === null ? <span className="muted">, no limit</span> : null}
    </span>
  )
}
