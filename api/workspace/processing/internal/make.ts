import { writeFile } from 'node:fs/promises'
import type { PreviewState, TextState } from '../../../platform/db/generated/tables.ts'
import { type Limits, type Program, Refused, runIsolated } from '../../../platform/isolation/isolate.ts'
import type { FileType } from '../../attachments/mediaType.ts'
import { officeFormat } from './formats.ts'
import { cleanText } from './passages.ts'
import { ownChild, systemPrograms } from './programs.ts'

const LIMITS: Limits = { timeoutMs: 30_000, memoryBytes: 700_000_000, outputBytes: 32_000_000, overflow: 'refuse' }
const TEXT_LIMITS: Limits = { ...LIMITS, outputBytes: 8_000_000, overflow: 'cut' }
const IMAGE = /^image\/(?:png|jpeg|gif|webp|avif|tiff)$/
const PLAIN = /^(?:text\/plain|application\/xml)$/
const VIDEO = /^video\/(?:mp4|webm)$/

/**
 * The source of a text or preview: the file's path, its media type and encoding, and a bubblewrap to read it
 * in.
 */
export interface Source extends FileType {
  path: string
  bubblewrap: string | undefined
  /** Whether the file is longer than the bytes at the path. */
  isCut: boolean
  /** Other limits than the usual. */
  limits?: Partial<Limits>
}

/** A text, as far as it is stored. */
export interface MadeText {
  state: Exclude<TextState, 'pending'>
  text: string
}

/** Previews by their size in pixels. */
export interface MadePreviews {
  state: Exclude<PreviewState, 'pending'>
  previews: readonly { size: number; bytes: Buffer }[]
}

/** Returns the text of a file. A file that its reader refuses counts as failed. */
export async function makeText(source: Source): Promise<MadeText> {
  const program = textProgram(source)
  if (!program) return { state: 'unsupported', text: '' }
  return unlessRefused<MadeText>({ state: 'failed', text: '' }, async () => {
    const { path, bubblewrap } = source
    const { bytes, isCut } = await runIsolated(bubblewrap, program, path, { ...TEXT_LIMITS, ...source.limits })
    const { text, isShortened } = cleanText(bytes)
    return { state: isCut || isShortened || source.isCut ? 'truncated' : 'ready', text }
  })
}

function textProgram(source: Source): Program | undefined {
  const { mediaType, bubblewrap, isCut } = source
  if (PLAIN.test(mediaType)) return ownChild('text', source)
  if (isCut) return undefined
  if (officeFormat(mediaType)) return ownChild('text', source)
  return mediaType === 'application/pdf' && bubblewrap !== undefined ? systemPrograms.pdfText() : undefined
}

/**
 * Returns the previews of an image (of HEIC where the system has a decoder), of a PDF's first page, or of a
 * frame of a video.
 */
export async function makePreviews(source: Source): Promise<MadePreviews> {
  const { mediaType, bubblewrap, path, isCut } = source
  const limits = { ...LIMITS, ...source.limits }
  const isImage = IMAGE.test(mediaType)
  const renderer = bubblewrap === undefined ? undefined : rendererOf(mediaType)
  if (isCut || (!isImage && !renderer)) return { state: 'unsupported', previews: [] }
  return unlessRefused<MadePreviews>({ state: 'failed', previews: [] }, async () => {
    const picture = renderer ? `${path}.png` : path
    if (renderer) await writeFile(picture, (await runIsolated(bubblewrap, renderer, path, limits)).bytes)
    const { bytes } = await runIsolated(bubblewrap, ownChild('previews', source), picture, limits)
    return { state: 'ready', previews: readPreviews(bytes) }
  })
}

function rendererOf(mediaType: string): Program | undefined {
  if (mediaType === 'application/pdf') return systemPrograms.pdfPage()
  if (mediaType === 'image/heic') return systemPrograms.heicPicture()
  return VIDEO.test(mediaType) ? systemPrograms.videoFrame() : undefined
}

// As childImages.ts writes them: each after its length.
function readPreviews(bytes: Buffer): { size: number; bytes: Buffer }[] {
  const previews: { size: number; bytes: Buffer }[] = []
  let at = 0
  for (const size of [256, 1_024]) {
    const length = at + 4 <= bytes.length ? bytes.readUInt32BE(at) : 0
    const preview = bytes.subarray(at + 4, at + 4 + length)
    if (length === 0 || preview.length !== length) throw new Refused('failed')
    previews.push({ size, bytes: preview })
    at += 4 + length
  }
  return previews
}

async function unlessRefused<Made>(failed: Made, make: () => Promise<Made>): Promise<Made> {
  try {
    return await make()
  } catch (error) {
    if (error instanceof Refused) return failed
    throw error
  }
}
