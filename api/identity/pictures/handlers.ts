import { sha256Hex } from '../../../protocol/encoding/canonical.ts'
import { serveFile } from '../../platform/http/files/serveFile.ts'
import { serve } from '../../platform/http/serve/serve.ts'
import * as change from './internal/change.ts'
import { findPictures, type PictureRow, readPicture } from './internal/find.ts'
import { getPicture, listPictures, removePicture, setPicture } from './routes.ts'

const HEADERS = {
  'Content-Type': 'image/webp',
  'Content-Disposition': 'inline; filename="picture.webp"',
  // Its bytes never change, but an erased person's are to be gone soon; nobody but its viewer keeps it.
  'Cache-Control': 'private, max-age=86400',
  'Content-Security-Policy': "default-src 'none'; sandbox",
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Referrer-Policy': 'no-referrer',
}

export const pictureHandlers = [
  serve(setPicture, {
    prepare: (services, call, { params, raw }) => change.receivePicture(services, call, params.urn, raw),
    fingerprint: sha256Hex,
    run: async (tx, { actor }, { params }, square) => ({
      status: 200,
      body: toPicture(await change.setPicture(tx, actor, params.urn, square)),
    }),
  }),

  serve(removePicture, async (tx, { actor }, { params }) => {
    await change.removePicture(tx, actor, params.urn)
    return { status: 204, body: undefined }
  }),

  serve(listPictures, async (tx, { actor }, { query }) => {
    const found = await findPictures(tx, actor, query.of)
    return { status: 200, body: { pictures: found.map(toPicture) } }
  }),

  serveFile(getPicture, {
    find: (tx, _call, { params }) => readPicture(tx, params.id),
    describe: ({ id, webp }) => ({ sizeBytes: webp.length, etag: `"${id}"`, headers: HEADERS }),
    open: async (_services, { webp }, range) =>
      new Blob([new Uint8Array(range ? webp.subarray(range.first, range.last + 1) : webp)]).stream(),
  }),
]

function toPicture({ of, id, created_at }: PictureRow) {
  return { of, id, created_at: created_at.toISOString() }
}
