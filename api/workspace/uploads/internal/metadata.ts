import type { z } from 'zod'
import { validate } from '../../../platform/http/serve/input.ts'
import { requireStorable } from '../../../platform/http/serve/json.ts'
import type { Placement } from '../../attachments/attach.ts'
import { uploadForm } from '../../attachments/routes.ts'
import { orgParam } from '../../schemas.ts'

/** Values of Upload-Metadata by key, decoded; null for a key without one. */
export type UploadMetadata = Readonly<Record<string, string | null>>

// The fields of the form. Other keys are the client's own, such as `filetype`.
const schema = uploadForm.extend({ org: orgParam, filename: uploadForm.shape.filename.unwrap() })

/**
 * Returns the slug of the org that an upload's metadata names, and where in it the file goes. Throws 400
 * naming the first key that does not fit. An empty value counts as absent.
 */
export function readMetadata(metadata: UploadMetadata): { org: string; placement: Placement } {
  for (const [key, value] of Object.entries(metadata)) requireStorable(value ?? '', key)
  const given = Object.fromEntries(Object.entries(metadata).filter(([, value]) => value))
  const {
    org,
    page,
    entry = null,
    filename,
    insert,
    cursor = null,
  } = validate(schema, given) as z.output<typeof schema>
  return { org, placement: { page, entry, filename, insert, cursor } }
}
