import { join, resolve } from 'node:path'
import { PACKAGED_FILE, STATE_DIR } from '../machine/paths.ts'
import { buildPackage } from '../stack/sdkPackage.ts'
import { DONE, MISUSED, readOptions } from '../terminal/options.ts'
import { showStep } from '../terminal/progress.ts'

const USAGE = `Usage: ./market package [server] [--out <folder>]

Builds the SDK as an npm package, which npm publish and npm install take. \`server\` builds the folder that servers run: with Node and
everything else that the processes need, for machines like this one. It may be read-only, and sbom.cdx.json lists what is in it.
Prints the folder: .market/package or .market/server by default. An earlier package there is replaced.`

/** Builds the SDK's npm package or the folder that servers run, and prints where it is. */
export async function run(args: string[]): Promise<number> {
  const { values, positionals } = readOptions(args, { out: { type: 'string' } })
  const [what = 'sdk', ...others] = positionals
  if (values.help || !['sdk', 'server'].includes(what) || others.length > 0) {
    console.error(USAGE)
    return values.help ? DONE : MISUSED
  }
  const folder = resolve(values.out ?? join(STATE_DIR, what === 'sdk' ? 'package' : 'server'))
  const { buildServerPackage, refuseOthers } = await import('./internal/serverPackage.ts')
  await refuseOthers(folder, what === 'sdk' ? 'index.js' : PACKAGED_FILE)
  const { name, version } = what === 'sdk' ? await buildPackage(folder) : await buildServerPackage(folder, showStep)
  console.log(`${name} ${version}: ${folder}`)
  return DONE
}
