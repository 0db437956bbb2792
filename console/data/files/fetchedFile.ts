import { t } from '../../texts/texts.ts'
import { sha256Hex } from './digest.ts'

/** Longer texts are saved, not shown. */
const SHOWN_BYTES = 200_000
// Invisible characters: white space except spaces, tabs and line breaks; controls, format, private use.
const INVISIBLE = /[^\P{C}\n\r\t]|[^\P{Z} ]/gu

/** A file that was fetched by a link. */
export interface FetchedFile {
  blob: Blob
  /** Of the fetched bytes. */
  sha256: string
  /** The text, if it is one and not long; its invisible characters as `\\u{…}`. */
  text: string | undefined
}

/** Fetches a file by a link and hashes its bytes. Throws an Error if the service refuses the link. */
export async function fetchFile(url: string): Promise<FetchedFile> {
  const answer = await fetch(url, { credentials: 'omit' })
  if (!answer.ok)
    throw new Error(
      t('The file cannot be read: the service answered {status}. Open it again.', { status: answer.status }),
    )
  // The author of the bytes must not choose how a browser interprets them.
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
