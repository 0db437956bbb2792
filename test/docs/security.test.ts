import { readFileSync } from 'node:fs'
import { glob } from 'node:fs/promises'
import { describe, it } from 'node:test'
import { expect } from 'chai'
import { ROOT } from '../../cli/machine/paths.ts'

const read = (path: string) => readFileSync(ROOT + path, 'utf8')
/** A page with each item of its lists on one line. */
const pageAt = (path: string) => read(path).replace(/\n {2,}(?=[^\s-])/g, ' ')
const page = pageAt('docs/security.md')
const owasp = pageAt('docs/owasp.md')
const rowsOf = (text: string) => text.match(/^- .*$/gm) ?? []

describe('the pages about thefts and risks', () => {
  it('shows a test for every item', () => {
    const [thefts, risks] = [rowsOf(page), rowsOf(owasp)]
    expect(thefts.length).to.be.above(15)
    expect(risks.length).to.equal(10)
    expect([...thefts, ...risks].filter((row) => !/Test\.test_\w+`|`test\/[\w/.]+\.ts` "/.test(row))).to.deep.equal([])
  })

  it('names only tests that there are', async () => {
    const paths = await Array.fromAsync(glob('test/contracts/**/*.t.sol', { cwd: ROOT }))
    const contracts = paths.map(read)
    const solidity = [...page.matchAll(/`(\w+Test)\.(\w+)`/g)].filter(
      ([, contract, test]) =>
        !contracts.some((file) => file.includes(`contract ${contract} `) && file.includes(`function ${test}(`)),
    )
    const others = [...(page + owasp).matchAll(/`(test\/[\w/]+(?:\.test)?\.ts)` "([^"]+)"/g)].filter(
      ([, file = '', title = '']) => !read(file).includes(title),
    )
    expect([...solidity, ...others].map(([whole]) => whole)).to.deep.equal([])
  })

  it('has a row for every role of the database', () => {
    for (const role of read('api/platform/db/roles.ts').match(/market_\w+/g) ?? [])
      expect(page).to.include(`\`${role}\``)
  })
})
