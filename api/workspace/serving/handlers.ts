import { blobsOf } from '../../platform/blobs/open.ts'
import { serveFile } from '../../platform/http/files/serveFile.ts'
import { serveReader } from '../serveMember.ts'
import { describeFile } from './internal/describe.ts'
import { linkToDownload } from './internal/download.ts'
import { findServedFile } from './internal/find.ts'
import { requireFileLink } from './internal/link.ts'
import { linkToPreview } from './internal/preview.ts'
import { downloadAttachment, downloadVersion, previewAttachment, serveAttachment } from './routes.ts'

export const servingHandlers = [
  serveReader(downloadAttachment, async (tx, call, { params, query }) =>
    redirect(await linkToDownload(tx, call, { ...params, ...query })),
  ),

  serveReader(downloadVersion, async (tx, call, { params: { number, ...params }, query }) =>
    redirect(await linkToDownload(tx, call, { ...params, version: number, ...query })),
  ),

  serveReader(previewAttachment, async (tx, call, { params, query }) =>
    redirect(await linkToPreview(tx, call, { ...params, size: query.size ?? 256 })),
  ),

  serveFile(serveAttachment, {
    find: async (tx, { settings }, { params, query }) => {
      const { account, agent = null, rendition, disposition, expires, signature } = query
      const target = { account, agent, attachmentId: params.attachment, version: params.number, rendition, disposition }
      await requireFileLink(tx, settings, { ...target, expires: Number(expires) }, signature)
      return findServedFile(tx, settings, target)
    },
    describe: describeFile,
    open: ({ settings }, { blobId }, range) => blobsOf(settings).read(blobId, range),
  }),
]

// A client that follows the link does not say where it was found.
function redirect(url: string) {
  return { status: 302 as const, body: undefined, headers: { Location: url, 'Referrer-Policy': 'no-referrer' } }
}
