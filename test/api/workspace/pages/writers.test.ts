import { after, before, describe, it } from 'node:test'
import { expect } from 'chai'
import { startWorkspace, type TestPage, type Workspace } from '../../../kit/api/workspace/world.ts'

const WRITERS = 20
// ./market test deep has them write for a minute.
const DURATION_MS = process.env.MARKET_TEST_DEEP ? 60_000 : 0
const MIN_EDITS = 3

interface Page extends TestPage {
  text: string
  version: number
}

describe('twenty writers on one page', { timeout: 120_000 }, () => {
  let world: Workspace
  before(async () => {
    world = await startWorkspace()
  })
  after(() => world.stop())

  const read = async ({ id }: TestPage) => (await world.call('GET', `/pages/${id}`)).body as unknown as Page
  const edit = ({ id }: TestPage, text: string, version: number) =>
    world.api.send('PATCH', `/orgs/${world.slug}/pages/${id}`, {
      token: world.ada.token,
      headers: { 'market-version': undefined, 'if-match': `"${version}"` },
      body: { text },
    })

  it('lose no accepted edit', async () => {
    const lines = Array.from({ length: WRITERS }, (_, one) => `writer ${one}: 0`)
    const page = await world.newPage(`${lines.join('\n---\n')}\n---\nlast: nobody`)
    const endMs = performance.now() + DURATION_MS
    let refused = 0
    const write = async (one: number): Promise<number> => {
      const own = new RegExp(`^writer ${one}: (\\d+)$`, 'm')
      let written = 0
      while (written < MIN_EDITS || performance.now() < endMs) {
        const { text, version } = await read(page)
        // What was accepted is there, whatever the others wrote since.
        expect(Number(own.exec(text)?.[1])).to.equal(written)
        // The last line is everybody's: two who change it at once conflict, and one of them reads again.
        const next = text.replace(own, `writer ${one}: ${written + 1}`)
        const reply = await edit(page, one % 4 ? next : next.replace(/last: .*$/, `last: ${one}.${written}`), version)
        expect(reply.status, JSON.stringify(reply.body)).to.be.oneOf([200, 412])
        if (reply.status === 200) written += 1
        else refused += 1
      }
      return written
    }
    const counts = await Promise.all(lines.map((_, one) => write(one)))
    const { text, version } = await read(page)
    const found = [...text.matchAll(/^writer \d+: (\d+)$/gm)].map(([, count]) => Number(count))
    expect(found).to.deep.equal(counts)
    // Each accepted edit is a version, and nothing else is.
    expect(version).to.equal(1 + counts.reduce((sum, count) => sum + count))
    expect(refused).to.be.above(0)
  })
})
