import { commands } from './commands.ts'
import { helpText } from './help.ts'
import { runCommand } from './runCommand.ts'

const [name = 'help', ...args] = process.argv.slice(2)
const command = commands[name]
if (command) {
  try {
    const code = await runCommand(name, command, args)
    // A process that ran by itself has said how it ended.
    if (code !== undefined) process.exitCode = code
  } catch (error) {
    const { failureCode, failureText } = await import('./failure.ts')
    console.error(failureText(error))
    process.exitCode = failureCode(error)
  }
} else if (['help', '--help', '-h'].includes(name)) {
  console.log(helpText(commands))
} else {
  console.error(`There is no command ${name}. ./market help lists them.`)
  process.exitCode = 2
}
