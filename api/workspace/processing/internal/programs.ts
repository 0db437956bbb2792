import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Program } from '../../../platform/isolation/isolate.ts'
import { nodeChild } from '../../../platform/isolation/nodeChild.ts'

const CHILD = join(import.meta.dirname, 'child.ts')
// Where the child's own code is.
const CODE = [join(import.meta.dirname, '..'), join(import.meta.dirname, '../../../platform/pictures')]
const ADDRESS_BYTES = 2_000_000_000
// No formats that list other files to read: an HLS playlist could name a file of ours.
const VIDEO_FORMATS = 'mov,matroska,avi,mpegts'
/**
 * The output path of heif-convert. It writes only to files, and a child may write none, so the path leads to
 * a pipe. Our end of its output is a socket, and Linux cannot open a socket by a path.
 */
const PICTURE = '/tmp/picture.jpg'
const FRAME = 'scale=1024:1024:force_original_aspect_ratio=decrease'

/**
 * Returns our own child, which makes the text of a file or the previews of an image. It may read its code and
 * the file.
 */
export function ownChild(
  task: 'text' | 'previews',
  { mediaType, encoding }: { mediaType: string; encoding: string | null },
): Program {
  return nodeChild({ script: CHILD, code: CODE, args: [task, mediaType, encoding ?? ''] })
}

/** Programs of the system: used only where they are installed, and only in bubblewrap. */
export const systemPrograms = {
  pdfText: system('/usr/bin/pdftotext', (input) => ['-enc', 'UTF-8', input, '-']),
  pdfPage: system('/usr/bin/pdftoppm', (input) => [
    ...['-singlefile', '-f', '1', '-l', '1', '-scale-to', '1024', '-png', input],
  ]),
  heicPicture: system('/usr/bin/heif-convert', (input) => ['-q', '90', input, PICTURE], [
    ...['/usr/bin/sh', '-c', `ln -s /proc/self/fd/3 ${PICTURE} && "$0" "$@" 3>&1 >/dev/null | /usr/bin/cat`],
  ]),
  videoFrame: system('/usr/bin/ffmpeg', (input) => [
    ...['-nostdin', '-v', 'error', '-protocol_whitelist', 'file', '-format_whitelist', VIDEO_FORMATS, '-i', input],
    ...['-an', '-frames:v', '1', '-vf', FRAME, '-f', 'image2pipe', '-c:v', 'png', '-'],
  ]),
}

function system(
  path: string,
  args: (input: string) => readonly string[],
  before: readonly string[] = [],
): () => Program | undefined {
  return () => {
    if (!existsSync(path)) return undefined
    const command = (input: string) => [
      '/usr/bin/prlimit',
      `--as=${ADDRESS_BYTES}`,
      '--',
      ...before,
      path,
      ...args(input),
    ]
    return { reads: [], command }
  }
}
