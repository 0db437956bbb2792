import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { it } from 'node:test'
import { promisify } from 'node:util'
import { expect } from 'chai'
import { ROOT } from '../../cli/paths.ts'
import type { Stack } from '../stack/stack.ts'

const CLIENT = `${ROOT}examples/trade.mjs`

/** The client of docs/quickstart.md, run as its reader runs it. */
export function quickStart(stackOf: () => Stack): void {
  it('is traded on by the client of the quick start, which uses no code of ours', async () => {
    const { baseUrl, rpcUrl, credentials } = stackOf()
    const directory = await mkdtemp(join(tmpdir(), 'market-quickstart-'))
    const file = join(directory, 'sandbox.json')
    await writeFile(file, JSON.stringify({ base_url: baseUrl, rpc_url: rpcUrl, human_token: credentials.human_token }))
    const { stdout } = await promisify(execFile)(process.execPath, [CLIENT, file])
    await rm(directory, { recursive: true })
    expect(JSON.parse(stdout)).to.deep.include({ state: 'final', status: 'success' })
  })
}
