import type { RouteDefinition } from '../route/route.ts'

type Grouped = Pick<RouteDefinition, 'path' | 'group'>

/** The group of what belongs to no other. */
const SERVICE = { name: 'service', description: 'The service itself.' }

/**
 * Returns the groups of some operations, in the order in which they declare them, and a function that tells the group of a path:
 * that which was declared with the longest part of it.
 */
export function groupsOf(routes: readonly Grouped[]): {
  groups: { name: string; description: string }[]
  groupOf: (path: string) => string
} {
  const declared = routes.flatMap(({ path, group }) =>
    group ? [{ ...group, prefix: prefixOf(path, group.name) }] : [],
  )
  const longestFirst = declared.toSorted((one, other) => other.prefix.length - one.prefix.length)
  return {
    groups: [
      ...declared.flatMap(({ name, about }) => (about === undefined ? [] : [{ name, description: about }])),
      SERVICE,
    ],
    groupOf: (path) => {
      const words = wordsOf(path)
      const group = longestFirst.find(({ prefix }) => prefix.every((word, at) => word === words[at]))
      return group?.name ?? SERVICE.name
    },
  }
}

/** Returns a path's beginning, up to the word that is the group's name; all of it where no word is. */
function prefixOf(path: string, name: string): string[] {
  const words = wordsOf(path)
  return words.includes(name) ? words.slice(0, words.indexOf(name) + 1) : words
}

/** Returns the words of a path: neither the version nor parameters. */
function wordsOf(path: string): string[] {
  return path.split('/').filter((word) => word !== '' && word !== 'v1' && !word.startsWith('{'))
}
