import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { type Body, useRead } from '../../../data/queries.ts'
import { msg, t } from '../../../texts/texts.ts'
import { word } from '../../../texts/words.ts'
import { Field } from '../../../ui/forms/Field.tsx'
import { Problem } from '../../../ui/forms/Problem.tsx'
import { DescriptionList } from '../../../ui/layout/DescriptionList.tsx'
import { PageHead } from '../../../ui/layout/PageHead.tsx'
import { Section } from '../../../ui/layout/Section.tsx'
import { Time } from '../../../ui/values/Time.tsx'
import { useSignature } from '../dispute/Verdict.tsx'
import { Verified } from '../order/proof/Verified.tsx'
import { type Evidence, readEvidence } from './internal/evidence.ts'

type Verdict = Body<'getVerdict'>

/**
 * Checks a pasted proof in this browser, against the keys that the service publishes. It is open to
 * everybody.
 */
export function Verify() {
  const [text, setText] = useState('')
  const config = useRead('getPublicConfig', {})
  const read = readEvidence(text)
  const take = async (file: File | undefined) => setText(file ? await file.text() : '')
  return (
    <>
      <PageHead
        title={t('Verify')}
        about={t(
          'Paste a receipt’s proof, a verdict, a page or the head of the audit log, or a statement of liabilities, as you got it from the API or a page. This browser checks it; nothing is sent.',
        )}
      />
      <div className="stack">
        <Field
          label={t('Proof, as JSON')}
          hint={text && !read ? t('This is not the JSON of such a document.') : t('Or choose the file below.')}
        >
          {(props) => (
            <textarea
              {...props}
              value={text}
              onChange={(event) => setText(event.target.value)}
              rows={10}
              spellCheck={false}
            />
          )}
        </Field>
        <Field label={t('File')}>
          {(props) => <input {...props} type="file" onChange={(event) => take(event.target.files?.[0])} />}
        </Field>
        <Problem error={config.error} />
        {read?.kind === 'receipt' ? (
          <Section title={t('Receipt')}>
            <Verified answer={read.value} />
          </Section>
        ) : null}
        {read?.kind === 'verdict' ? <CheckedVerdict verdict={read.value} /> : null}
        {read && read.kind !== 'receipt' && read.kind !== 'verdict' ? <CheckedEvidence evidence={read} /> : null}
      </div>
    </>
  )
}

function CheckedVerdict({ verdict }: { verdict: Verdict }) {
  const checked = useSignature(verdict)
  return (
    <Section title={t('Verdict')}>
      <DescriptionList
        items={[
          [
            t('Signature'),
            checked === undefined
              ? '…'
              : checked
                ? `✓ ${t('of a key of the market')}`
                : `✕ ${t('not of the market’s keys')}`,
          ],
          [t('Remedy'), word(verdict.remedy)],
          [t('Decided'), <Time key="decided" at={verdict.decided_at} relative={false} />],
        ]}
      />
      <p>{verdict.grounds}</p>
    </Section>
  )
}

const TITLES = {
  auditPage: msg('Page of the audit log'),
  auditHead: msg('Head of the audit log'),
  balances: msg('Balances in the liabilities of custody'),
  liabilities: msg('Liabilities of custody'),
}

function CheckedEvidence({ evidence }: { evidence: Exclude<Evidence, { kind: 'receipt' | 'verdict' }> }) {
  const keys = useRead('getPublicConfig', {}).data?.keys.keys
  const { data, error } = useQuery({
    queryKey: ['checked', evidence, keys],
    enabled: keys !== undefined,
    queryFn: async () => (await import('./internal/checkEvidence.ts')).checkEvidence(evidence, keys ?? []),
  })
  return (
    <Section title={t(TITLES[evidence.kind])}>
      {error ? <p role="alert">✕ {t('Members are missing or unknown.')}</p> : null}
      <ul className="plain">
        {data?.map(({ fits, words }) => (
          <li key={words}>
            {fits === undefined ? '○' : fits ? '✓' : '✕'} {words}
          </li>
        ))}
      </ul>
    </Section>
  )
}
