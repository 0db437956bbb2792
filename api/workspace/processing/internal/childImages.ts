import { openImage, readRasterImagesOnly } from '../../../platform/pictures/rasterImages.ts'

const MAX_PIXELS = 50_000_000

/**
 * Returns the previews of an image, each after its length in four bytes: 256 and 1,024 pixels wide or high at
 * most.
 */
export async function imagePreviews(bytes: Buffer): Promise<Buffer> {
  readRasterImagesOnly()
  const parts: Buffer[] = []
  for (const size of [256, 1024]) {
    const preview = await openImage(bytes, MAX_PIXELS)
      .resize({ width: size, height: size, fit: 'inside', withoutEnlargement: true })
      .webp({ quality: 80 })
      .toBuffer()
    const length = Buffer.alloc(4)
    length.writeUInt32BE(preview.length)
    parts.push(length, preview)
  }
  return Buffer.concat(parts)
}
