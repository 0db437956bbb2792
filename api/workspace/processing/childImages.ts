import sharp from 'sharp'

const MAX_PIXELS = 50_000_000
// Raster formats alone, and from memory alone: SVG can name files, and other loaders read whatever ImageMagick or PDF can.
const LOADERS = ['Jpeg', 'Png', 'Webp', 'Nsgif', 'Tiff', 'Heif'].map((format) => `VipsForeignLoad${format}Buffer`)

/** Returns the previews of an image, each after its length in four bytes: 256 and 1,024 pixels wide or high at most. */
export async function imagePreviews(bytes: Buffer): Promise<Buffer> {
  sharp.block({ operation: ['VipsForeignLoad'] })
  sharp.unblock({ operation: LOADERS })
  sharp.cache(false)
  sharp.concurrency(1)
  const parts: Buffer[] = []
  for (const size of [256, 1024]) {
    const preview = await sharp(bytes, { limitInputPixels: MAX_PIXELS, failOn: 'error', sequentialRead: true })
      .autoOrient()
      .resize({ width: size, height: size, fit: 'inside', withoutEnlargement: true })
      .webp({ quality: 80 })
      .toBuffer()
    const length = Buffer.alloc(4)
    length.writeUInt32BE(preview.length)
    parts.push(length, preview)
  }
  return Buffer.concat(parts)
}
