import { readFileSync } from 'node:fs'
import { glob } from 'node:fs/promises'
import { dirname, join, normalize } from 'node:path'
import { describe, it } from 'node:test'
import { expect } from 'chai'
import { ROOT } from '../../cli/machine/paths.ts'
import { escrowAbi } from '../../protocol/generated/escrow.ts'

const DOCS = 'docs/contracts'
const read = (path: string) => readFileSync(ROOT + path, 'utf8')
const find = async (pattern: string) => (await Array.fromAsync(glob(pattern, { cwd: ROOT }))).sort()

/** A page with each item of its lists on one line. */
const pageAt = (path: string) => read(path).replace(/\n {2,}(?=[^\s-])/g, ' ')

const pages = [...(await find(`${DOCS}/**/*.md`)), 'test/attacks.md'].map((path) => ({ path, text: pageAt(path) }))
// These name things in passing; the others are where one looks them up.
const isReference = ({ path }: { path: string }) => !/threats|attacks|deployment|runbooks/.test(path)
const reference = pages.filter(isReference)

/** What a page says something about: its headings, and the names that begin an item of a list. */
const headings = new Set(reference.flatMap(({ text }) => [...text.matchAll(/^##? (\w+)$/gm)].map(([, name]) => name)))
const rows = new Set(
  reference.flatMap(({ text }) =>
    [...text.matchAll(/^- ((?:`\w+` ?)+):/gm)].flatMap(([, names = '']) => names.match(/\w+/g) ?? []),
  ),
)
const named = new Set(reference.flatMap(({ text }) => [...text.matchAll(/`(\w+)`/g)].map(([, name]) => name)))

const namesOf = (type: 'function' | 'event' | 'error') =>
  escrowAbi.flatMap((item) => (item.type === type ? item.name : []))

describe('the pages about the contract', () => {
  it('have a heading or an item for every function', () => {
    expect(namesOf('function').filter((name) => !headings.has(name) && !rows.has(name))).to.deep.equal([])
  })

  it('have an item for every error, which says when it comes', () => {
    expect(namesOf('error').filter((name) => !rows.has(name))).to.deep.equal([])
  })

  it('say which operation emits each event', () => {
    expect(namesOf('event').filter((name) => !named.has(name))).to.deep.equal([])
  })

  it('name no function, event or error that is not there', () => {
    const all = new Set<string>([...namesOf('function'), ...namesOf('event'), ...namesOf('error')])
    expect([...rows].filter((name) => !all.has(name))).to.deep.equal([])
  })

  it('name under each operation the errors that it reverts with', () => {
    // An operation's checks are in its source, and in what it calls there.
    const missing = reference.flatMap(({ path, text }) => {
      const sections = new Map(
        text.split(/^(?=##? )/m).map((section) => [/^##? (\w+)$/m.exec(section)?.[1] ?? '', section] as const),
      )
      return [...sections].flatMap(([name, section]) => {
        const told = section + (sections.get(/Errors.* as `(\w+)`/.exec(section)?.[1] ?? '') ?? '')
        return errorsOf(name).flatMap((error) => (told.includes(`\`${error}\``) ? [] : `${path}: ${name}: ${error}`))
      })
    })
    expect(errorsOf('release')).to.include.members(['WrongSum', 'WrongState'])
    expect(missing).to.deep.equal([])
  })

  it('link to pages that are there', () => {
    const broken = pages.flatMap(({ path, text }) =>
      [...text.matchAll(/\]\((?!https?:)([^)#]+)/g)]
        .filter(([, target = '']) => {
          const file = normalize(join(dirname(path), target))
          return !pages.some((page) => page.path === file || page.path.startsWith(file)) && !isThere(file)
        })
        .map(([, target]) => `${path}: ${target}`),
    )
    expect(broken).to.deep.equal([])
  })
})

/** The errors of a function of the contract, and of the private ones it calls, and theirs. */
function errorsOf(name: string): string[] {
  const source = read('contracts/Escrow.sol') + read('contracts/EscrowControls.sol')
  const body = source.match(new RegExp(`function ${name}\\([\\s\\S]*?\\n    }\\n`))?.[0] ?? ''
  const named = [...body.matchAll(/revert (\w+)/g)].flatMap(([, error = '']) => error)
  const called = [...body.matchAll(/(?<!function )\b(_\w+)\(/g)].flatMap(([, callee = '']) => errorsOf(callee))
  return [...named, ...called]
}

function isThere(path: string): boolean {
  try {
    read(path)
    return true
  } catch {
    return false
  }
}
