import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { afterEach, beforeEach, describe, it, mock } from 'node:test'
import { expect } from 'chai'
import { type Command, commands } from '../../cli/commands.ts'
import { ROOT } from '../../cli/machine/paths.ts'
import { runCommand } from '../../cli/runCommand.ts'
import { Misuse } from '../../cli/terminal/options.ts'

describe('a command of ./market', () => {
  let told: string[]
  beforeEach(() => {
    told = []
    mock.method(console, 'log', (text: string) => told.push(text))
  })
  afterEach(() => mock.restoreAll())

  const unused = async () => {
    throw new Error('it was begun')
  }

  it('that takes no options of its own tells its usage when it is asked, and begins nothing', async () => {
    const plain = Object.entries(commands).filter(([, { plain: takesNone }]) => takesNone)
    expect(plain.map(([name]) => name)).to.include.members(['migrate', 'restored', 'api', 'generate'])
    for (const [name, command] of plain)
      for (const asked of ['--help', '-h'])
        expect(await runCommand(name, { ...command, load: unused }, [asked]), name).to.equal(0)
    expect(told.every((text) => text.startsWith('Usage: ./market '))).to.equal(true)
  })

  it('that takes no options refuses what it does not know, and passes on the flags that it does', async () => {
    const given: string[][] = []
    const run = async (args: string[]) => given.push(args)
    const command: Command = { summary: '', plain: { about: '', flags: ['--check'] }, load: async () => ({ run }) }
    const refused = await runCommand('x', command, ['--check', '--force']).catch((error) => error)
    expect(refused).to.be.instanceOf(Misuse)
    await runCommand('x', command, ['--check'])
    expect(given).to.deep.equal([['--check']])
  })

  it('exits as the process that it became said: the facilitator fails where it was told nothing', async () => {
    const child = spawn(process.execPath, [`${ROOT}cli/main.ts`, 'facilitator'], {
      env: { PATH: process.env.PATH },
      stdio: 'ignore',
    })
    expect((await once(child, 'exit'))[0]).to.equal(1)
  })

  it('node runs a program with our Node, and exits as that does', async () => {
    const program = ['-e', 'process.exit(process.argv[1] === "seven" ? 7 : 0)', 'seven']
    const child = spawn(process.execPath, [`${ROOT}cli/main.ts`, 'node', ...program], { stdio: 'ignore' })
    expect((await once(child, 'exit'))[0]).to.equal(7)
  })
})
