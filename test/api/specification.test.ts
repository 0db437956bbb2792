import { existsSync, readFileSync } from 'node:fs'
import { describe, it } from 'node:test'
import { expect } from 'chai'
import { servedRoutes } from '../../api/app.ts'
import { openApiDocument } from '../../api/platform/http/openapi/openapi.ts'
import { requestSandboxFunds } from '../../api/sandbox/routes.ts'
import { versionAdapters } from '../../api/versions/adapt.ts'
import { ROOT } from '../../cli/machine/paths.ts'
import { describedIn } from '../kit/api/platform/http/contract/described.ts'
import { ANSWER_MEMBERS, ENDPOINTS, REQUEST_MEMBERS } from '../kit/api/specification/endpoints.ts'
import { LIFECYCLES } from '../kit/api/specification/lifecycles.ts'
import { RESOURCES } from '../kit/api/specification/resources.ts'
import { MEASURED, RULES } from '../kit/api/specification/rules.ts'
import { T } from '../kit/api/specification/tests.ts'

const SECTIONS = { ...RESOURCES, ...LIFECYCLES, ...RULES }
/** The sections of the specification that say what the service does. 4 is the table of endpoints. */
const NUMBERS = [
  ...[
    '1',
    '2.1',
    '2.2',
    '2.3',
    '2.4',
    '2.5',
    '2.5.1',
    '2.6',
    '2.7',
    '2.8',
    '2.9',
    '2.10',
    '2.11',
    '2.12',
    '2.13',
    '2.14',
  ],
  ...['3.1', '3.2', '3.3', '3.4', '4.1', '4.2', '4.3', '5', '6.1', '6.2', '6.3', '6.4', '7', '8', '8.1', '9'],
]

describe('the table of what the market’s specification says', () => {
  const operations = describedIn(
    openApiDocument([...servedRoutes, requestSandboxFunds], versionAdapters, 'http://127.0.0.1'),
  )
  const served = new Map(operations.map((each) => [`${each.method.toUpperCase()} ${each.path}`, each]))

  it('has statements of every section, each once, and each with a test', () => {
    expect(Object.keys(SECTIONS).toSorted()).to.deep.equal(NUMBERS.toSorted())
    const statements = Object.entries(SECTIONS).flatMap(([section, each]) => each.map(([says]) => `${section} ${says}`))
    expect(statements.filter((says, at) => statements.indexOf(says) !== at)).to.deep.equal([])
    const without = Object.values(SECTIONS).flatMap((each) => each.filter(([, ...tests]) => tests.length === 0))
    expect(without).to.deep.equal([])
    const members = [...Object.values(REQUEST_MEMBERS), ...Object.values(ANSWER_MEMBERS)].flat().length
    expect(statements.length + Object.keys(ENDPOINTS).length + members).to.be.above(400)
  })

  it('names tests that exist, and each test that it knows', () => {
    const exists = (name: string) => {
      const [file, title = ''] = name.split(' › ')
      const path = `${ROOT}test/${file}.test.ts`
      return existsSync(path) && readFileSync(path, 'utf8').includes(title)
    }
    expect(Object.values(T).filter((name) => !exists(name))).to.deep.equal([])
    const named = new Set([...Object.values(SECTIONS).flat(2), ...Object.values(ENDPOINTS).flat()] as string[])
    expect(Object.values(T).filter((name) => !named.has(name))).to.deep.equal([])
    const unmeasured = Object.values(MEASURED).filter((bench) => !existsSync(`${ROOT}bench/${bench}.ts`))
    expect(unmeasured).to.deep.equal([])
  })

  it('names operations that are served', () => {
    expect(Object.keys(ENDPOINTS).filter((endpoint) => !served.has(endpoint))).to.deep.equal([])
  })

  for (const [endpoint, members] of Object.entries(REQUEST_MEMBERS)) {
    it(`${endpoint} takes what the specification names`, () => {
      const operation = served.get(endpoint)
      const body = operation?.requestBody?.content['application/json']?.schema
      const taken = [...membersOf(body), ...(operation?.parameters ?? []).map(({ name }) => name)]
      expect(taken).to.include.members([...members])
    })
  }

  for (const [endpoint, [status, ...members]] of Object.entries(ANSWER_MEMBERS)) {
    it(`${endpoint} answers ${status} with what the specification names`, () => {
      const answer = served.get(endpoint)?.responses[status]?.content?.['application/json']?.schema
      expect(membersOf(answer)).to.include.members(members)
    })
  }
})

/** The names of a schema's members, also of its parts. */
function membersOf(schema: Record<string, unknown> = {}): string[] {
  const parts = [schema.allOf, schema.anyOf, schema.oneOf].flatMap((each) => (each ?? []) as Record<string, unknown>[])
  return [...Object.keys((schema.properties ?? {}) as object), ...parts.flatMap(membersOf)]
}
