import { byName, type ProblemType } from '../../../errors.ts'

const HEAD = `# Errors

For everyone who calls the API: every type of error. \`./market generate\` writes this page.

Every error is \`application/problem+json\` ([RFC 9457](https://www.rfc-editor.org/rfc/rfc9457)). \`type\` is stable: branch on it. \`detail\` is
for people and may change. \`instance\` names the request in the service's log. \`field\` names the wrong member, parameter or header.

The \`type\` is \`market:error:\` and a name below. In version 2026-05-05 it is the address of the type's page, \`{base_url}/problems/<name>\`; the header
\`Link\` (\`rel="help"\`) has that address in every version. \`GET /openapi.json\` lists the errors of each operation. Repeat a 429, a 503 and
\`idempotency/in-flight\` after the time in \`Retry-After\`; do not repeat another 4xx unchanged.

`

/** Returns the catalogue of all problem types, as a page of Markdown. */
export function problemCatalogue(problems: readonly ProblemType[]): string {
  return (
    HEAD +
    byName(problems)
      .map(({ name, status, title }) => `- \`${name}\` ${status}: ${title}\n`)
      .join('')
  )
}
