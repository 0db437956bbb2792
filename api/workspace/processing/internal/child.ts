import { readFile } from 'node:fs/promises'
import { isHtml, officeFormat } from './formats.ts'

// The program of the isolated child: it reads one file, and writes the result to its output. Each reader is
// loaded only when it is needed. An error ends the program with a status that is not 0.

const [, , task, mediaType = '', encoding = '', path = ''] = process.argv
const bytes = await readFile(path)
const format = officeFormat(mediaType)
// A text in UTF-8; what is no text stays as it is.
const content = ['', 'utf-8'].includes(encoding) ? bytes : Buffer.from(new TextDecoder(encoding).decode(bytes))
const isPlain = !format || (format === 'html' && !isHtml(content))
if (task === 'previews') process.stdout.write(await (await import('./childImages.ts')).imagePreviews(bytes))
else if (isPlain) process.stdout.write(content)
else process.stdout.write(await (await import('./childText.ts')).officeText(content, format))
