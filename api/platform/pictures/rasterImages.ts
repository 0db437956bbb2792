import sharp, { type Sharp } from 'sharp'

// Raster formats alone, and from memory alone: SVG can name files, and other loaders read whatever
// ImageMagick or PDF can.
const LOADERS = ['Jpeg', 'Png', 'Webp', 'Nsgif', 'Tiff', 'Heif'].map((format) => `VipsForeignLoad${format}Buffer`)

/** Has this process, an isolated child, read raster images from memory alone, and no other format. */
export function readRasterImagesOnly(): void {
  sharp.block({ operation: ['VipsForeignLoad'] })
  sharp.unblock({ operation: LOADERS })
  sharp.cache(false)
  sharp.concurrency(1)
}

/** Returns an image as its viewer sees it, upright. Reading it fails if it is broken or has more pixels. */
export function openImage(bytes: Buffer, maxPixels: number): Sharp {
  return sharp(bytes, { limitInputPixels: maxPixels, failOn: 'error', sequentialRead: true }).autoOrient()
}
