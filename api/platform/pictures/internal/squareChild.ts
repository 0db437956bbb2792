import { readFile } from 'node:fs/promises'
import { openImage, readRasterImagesOnly } from '../rasterImages.ts'

// The program of the isolated child: it reads a picture, and writes it as a small square to its output. An
// error ends it with a status that is not 0. What the file says besides its pixels is left out: where it was
// taken, and by what.

const MAX_PIXELS = 50_000_000
const PIXELS = 192

const [, , path = ''] = process.argv
readRasterImagesOnly()
const picture = openImage(await readFile(path), MAX_PIXELS).resize(PIXELS, PIXELS, { fit: 'cover' })
process.stdout.write(await picture.webp({ quality: 80 }).toBuffer())
