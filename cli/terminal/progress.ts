/** Runs some work under a title and returns its result. `why` says why it may take long. */
export type Step = <Result>(title: string, work: () => Promise<Result>, why?: string) => Promise<Result>

const LONG_MS = 3_000

const CLEAR_LINE = '\r\x1b[2K'

/**
 * Prints a line per step, with its duration, on stderr: stdout is for results. One that takes long says why.
 */
export const showStep: Step = async (title, work, why) => {
  const startedMs = performance.now()
  const { stderr } = process
  const explain = () => stderr.write(`${stderr.isTTY ? CLEAR_LINE : ''}  ${title} … ${why}${stderr.isTTY ? '' : '\n'}`)
  const timer = why === undefined ? undefined : setTimeout(explain, LONG_MS)
  const finish = (mark: string) => {
    clearTimeout(timer)
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
