import { findAttachment } from '../attachments/find.ts'
import { serveReader } from '../serveMember.ts'
import { readText } from './internal/readText.ts'
import { readAttachmentText } from './routes.ts'

export const processingHandlers = [
  serveReader(readAttachmentText, async (tx, { reader }, { params, query }) => ({
    status: 200,
    body: await readText(tx, await findAttachment(tx, reader, params.ref), query),
  })),
]
