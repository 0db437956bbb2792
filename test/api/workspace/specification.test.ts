import { readFileSync } from 'node:fs'
import { describe, it } from 'node:test'
import { expect } from 'chai'
import { servedRoutes } from '../../../api/app.ts'
import { problems } from '../../../api/problems.ts'
import { ROOT } from '../../../cli/machine/paths.ts'
import { ATTACKS, ENDPOINTS, ERRORS, RULES } from '../../kit/api/workspace/specification.ts'

describe('the table of what the workspace’s specification says', () => {
  const exists = (name: string) => {
    const [file = '', title = ''] = name.split(' › ')
    return readFileSync(`${ROOT}test/${file}.test.ts`, 'utf8').includes(title)
  }

  it('names tests that exist', () => {
    const named = [...[ENDPOINTS, RULES, ATTACKS].flatMap(Object.values), ...ERRORS.map(({ test }) => test)] as string[]
    expect(named.length).to.be.above(90)
    expect(named.filter((name) => !exists(name))).to.deep.equal([])
  })

  it('names operations that are served', () => {
    const served = servedRoutes.map(({ method, path }) => `${method.toUpperCase()} ${path}`)
    expect(Object.keys(ENDPOINTS).filter((endpoint) => !served.includes(endpoint))).to.deep.equal([])
  })

  it('names codes that have their status', () => {
    const known = Object.entries(problems).map(([name, { status }]) => `${status} ${name.replaceAll('-', '_')}`)
    const wrong = ERRORS.filter(({ status, code }) => !known.includes(`${status} workspace/${code}`))
    expect(wrong).to.deep.equal([])
  })
})
