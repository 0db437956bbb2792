import { type ProblemName, problems } from '../../../problems.ts'

const HEAD = `# Problems

Every error is \`application/problem+json\` ([RFC 9457](https://www.rfc-editor.org/rfc/rfc9457)): \`type\` is stable, branch on it;
\`detail\` is for people and may change; \`instance\` names the request in our log; \`field\` says which member, parameter or header is
at fault. \`GET /openapi.json\` says which operation can answer which. A 429, a 503 and \`idempotency/in-flight\` say in \`Retry-After\` when to try
again; no other 4xx is worth repeating unchanged. In 2026-05-05 \`type\` is the address of the problem's page, \`{base_url}/problems/<area>/<name>\`. Each has a page on the server that answers, \`/problems/<area>/<name>\`: the header \`Link\`
(\`rel="help"\`) leads there.

This page is generated from \`api/problems.ts\` by \`node cli/main.ts generate\`.

| type | status | meaning |
|---|---|---|
`

/** Returns the catalogue of all problem types, as a page of Markdown. */
export function problemCatalogue(): string {
  const names = (Object.keys(problems) as ProblemName[]).sort()
  const rows = names.map(
    (name) => `| \`market:error:${name}\` | ${problems[name].status} | ${problems[name].title} |\n`,
  )
  return HEAD + rows.join('')
}
