/** Runs some work under a title and returns its result. */
export type Step = <Result>(title: string, work: () => Promise<Result>) => Promise<Result>

const CLEAR_LINE = '\r\x1b[2K'

/** Prints a line per step, with its duration, on stderr: stdout is for results. */
export const showStep: Step = async (title, work) => {
  const startedMs = performance.now()
  const { stderr } = process
  const finish = (mark: string) => {
    const seconds = ((performance.now() - startedMs) / 1000).toFixed(1)
    stderr.write(`${stderr.isTTY ? CLEAR_LINE : ''}${mark} ${title} (${seconds} s)\n`)
  }
  stderr.write(stderr.isTTY ? `  ${title} …` : `  ${title} …\n`)
  try {
    const result = await work()
    finish('✔')
    return result
  } catch (error) {
    finish('✖')
    throw error
  }
}
