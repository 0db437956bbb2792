import { spawn } from 'node:child_process'
import { once } from 'node:events'

const USAGE = `Usage: ./market node <program> [arguments]

Runs a program with the Node that the market runs on, such as one of examples/, where the machine's own is older than 24.`

/**
 * Runs a program with the market's own Node, because the machine's may be older. Returns its exit code.
 * Ctrl-C also reaches the program, which is in the same process group, and this process ends only after it.
 */
export async function run(args: string[]): Promise<number> {
  if (args.length === 0 || args[0] === '--help') {
    console.log(USAGE)
    return 0
  }
  process.on('SIGINT', () => {})
  const child = spawn(process.execPath, args, { stdio: 'inherit' })
  process.on('SIGTERM', () => child.kill('SIGTERM'))
  const [code, signal] = await once(child, 'exit')
  return code ?? (signal === 'SIGINT' ? 130 : 143)
}
