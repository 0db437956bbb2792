import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { expect } from 'chai'
import { ROOT } from '../../cli/machine/paths.ts'

// Stands in for ./market: says which part it is, and how it ended.
const WAITS = `#!/usr/bin/env bash
trap 'echo "$* was told" >>told; echo "1 passed, 0 failed"; exit 1' TERM
echo "$* begins"
while :; do sleep 0.05; done
`
const PASSES = `#!/usr/bin/env bash
echo "1 passed, $([[ $1 == check ]] && echo 1 || echo 0) failed, 2 skipped"
[[ $1 != check ]]
`

describe('.ci/run', () => {
  let folder: string
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'market-ci-'))
    await cp(join(ROOT, '.ci'), join(folder, '.ci'), { recursive: true })
  })
  after(() => rm(folder, { recursive: true }))

  const run = async (market: string) => {
    await writeFile(join(folder, 'market'), market)
    await chmod(join(folder, 'market'), 0o755)
    const ci = spawn(join(folder, '.ci/run'), { stdio: ['ignore', 'pipe', 'inherit'] })
    let output = ''
    ci.stdout.on('data', (chunk) => (output += chunk))
    return { ci, output: () => output, closed: once(ci, 'close') }
  }

  it('runs each part, and ends with the sum and with the exit code of those that failed', async () => {
    const { output, closed } = await run(PASSES)
    expect(await closed).to.deep.equal([1, null])
    expect(output().trim().split('\n').at(-1)).to.equal('3 passed, 1 failed, 6 skipped')
  })

  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    it(`passes ${signal} on to the part that runs, and begins no other`, async () => {
      const { ci, output, closed } = await run(WAITS)
      await once(ci.stdout, 'data')
      ci.kill(signal)
      expect(await closed).to.deep.equal([143, null])
      expect(await readFile(join(folder, 'told'), 'utf8')).to.equal('test was told\n')
      expect(output()).to.equal('test begins\n1 passed, 0 failed\n')
      await rm(join(folder, 'told'))
    })
  }
})
