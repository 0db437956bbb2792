import { sha256Hex } from './digest.ts'

/** Longer texts are saved, not shown. */
const SHOWN_BYTES = 200_000
// Characters that are there and not seen: white space but for spaces, tabs and line breaks, controls, format, private use.
const INVISIBLE = /[^\P{C}\n\r\t]|[^\P{Z} ]/gu

/** A file that was read by a link. */
export interface FetchedFile {
  blob: Blob
  /** Of the bytes that came. */
  sha256: string
  /** What it says, if it is a text and not long; its invisible characters as `\\u{…}`. */
  text: string | undefined
}

/** Reads a file by a link and hashes what came. Throws an Error where the link leads to nothing. */
export async function fetchFile(url: string): Promise<FetchedFile> {
  const answer = await fetch(url, { credentials: 'omit' })
  if (!answer.ok) throw new Error(`The file cannot be read: the service answered ${answer.status}. Open it again.`)
  // Whoever made the bytes chose none of how a browser takes them.
  const blob = new Blob([await answer.arrayBuffer()], { type: 'application/octet-stream' })
  return { blob, sha256: await sha256Hex(blob), text: await textOf(blob) }
}

async function textOf(blob: Blob): Promise<string | undefined> {
  if (blob.size > SHOWN_BYTES) return undefined
  try {
    return shown(new TextDecoder('utf-8', { fatal: true }).decode(await blob.arrayBuffer()))
  } catch {
    return undefined
  }
}

function shown(text: string): string {
  return text.replaceAll(INVISIBLE, (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`)
}
