import { z } from '@hono/zod-openapi'
import { supportedMimeTypes } from 'file-type'

const TEXT = /^text\/[a-z0-9.+-]{1,60}$/
const JSON_TYPE = 'application/json'
const SVG = 'image/svg+xml'

/** Returns whether bytes can show that they are of a media type: those with a signature, JSON, SVG, and text of any kind. */
function isCheckable(type: string): boolean {
  return TEXT.test(type) || type === JSON_TYPE || type === SVG || (supportedMimeTypes as ReadonlySet<string>).has(type)
}

/** A media type that the service can find by the bytes. */
export const mediaType = z
  .string()
  .max(100)
  .refine(isCheckable, 'must be a media type that the bytes show, such as image/png, application/json or text/csv')
  .openapi({ example: 'image/png' })
