import { z } from '@hono/zod-openapi'
import { orgRoute } from '../orgRoute.ts'
import { readsWorkspace, refSchema } from '../schemas.ts'

const DEFAULT_CHARACTERS = 20_000
const MAX_CHARACTERS = 100_000
const digits = z
  .string()
  .regex(/^[0-9]{1,9}$/, 'must be a whole number')
  .transform(Number)

export const readAttachmentText = orgRoute({
  operationId: 'readAttachmentText',
  method: 'get',
  path: '/attachments/{ref}/text',
  summary: 'Read the text of an attachment, a part at a time',
  access: readsWorkspace,
  caller: 'attachmentReader',
  params: z.object({ ref: refSchema('attachment') }),
  query: z.object({
    offset: digits.default(0).openapi({ description: 'The first character, counted from 0.', example: '0' }),
    limit: digits
      .refine((value) => value >= 1 && value <= MAX_CHARACTERS, `must be from 1 to ${MAX_CHARACTERS}`)
      .default(DEFAULT_CHARACTERS)
      .openapi({ description: `How many characters, ${MAX_CHARACTERS} at most.`, example: '20000' }),
  }),
  answers: {
    200: {
      description: 'Part of the text. Characters are Unicode code points.',
      schema: z
        .object({
          attachment_id: z.uuid(),
          version: z.int(),
          state: z.enum(['pending', 'ready', 'truncated', 'unsupported', 'failed']).openapi({
            description: 'There is a text if it is ready, or truncated: then the end of it was left out.',
          }),
          text: z.string(),
          offset: z.int(),
          characters: z.int().openapi({ description: 'How many characters this part has.' }),
          total_characters: z.int(),
          next_offset: z.int().nullable().openapi({ description: 'Where it goes on; null at the end.' }),
        })
        .openapi('AttachmentText'),
    },
  },
})
