import { commands } from './commands.ts'
import { helpText } from './help.ts'
import { IS_PACKAGED } from './machine/paths.ts'
import { runCommand } from './runCommand.ts'

// The argument that marks the process that leads the group of a command's processes.
const LEADING = '--leading'
const isLeading = process.argv[2] === LEADING
const [name = 'help', ...args] = process.argv.slice(isLeading ? 3 : 2)
const command = commands[name]
if (command?.inRepository && IS_PACKAGED) {
  console.error(`${name} runs in a clone of the repository: this folder holds what servers run.`)
  process.exitCode = 2
} else if (command) {
  try {
    const code =
      command.inGroup && !isLeading
        ? await (await import('./machine/group.ts')).runInGroup([import.meta.filename, LEADING, name, ...args])
        : await runCommand(name, command, args)
    // A process that ran on its own has already reported how it ended.
    if (code !== undefined) process.exitCode = code
  } catch (error) {
    const { failureCode, failureText } = await import('./terminal/failure.ts')
    console.error(failureText(error))
    process.exitCode = failureCode(error)
  }
} else if (['help', '--help', '-h'].includes(name)) {
  const here = Object.entries(commands).filter(([, { inRepository }]) => !(inRepository && IS_PACKAGED))
  console.log(helpText(Object.fromEntries(here)))
} else {
  console.error(`There is no command ${name}. ./market help lists them.`)
  process.exitCode = 2
}
