import { useState } from 'react'
import { type Body, useRead } from '../../data/queries.ts'
import { Facts } from '../../ui/Facts.tsx'
import { Field } from '../../ui/Field.tsx'
import { PageHead } from '../../ui/PageHead.tsx'
import { Problem } from '../../ui/Problem.tsx'
import { Section } from '../../ui/Section.tsx'
import { Time } from '../../ui/Time.tsx'
import { useSignature } from './dispute/Verdict.tsx'
import { Verified } from './order/Verified.tsx'

type Proof = Body<'verifyReceipt'>
type Verdict = Body<'getVerdict'>

/** Checks a pasted proof in this browser, against the keys that the service publishes. It is open to everybody. */
export function Verify() {
  const [text, setText] = useState('')
  const config = useRead('getPublicConfig', {})
  const read = parse(text)
  const take = async (file: File | undefined) => setText(file ? await file.text() : '')
  return (
    <>
      <PageHead
        title="Verify"
        about="Paste a receipt’s proof, or a verdict, as the API or a page gave it. It is checked in this browser; nothing is sent."
      />
      <div className="stack">
        <Field
          label="Proof, as JSON"
          hint={text && !read ? 'This is not JSON of a receipt’s proof or a verdict.' : 'Or choose the file below.'}
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
        <Field label="File">
          {(props) => <input {...props} type="file" onChange={(event) => take(event.target.files?.[0])} />}
        </Field>
      </div>
      <Problem error={config.error} />
      {read?.kind === 'receipt' ? (
        <Section title="Receipt">
          <Verified answer={read.proof} />
        </Section>
      ) : null}
      {read?.kind === 'verdict' ? <CheckedVerdict verdict={read.verdict} /> : null}
    </>
  )
}

function CheckedVerdict({ verdict }: { verdict: Verdict }) {
  const checked = useSignature(verdict)
  return (
    <Section title="Verdict">
      <Facts
        facts={[
          [
            'Signature',
            checked === undefined ? '…' : checked ? '✓ of a key of the market' : '✕ not of the market’s keys',
          ],
          ['Remedy', verdict.remedy.replaceAll('_', ' ')],
          ['Decided', <Time key="decided" at={verdict.decided_at} relative={false} />],
        ]}
      />
      <p>{verdict.grounds}</p>
    </Section>
  )
}

function parse(text: string): { kind: 'receipt'; proof: Proof } | { kind: 'verdict'; verdict: Verdict } | undefined {
  try {
    const value = JSON.parse(text) as Partial<Proof> & Partial<Verdict>
    if (value.receipt_urn && value.proof !== undefined) return { kind: 'receipt', proof: value as Proof }
    if (value.signed && value.remedy) return { kind: 'verdict', verdict: value as Verdict }
  } catch {
    return undefined
  }
  return undefined
}
