import { execFileSync } from 'node:child_process'
import { mkdtemp, readFile, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ROOT } from '../../../cli/machine/paths.ts'

/**
 * Makes a folder with the files of a commit. It runs with the packages of this tree, or, if the commit has
 * others, with its own, which are installed. Returns its path, with a slash at its end. Throws an Error if
 * the clone lacks the commit.
 */
export async function treeOf(commit = 'HEAD'): Promise<string> {
  const tree = `${await mkdtemp(join(tmpdir(), 'market-tree-'))}/`
  execFileSync('bash', ['-c', `set -o pipefail; git -C '${ROOT}' archive ${commit} | tar -x -C '${tree}'`])
  const [theirs, ours] = await Promise.all([tree, ROOT].map(packagesOf))
  const shared = theirs === ours ? ['node_modules', '.market', 'artifacts'] : ['.market', 'artifacts']
  for (const folder of shared) await symlink(join(ROOT, folder), join(tree, folder)).catch(() => {})
  if (theirs !== ours) execFileSync('npm', ['ci', '--prefer-offline', '--no-audit', '--no-fund'], { cwd: tree })
  return tree
}

async function packagesOf(tree: string): Promise<string> {
  const { packages } = JSON.parse(await readFile(join(tree, 'package-lock.json'), 'utf8'))
  return JSON.stringify({ ...packages, '': undefined })
}

/** Changes a file of a tree. Throws an Error if nothing changes. */
export async function changeFile(tree: string, path: string, change: (text: string) => string): Promise<void> {
  const text = await readFile(join(tree, path), 'utf8')
  const changed = change(text)
  if (changed === text) throw new Error(`${path} was not changed`)
  await writeFile(join(tree, path), changed)
}
