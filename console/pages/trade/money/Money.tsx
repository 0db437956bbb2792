import { Link } from 'wouter'
import { useRead } from '../../../data/queries.ts'
import { pathTo } from '../../../routing/paths.ts'
import { t } from '../../../texts/texts.ts'
import { Problem } from '../../../ui/forms/Problem.tsx'
import { PageHead } from '../../../ui/layout/PageHead.tsx'
import { Amount } from '../../../ui/values/Amount.tsx'
import { Balances } from './internal/Balances.tsx'
import { Books } from './internal/Books.tsx'
import { MyLiabilities } from './internal/MyLiabilities.tsx'
import { OrderMoney } from './internal/OrderMoney.tsx'
import { Payouts } from './internal/Payouts.tsx'

/** Balances with their proof, what became of the money of each order, payouts, and the books of a period. */
export function Money() {
  const { data, error } = useRead('readBalances', {}, { pollMs: 15_000 })
  return (
    <>
      <PageHead
        title={t('Money')}
        aside={data ? <Amount value={data.custody.total} large /> : undefined}
        about={t('The service holds this USDC for you. What the contract holds is yours on chain.')}
        actions={
          <Link href={pathTo('wallets')} className="button">
            {t('Withdraw…')}
          </Link>
        }
      />
      <Problem error={error} />
      <Balances />
      <OrderMoney />
      <MyLiabilities />
      <Payouts />
      <Books />
    </>
  )
}
