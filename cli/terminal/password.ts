import { readFile, stat } from 'node:fs/promises'

const OTHERS_MAY = 0o077

/**
 * Returns the first line of a password file. Throws an Error if others may use the file, or the line is
 * empty.
 */
export async function readPassword(path: string): Promise<string> {
  if ((await stat(path)).mode & OTHERS_MAY) throw new Error('Others may use the password file: chmod 600 it.')
  const [password = ''] = (await readFile(path, 'utf8')).split(/\r?\n/)
  if (password === '') throw new Error('The password file has no password in its first line.')
  return password
}
