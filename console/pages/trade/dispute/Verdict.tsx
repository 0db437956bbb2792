import { useQuery } from '@tanstack/react-query'
import { type Body, useRead } from '../../../data/queries.ts'
import { Amount } from '../../../ui/Amount.tsx'
import { Data } from '../../../ui/Data.tsx'
import { DescriptionList } from '../../../ui/DescriptionList.tsx'
import { Problem } from '../../../ui/Problem.tsx'
import { Section } from '../../../ui/Section.tsx'
import { Time } from '../../../ui/Time.tsx'

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
  const side = order.buyer_urn.body === winner.body ? 'the buyer' : 'the seller'
  return (
    <Section title="Verdict">
      <p>{verdict.grounds}</p>
      <DescriptionList
        items={[
          ['For', side],
          ['Remedy', verdict.remedy.replaceAll('_', ' ')],
          [
            'Back to the buyer',
            verdict.partial_amount_usdc ? <Amount value={verdict.partial_amount_usdc} /> : undefined,
          ],
          ['Confidence', `${Math.round(verdict.confidence * 100)} %`],
          ['By', verdict.prompt_version],
          ['Decided', <Time at={verdict.decided_at} relative={false} />],
          ['Appeal until', verdict.appeal_until ? <Time at={verdict.appeal_until} /> : undefined],
          [
            'Signature',
            checked === undefined ? '…' : checked ? '✓ of a key of the market, checked here' : '✕ does not fit',
          ],
        ]}
      />
      <details>
        <summary>The facts behind it</summary>
        <Data value={verdict.signed.document.facts} />
      </details>
    </Section>
  )
}

/** Checks a verdict's signature in this page, against the published keys. Undefined while that is not known. */
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
