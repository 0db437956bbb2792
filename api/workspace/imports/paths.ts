import { posix } from 'node:path'
import { ImportRefused, MAX_DEPTH } from './internal/limits.ts'

const OF_SYSTEMS = /^(?:__MACOSX|thumbs\.db|desktop\.ini)$/i
// A bundle is a folder with one text, its assets, and a description of itself.
const IN_BUNDLE = /\.textbundle\//i
const BUNDLE_TEXT = /\.textbundle\/text\.(?:md|markdown|mdown|mkd|mdx|txt)$/i
const BUNDLE_OWN = /\.textbundle\/(?:info\.json$|QuickLook\/)/i
const MARKDOWN = /\.(?:md|markdown|mdown|mkd|mdx)$/i

/**
 * Returns a path of an archive in normal form: NFC, with /, without . and empty segments. Throws
 * ImportRefused for a path that leads out of the archive, or too deep. The path is a key in memory, and never
 * a path on disk.
 */
export function safePath(path: string): string {
  const plain = path.normalize('NFC').replaceAll('\\', '/')
  const segments = plain.split('/').filter((segment) => segment !== '' && segment !== '.')
  const isUnsafe = plain.startsWith('/') || /^[A-Za-z]:/.test(plain) || plain.includes('\0') || segments.includes('..')
  if (isUnsafe) throw new ImportRefused('A name in the archive leads out of it.')
  if (segments.length > MAX_DEPTH) throw new ImportRefused(`Folders may go ${MAX_DEPTH} deep.`)
  return segments.join('/')
}

/** Whether a program created the file for itself: .obsidian, .DS_Store, Thumbs.db, info.json of a bundle. */
export function isIgnored(path: string): boolean {
  return BUNDLE_OWN.test(path) || path.split('/').some((segment) => segment.startsWith('.') || OF_SYSTEMS.test(segment))
}

/** Whether the file becomes a page. */
export function isMarkdown(path: string): boolean {
  return IN_BUNDLE.test(path) ? BUNDLE_TEXT.test(path) : MARKDOWN.test(path)
}

/** Whether the file is a page of the web. */
export function isHtml(path: string): boolean {
  return /\.x?html?$/i.test(path)
}

/** Returns the folder of a path; '' is the archive's top. */
export function folderOf(path: string): string {
  const folder = posix.dirname(path)
  return folder === '.' ? '' : folder
}

/** Returns a path without .md. */
export function withoutMarkdown(path: string): string {
  return path.replace(MARKDOWN, '')
}

/** Returns the last part of a path, without .md. */
export function stemOf(path: string): string {
  return withoutMarkdown(posix.basename(path))
}

/** Returns the target of a relative path from a folder; undefined if it is out of the archive. */
export function resolvePath(folder: string, path: string): string | undefined {
  const from = path.startsWith('/') ? '' : folder
  const led = posix.join(from, path).replace(/^\/+|\/+$/g, '')
  return led === '..' || led.startsWith('../') ? undefined : led === '.' ? '' : led
}
