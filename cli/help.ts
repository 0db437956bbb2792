import type { Command } from './commands.ts'

const NAME_WIDTH = 21

/** Returns the list of sub-commands as text. */
export function helpText(commands: Readonly<Record<string, Command>>): string {
  const lines = Object.entries(commands).map(([name, { summary }]) => `  ${name.padEnd(NAME_WIDTH)}${summary}`)
  return `Usage: ./market <command> [options]\n\n${lines.join('\n')}\n\n./market <command> --help tells the options of a command.`
}
