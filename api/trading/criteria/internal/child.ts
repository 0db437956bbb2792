import { readFile } from 'node:fs/promises'
import { measure } from '../measure.ts'

// The program of the isolated child: it reads one delivery, and writes the results of its checks. An error
// ends it with a status that is not 0.

const [, , checks = '[]', path = ''] = process.argv
process.stdout.write(JSON.stringify(await measure(await readFile(path), JSON.parse(checks))))
