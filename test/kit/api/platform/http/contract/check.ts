import { servedRoutes } from '../../../../../../api/app.ts'
import { problems } from '../../../../../../api/modules.ts'
import { openApiDocument } from '../../../../../../api/platform/http/openapi/openapi.ts'
import { closed } from '../../../../../../api/platform/http/route/schemas.ts'
import { versionAdapters } from '../../../../../../api/versions/adapt.ts'
import { describedIn } from './described.ts'
import { lint } from './lint.ts'

// ./market check runs this: the contract that the API serves, and each request it shows taken by what will
// read it.
const document = openApiDocument(servedRoutes, problems, versionAdapters, 'http://127.0.0.1')
const faults = [...(await lint(document)), ...describedIn(document).flatMap(refusedExample)]
for (const fault of faults) process.stdout.write(`${fault}\n`)
process.exitCode = faults.length === 0 ? 0 : 1

function refusedExample({ operationId, requestBody }: ReturnType<typeof describedIn>[number]): string[] {
  const body = servedRoutes.find((route) => route.operationId === operationId)?.body
  const issues = body && closed(body).safeParse(requestBody?.content['application/json']?.example).error?.issues
  return issues ? [`${operationId}: its example would be refused: ${JSON.stringify(issues)}`] : []
}
