import { Facet } from '@codemirror/state'

/** A picture that a text embeds. */
export interface Picture {
  url: string
  alt: string
  width: number | undefined
}

/** What the names in a text stand for. */
export interface Names {
  /** What a reference leads to, by its text between the brackets. */
  kindOf: (reference: string) => 'page' | 'file' | 'missing'
  /** The picture that `![[…]]` shows; undefined if it is none. */
  pictureOf: (reference: string) => Picture | undefined
  /** What an account is called, by its URN. */
  nameOf: (urn: string) => string
  /** What is offered after `[[` and `@`. */
  listed: { pages: readonly string[]; files: readonly string[]; people: readonly { urn: string; name: string }[] }
}

const UNKNOWN: Names = {
  kindOf: () => 'page',
  pictureOf: () => undefined,
  nameOf: (urn) => urn,
  listed: { pages: [], files: [], people: [] },
}

/** The names of an editor. Before they are read, nothing counts as missing. */
export const namesFacet = Facet.define<Names, Names>({ combine: ([names = UNKNOWN]) => names })
