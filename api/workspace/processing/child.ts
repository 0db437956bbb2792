import { readFile } from 'node:fs/promises'
import { toUtf8 } from '../attachments/textEncoding.ts'
import { isHtml, officeFormat } from './formats.ts'

// The program of the isolated child: it reads one file, and writes the result to its output. Each reader is loaded only when it
// is needed. An error ends the program with a status that is not 0.

const [, , task, mediaType = '', path = ''] = process.argv
const bytes = await readFile(path)
const format = officeFormat(mediaType)
const isPlain = !format || (format === 'html' && !isHtml(toUtf8(bytes)))
if (task === 'previews') process.stdout.write(await (await import('./childImages.ts')).imagePreviews(bytes))
else if (isPlain) process.stdout.write(toUtf8(bytes))
else process.stdout.write(await (await import('./childText.ts')).officeText(toUtf8(bytes), format))
