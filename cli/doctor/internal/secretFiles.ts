import { stat } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { SECRET_FILE_VARIABLES as FACILITATOR_VARIABLES } from '../../../facilitator/keystores.ts'
import { SECRET_FILE_VARIABLES } from '../../../protocol/environment/secretFiles.ts'
import type { Check, Fault } from './check.ts'

const [OTHERS_MAY, GROUP_MAY, OTHERS_MAY_PASS] = [0o007, 0o070, 0o001]
const VARIABLES = [...SECRET_FILE_VARIABLES, ...FACILITATOR_VARIABLES]
// Docker mounts each file here for one container, which has one account.
const MOUNTED = '/run/secrets/'

/** Checks who may read the files that the environment names: secrets, keystores and their passwords. */
export function secretFileChecks(env: NodeJS.ProcessEnv): Check[] {
  const files = VARIABLES.flatMap(
    (variable) => (env[variable] || undefined)?.split(',').map((path) => ({ variable, path })) ?? [],
  )
  if (files.length === 0) return []
  return [
    {
      name: 'secret files',
      cure: 'let the account of this process read them',
      find: async () => (await Promise.all(files.map(faultOf))).flat(),
    },
  ]
}

async function faultOf({ variable, path }: { variable: string; path: string }): Promise<Fault[]> {
  const found = await stat(path).catch((error: NodeJS.ErrnoException) => error.code ?? 'unknown')
  if (typeof found === 'string') {
    return [
      { fault: `${variable}: ${path} cannot be read (${found})`, cure: 'give the path of a file of this account' },
    ]
  }
  // A service manager hands out files of its own, to a group that has this account alone.
  const isOwn = found.uid === process.getuid?.()
  const isOpen =
    (found.mode & OTHERS_MAY) !== 0 && !path.startsWith(MOUNTED) && (await othersPass(dirname(resolve(path))))
  if (!isOpen && !(isOwn && found.mode & GROUP_MAY && !path.startsWith(MOUNTED))) return []
  return [{ fault: `${variable}: others than its owner may use ${path}`, cure: `chmod 600 ${path}` }]
}

/** Whether other accounts get into a folder. */
async function othersPass(folder: string): Promise<boolean> {
  const { mode } = await stat(folder)
  if ((mode & OTHERS_MAY_PASS) === 0) return false
  return folder === '/' || othersPass(dirname(folder))
}
