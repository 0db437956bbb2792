import { join } from 'node:path'
import { takePictures } from '../../bench/console/pictures.ts'
import { STATE_DIR } from '../machine/paths.ts'
import { compileWithTests } from '../stack/compile.ts'
import { showStep } from '../terminal/progress.ts'

/** Writes a picture of every page of the console, to be looked at, and prints where they are. */
export async function run(): Promise<undefined> {
  await showStep('Compiling the contracts', compileWithTests)
  const folder = join(STATE_DIR, 'pages')
  const count = await showStep('Taking the pictures', () => takePictures(folder))
  console.log(`${count} pictures in ${folder}`)
}
