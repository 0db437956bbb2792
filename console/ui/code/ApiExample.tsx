import { OPERATIONS } from '../../../sdk/generated/operations.ts'
import type { OperationName } from '../../../sdk/market.ts'
import { t } from '../../texts/texts.ts'
import { Snippet } from './Snippet.tsx'

interface Props {
  name: OperationName
  body?: object
  /** The tool of the MCP server that does it, if there is one. */
  tool?: string
}

/** The call of a page's action for a program: by curl, the SDK, and a tool of MCP. */
export function ApiExample({ name, body, tool }: Props) {
  const [method, path] = OPERATIONS[name].split(' ')
  const json = body ? JSON.stringify(body) : ''
  return (
    <details>
      <summary>{t('The same from a program')}</summary>
      <div className="stack">
        <Snippet
          title="curl"
          text={`curl ${method === 'GET' ? '' : `--json '${json}' `}-H "Authorization: Bearer $MARKET_TOKEN" ${location.origin}${path}`}
        />
        <Snippet
          title="SDK"
          text={`const market = createMarket({ baseUrl: '${location.origin}', token })
await market.call('${name}', ${body ? `{ body: ${json} }` : '{}'})`}
        />
        {tool ? <Snippet title="MCP" text={`${tool} ${json || '{}'}`} /> : null}
      </div>
    </details>
  )
}
