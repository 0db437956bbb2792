import { t } from '../../texts/texts.ts'
import { Snippet } from '../../ui/code/Snippet.tsx'
import { Section } from '../../ui/layout/Section.tsx'

/** The same stream for a program: by curl and by the SDK. */
export function StreamExample({ pattern }: { pattern: string }) {
  const query = pattern === '*' ? '' : `?subjects=${encodeURIComponent(pattern)}`
  const subjects = pattern.split(/[\s,]+/).map((subject) => `'${subject}'`)
  return (
    <Section title={t('The same for your program')}>
      <Snippet
        title="curl"
        text={`curl -N -H 'Accept: text/event-stream' -H "Authorization: Bearer $MARKET_TOKEN" '${location.origin}/v1/events${query}'`}
      />
      <Snippet
        title="SDK"
        text={`for await (const event of market.events({ subjects: [${subjects.join(', ')}] })) console.log(event)`}
      />
    </Section>
  )
}
