import { spawn } from 'node:child_process'
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { after, before, describe, it } from 'node:test'
import { expect } from 'chai'
import { ROOT, STATE_DIR } from '../../cli/machine/paths.ts'
import { untilThere } from '../e2e/trading.ts'
import { type Block, blocksOf, isRun, PAGES } from '../kit/docs/blocks.ts'
import { type Stack, startStack } from '../kit/stack/stack.ts'

describe('the code of the documentation, run as its reader runs it', { timeout: 300_000 }, () => {
  let stack: Stack
  let folder: string
  let environment: Record<string, string> = {}

  before(async () => {
    stack = await startStack()
    // An auditor reads a market that has published what it owes.
    const isPublished = async () => (await fetch(`${stack.baseUrl}/v1/liabilities`)).ok
    await untilThere('liabilities are published', isPublished, (published) => published)
    // Inside the repository, so that programs find their packages.
    await mkdir(STATE_DIR, { recursive: true })
    folder = await mkdtemp(join(STATE_DIR, 'docs-'))
    for (const name of ['sdk', 'protocol', 'examples']) await symlink(ROOT + name, join(folder, name))
    const { baseUrl: base_url, rpcUrl: rpc_url, credentials } = stack
    await mkdir(join(folder, '.market'))
    await writeFile(join(folder, '.market/sandbox.json'), JSON.stringify({ base_url, rpc_url, ...credentials }))
    const program = `#!/usr/bin/env bash\nexec node ${ROOT}cli/main.ts "$@"\n`
    await writeFile(join(folder, 'market'), program, { mode: 0o755 })
    const { output } = await shell('eval "$(./market node examples/environment.ts)"; env')
    environment = Object.fromEntries(
      [...output.matchAll(/^(MARKET_URL|MARKET_TOKEN|HUMAN_TOKEN|RPC_URL)=(.+)$/gm)].map(([, name, value]) => [
        name,
        value,
      ]),
    )
    expect(Object.keys(environment)).to.have.length(4)
  })
  after(async () => {
    await rm(folder, { recursive: true, force: true })
    await stack?.stop()
  })

  for (const file of PAGES) {
    const blocks = blocksOf(file).filter(isRun)
    if (blocks.length === 0) continue
    it(`of ${file}: ${blocks.length} blocks`, async () => {
      const steps = await Promise.all(blocks.map(stepOf))
      const { code, output } = await shell(['set -euo pipefail', ...steps].join('\n'))
      expect(code, output).to.equal(0)
    })
  }

  /** Returns a block as lines of the page's shell, whose variables the blocks after it see. */
  async function stepOf({ file, line, language, code }: Block): Promise<string> {
    const at = `echo "${file}:${line}" >&2`
    if (language === 'sh') return `${at}\n${code}`
    const name = `${file.replaceAll(/\W/g, '-')}-${line}.${language === 'js' ? 'mjs' : 'ts'}`
    await writeFile(join(folder, name), code)
    return `${at}\nnode ${name}`
  }

  async function shell(script: string): Promise<{ code: number | null; output: string }> {
    const child = spawn('bash', ['-c', `${script}\n`], {
      cwd: folder,
      env: { ...environment, PATH: process.env.PATH, HOME: folder, NODE_NO_WARNINGS: '1' },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    const { promise: ended, resolve } = Promise.withResolvers<number | null>()
    child.once('close', resolve)
    const [output, errors, code] = await Promise.all([text(child.stdout), text(child.stderr), ended])
    return { code, output: output + errors }
  }
})
