import type { RouteDefinition } from '../../route/route.ts'

type Grouped = Pick<RouteDefinition, 'path' | 'group'>

/** The group of operations that belong to no other group. */
const SERVICE = { name: 'service', description: 'The service itself.' }

/**
 * Returns the groups of some operations, in the order in which the operations declare them, and a function
 * that returns the group of a path: the group declared with the longest prefix of it.
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

/** Returns the beginning of a path, up to the word that is the group's name; the whole path if no word is. */
function prefixOf(path: string, name: string): string[] {
  const words = wordsOf(path)
  return words.includes(name) ? words.slice(0, words.indexOf(name) + 1) : words
}

/** Returns the words of a path, without the version and the parameters. */
function wordsOf(path: string): string[] {
  return path.split('/').filter((word) => word !== '' && word !== 'v1' && !word.startsWith('{'))
}
