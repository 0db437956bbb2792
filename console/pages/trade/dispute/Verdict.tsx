import { useQuery } from '@tanstack/react-query'
import { type Body, useRead } from '../../../data/queries.ts'
import { t } from '../../../texts/texts.ts'
import { word } from '../../../texts/words.ts'
import { Problem } from '../../../ui/forms/Problem.tsx'
import { DescriptionList } from '../../../ui/layout/DescriptionList.tsx'
import { Section } from '../../../ui/layout/Section.tsx'
import { Amount } from '../../../ui/values/Amount.tsx'
import { Data } from '../../../ui/values/Data.tsx'
import { percentText } from '../../../ui/values/format.ts'
import { Time } from '../../../ui/values/Time.tsx'

interface Props {
  urn: string
  order: Body<'getOrder'>
  /** The agent of the person that is a party. */
  agent: string
}

/** The verdict, with its signature checked in this page. Only the parties can read it. */
export function Verdict({ urn, order, agent }: Props) {
  const { data: verdict, error } = useRead('getVerdict', { params: { urn }, agent })
  const checked = useSignature(verdict)
  if (!verdict) return <Problem error={error} />
  const winner = verdict[verdict.winner]
  const side = order.buyer_urn.body === winner.body ? t('the buyer') : t('the seller')
  return (
    <Section title={t('Verdict')}>
      <p>{verdict.grounds}</p>
      <DescriptionList
        items={[
          [t('For'), side],
          [t('Remedy'), word(verdict.remedy)],
          [
            t('Back to the buyer'),
            verdict.partial_amount_usdc ? <Amount value={verdict.partial_amount_usdc} /> : undefined,
          ],
          [t('Confidence'), percentText(verdict.confidence)],
          [t('By'), verdict.prompt_version],
          [t('Decided'), <Time at={verdict.decided_at} relative={false} />],
          [t('Appeal until'), verdict.appeal_until ? <Time at={verdict.appeal_until} /> : undefined],
          [
            t('Signature'),
            checked === undefined
              ? '…'
              : checked
                ? `✓ ${t('of a key of the market, checked here')}`
                : `✕ ${t('does not fit')}`,
          ],
        ]}
      />
      <details>
        <summary>{t('The facts behind it')}</summary>
        <Data value={verdict.signed.document.facts} />
      </details>
    </Section>
  )
}

/**
 * Checks a verdict's signature in this page, against the published keys. Undefined while that is not known.
 */
export function useSignature(verdict: Body<'getVerdict'> | undefined): boolean | undefined {
  const config = useRead('getPublicConfig', {})
  const keys = config.data?.keys.keys
  const { data } = useQuery({
    queryKey: ['checked', verdict?.signed, verdict?.decided_at, keys],
    enabled: verdict !== undefined && keys !== undefined,
    queryFn: async () => {
      if (!verdict || !keys) return false
      const { verifyDocument } = await import('../../../../protocol/keys/signing.ts')
      const { document, key_id, signature } = verdict.signed
      return verifyDocument(document, { keyId: key_id, signature }, keys, {
        purpose: 'verdicts',
        at: verdict.decided_at,
      })
    },
  })
  return data
}
