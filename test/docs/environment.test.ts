import { globSync, readFileSync } from 'node:fs'
import { describe, it } from 'node:test'
import { expect } from 'chai'
import { ROOT } from '../../cli/machine/paths.ts'

const SCHEMAS = [
  '{api,facilitator,indexer,cli/machine}/env.ts',
  'protocol/environment/environment.ts',
  '{api/config,facilitator}/**/*.ts',
]

describe('the reference of the environment', () => {
  it('has every variable that a process takes', () => {
    const page = readFileSync(`${ROOT}docs/operate/environment.md`, 'utf8')
    const rules = readFileSync(`${ROOT}docs/operate/rules.md`, 'utf8')
    const names = globSync(SCHEMAS, { cwd: ROOT }).flatMap((file) =>
      [...readFileSync(ROOT + file, 'utf8').matchAll(/^\s+([A-Z][A-Z0-9]+(?:_[A-Z0-9]+)+): (?!')/gm)].map(
        ([, name]) => name,
      ),
    )
    expect(names).to.include.members(['BASE_URL', 'SUBMITTER_KEYS', 'S3_BUCKET', 'POLLING_INTERVAL_MS', 'MARKET_TOKEN'])
    const missing = [...new Set(names)].filter((name) => !page.includes(`\`${name}\``) && !rules.includes(`\n${name}=`))
    expect(missing).to.deep.equal([])
  })
})
