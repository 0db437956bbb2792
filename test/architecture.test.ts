import { readFileSync } from 'node:fs'
import { glob } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { describe, it } from 'node:test'
import { expect } from 'chai'
import ts from 'typescript'
import { servedRoutes } from '../api/app.ts'
import { schema } from '../api/schema.ts'
import { ROOT } from '../cli/machine/paths.ts'
import { arrowsOf, findDisorder, knotsOf, smallParts } from '../cli/tools/structure.ts'

const OUTSIDE = /^(node_modules|artifacts|cache|coverage|\.market)(\/|$)/

interface SourceFile {
  path: string
  text: string
  /** Paths of the files of ours that it imports. */
  imports: string[]
}

const paths = await Array.fromAsync(glob('**/*.{ts,tsx}', { cwd: ROOT, exclude: (path) => OUTSIDE.test(path) }))
const sources = paths.filter((path) => !path.endsWith('.d.ts')).map(read)
const sqlPaths = await Array.fromAsync(glob('{api,facilitator}/**/*.sql', { cwd: ROOT }))
const sqlFiles = sqlPaths
  // The first migration repeats the files, and those that follow may concern several rooms.
  .filter((path) => !path.startsWith('api/migrations/'))
  .map((path) => ({ path, text: readFileSync(`${ROOT}${path}`, 'utf8') }))
const product = sources.filter(({ path }) => !/^(test|bench)\//.test(path))

describe('the architecture', () => {
  // Which files a part may import, besides its own. A part that is not named here imports whatever it likes.
  const directions: { part: RegExp; allowed: RegExp }[] = [
    { part: /^protocol\//, allowed: /^protocol\// },
    ...['ignition', 'indexer', 'facilitator', 'audit'].map((folder) => ({
      part: new RegExp(`^${folder}/`),
      allowed: new RegExp(`^(protocol|${folder})/`),
    })),
    // Browsers run it: nothing of the server comes along.
    { part: /^sdk\//, allowed: /^(protocol|sdk)\// },
    // Programs as users write them.
    { part: /^examples\//, allowed: /^(sdk|examples)\// },
    { part: /^console\//, allowed: /^(protocol|sdk|console)\// },
    // Tools of agents are calls of the client.
    { part: /^mcp\//, allowed: /^(protocol|sdk|mcp)\/|^api\/.+\/routes\.ts$/ },
    {
      part: /^cli\//,
      allowed:
        /^(protocol|audit|ignition|sdk|mcp|cli|api\/versions|bench|test\/faults)\/|^console\/texts\/message\.ts$|^(api|indexer|facilitator)\/(env|main|worker)\.ts$|^facilitator\/(foreignRows|keystores|preflight|remoteSigner)\.ts$|^indexer\/schemaName\.ts$|^api\/(app|context|errors|modules|reactions|schema|config\/(rules|readRules|arbitrator)|evaluation\/.+|platform\/(http\/(route\/(catalogue|route|versions)|openapi\/(documentation|openapi)|serve\/problem)|events\/published|db\/(indexDatabase|migrate|migrations|roleSettings|roles|searchPath))|keyRotation\/administer|sandbox\/install|identity\/setup\/(bootstrap|appoint|firstEnrolments)|payments\/(stops\/administer|payouts\/rejectWallet)|trading\/criteria\/(results|run|schema)|.+\/routes)\.ts$/,
    },
    // Each room uses those below it: workspace, trading, payments, platform. All but platform use identity.
    ...Object.entries({
      platform: [],
      identity: ['platform'],
      payments: ['platform', 'identity'],
      trading: ['platform', 'identity', 'payments'],
      workspace: ['platform', 'identity', 'payments', 'trading'],
    }).map(([room, below]) => ({
      part: new RegExp(`^api/${room}/`),
      allowed: new RegExp(
        `^(protocol/|api/(${[room, ...below].join('|')})/|api/(actor|context|errors|faults|log|module)\\.ts$)`,
      ),
    })),
    { part: /^api\/.+\/problems\.ts$/, allowed: /^api\/errors\.ts$/ },
    { part: /^api\/platform\/db\//, allowed: /^(protocol|api\/platform\/db)\// },
    { part: /^api\/(?!main|worker|app|mcp\.ts)/, allowed: /^(protocol\/|api\/(?!(main|worker|app)\.ts$))/ },
    // Verbs, queries and tables of states: handlers are above them.
    { part: /^api\/[a-z]+\/(?!.*handlers\.ts$)/, allowed: /^(?!.*\/handlers\.ts$)/ },
    { part: /\/routes\.ts$/, allowed: /^(?!.*\/(handlers|queries)\.ts$|api\/platform\/(db|jobs)\/)/ },
  ]

  it('lets dependencies point one way', () => {
    const wrong = product.flatMap(({ path, imports }) =>
      directions
        .filter(({ part }) => part.test(path))
        .flatMap(({ allowed }) => imports.filter((imported) => !allowed.test(imported)))
        .map((imported) => `${path} imports ${imported}`),
    )
    expect(wrong).to.deep.equal([])
  })

  it('lets the folders of a room import those below them, by their doors', () => {
    expect(findDisorder(product)).to.deep.equal([])
    expect(knotsOf(arrowsOf(product))).to.deep.equal([])
  })

  it('keeps the SQL of a room in that room, where no table of a room above it is named', () => {
    expect([...schema.files, schema.roles].sort()).to.deep.equal(sqlFiles.map(({ path }) => path).sort())
    const rooms = { platform: [], identity: ['platform'], trading: ['platform', 'identity', 'payments'] }
    const created = sqlFiles.flatMap(({ path, text }) =>
      [...text.matchAll(/^create (?:unlogged )?table (\w+\.\w+)/gm)].map(([, table = '']) => ({ path, table })),
    )
    expect(created.map(({ table }) => table)).to.include.members(['market.orders', 'ledger.entries', 'limits.windows'])
    const named = (files: readonly { path: string; text: string }[], room: string, below: readonly string[]) => {
      const foreign = created.filter(({ path }) => ![room, ...below].some((own) => path.startsWith(`api/${own}/`)))
      return files
        .filter(({ path }) => path.startsWith(`api/${room}/`))
        .flatMap(({ path, text }) =>
          foreign
            .filter(({ table }) => new RegExp(`\\b${table}\\b`).test(text.replace(/--.*/g, '')))
            .map(({ table }) => `${path} names ${table}`),
        )
    }
    expect(Object.entries(rooms).flatMap(([room, below]) => named(sqlFiles, room, below))).to.deep.equal([])
    // Of the platform's TypeScript: the types of all tables are its own.
    const types = /^api\/platform\/db\/(columns|generated\/tables)\.ts$/
    const typed = product.filter(({ path }) => !types.test(path))
    expect(named(typed, 'platform', [])).to.deep.equal([])
  })

  it('names no event or path of a room in the platform', () => {
    const [own, others] = [true, false].map((isOwn) =>
      product.filter(({ path }) => path.startsWith('api/') && path.startsWith('api/platform/') === isOwn),
    ) as [SourceFile[], SourceFile[]]
    const declared = others.filter(({ path }) => path.endsWith('/module.ts'))
    const events = declared.flatMap(({ text }) => text.match(/(?<=^ {2})'\w+(\.\w+)+'(?=:)/gm) ?? [])
    const isOwn = (operationId: string) => own.some(({ text }) => text.includes(`operationId: '${operationId}'`))
    const ofRooms = servedRoutes.filter(({ operationId }) => !isOwn(operationId))
    const names = new Set([...events, ...ofRooms.map(({ path }) => `'${path}'`)])
    expect(names.size).to.be.above(200)
    const wrong = own.flatMap(({ path, text }) => {
      // An example shows readers what a value looks like.
      const named = text.replace(/.*\bexample:.*/g, '').match(/'[\w./{}-]+'/g) ?? []
      return named.filter((word) => names.has(word)).map((word) => `${path} names ${word}`)
    })
    expect(wrong).to.deep.equal([])
  })

  it('has no circle of imports', () => {
    expect(circles(product)).to.deep.equal([])
  })

  it('runs the client in browsers', () => {
    const entries = product.filter(({ path }) => path.startsWith('sdk/'))
    const reached = reachable(entries.map(({ path }) => path))
    expect(reached).to.include('protocol/encoding/sha256.browser.ts')
    const wrong = product
      .filter(({ path, text }) => reached.has(path) && /\bfrom 'node:|\bBuffer\.|\bprocess\.\w/.test(text))
      .map(({ path }) => path)
    expect([...wrong, ...[...reached].filter((path) => /^api\//.test(path))]).to.deep.equal([])
  })

  it('says of each package what it is for, and why this one', () => {
    const { dependencies, devDependencies, optionalDependencies } = JSON.parse(
      readFileSync(`${ROOT}package.json`, 'utf8'),
    )
    const rows = readFileSync(`${ROOT}docs/packages.md`, 'utf8').matchAll(/^\| (`.*?) \|/gm)
    const listed = [...rows].flatMap(([, names = '']) => names.replaceAll('`', '').split(', '))
    const used = Object.keys({ ...dependencies, ...devDependencies, ...optionalDependencies })
    expect(listed.sort()).to.deep.equal(used.sort())
  })

  it('has no folder or file for what has no home', () => {
    // Ponder wants its handlers in a folder of this name.
    const wrong = sources.filter(({ path }) => !path.startsWith('indexer/src/')).map(({ path }) => path)
    const homeless = wrong.filter((path) =>
      path.split('/').some((part) => /^(src|utils?|common|helpers?)(\.|$)/.test(part)),
    )
    expect(homeless).to.deep.equal([])
  })

  it('has no file of a few lines that one file beside it needs', () => {
    expect(smallParts(sources)).to.deep.equal([])
  })

  it('waits in tests for what has a limit, and says what it waited for', () => {
    // A measurement waits as long as it takes; the others have a deadline of their own, or end with what they
    // watch.
    const allowed =
      /^test\/(bench\/.+|faults\/(load|scenes\/storm)\.ts|kit\/until\.ts|e2e\/persistence\.ts|sdk\/retry\.test\.ts|system\/(events|events\/.+|workspace\/(attacks|uploads)\.test)(\.test)?\.ts)$/
    const polls =
      /\bwhile \([^\n]*\) await delay\(|\bwhile \([^\n]*\bawait\b[^\n]*\);|\b(while|for) \([^\n]*\) \{(?:(?!\n {0,4}\}\n)[\s\S]){0,800}?\bawait (delay|turn)\(/
    const wrong = sources.filter(({ path, text }) => /^test\//.test(path) && polls.test(text) && !allowed.test(path))
    expect(wrong.map(({ path }) => path)).to.deep.equal([])
  })

  it('makes ids in one place, and in one of SQL, so that each names its cell', () => {
    const makers = product.filter(({ text }) => /\bv[147]\b.*\bfrom 'uuid'/.test(text)).map(({ path }) => path)
    expect(makers).to.deep.equal(['protocol/encoding/ids.ts'])
    const columns = sqlFiles.flatMap(({ text }) => text.match(/^ +\w+ +uuid\b.*gen_random_uuid.*/gm) ?? [])
    expect(columns.map((line) => line.trim().split(' ')[0])).to.deep.equal(['spending_id'])
  })

  it('lets ./market doctor run each check for which a process refuses to start', () => {
    const paths = [
      'api/main.ts',
      'api/worker.ts',
      'facilitator/run.ts',
      'facilitator/file/session.ts',
      'indexer/main.ts',
      'indexer/lock.ts',
    ]
    const starts = product.filter(({ path }) => paths.includes(path))
    expect(starts).to.have.length(paths.length)
    const doctor = product.filter(({ path }) => path.startsWith('cli/doctor/'))
    const run = [...doctor, ...product.filter(({ path }) => doctor.some(({ imports }) => imports.includes(path)))]
    const calls = /(?<!function )\b((?:require|refuse|check)[A-Z]\w*|\w+Faults)(?=\()/g
    const calledBy = (files: readonly SourceFile[]) =>
      new Set(files.flatMap(({ text }) => [...text.matchAll(calls)].map(([name]) => name)))
    const found = calledBy(run)
    const own = ({ text }: SourceFile, name: string) => new RegExp(`\\b(function|const) ${name}\\b`).test(text)
    const missing = starts.flatMap((file) =>
      [...calledBy([file])].filter((name) => !own(file, name) && !found.has(name)),
    )
    // requireSession, of the one of two variables that is set.
    expect(missing.filter((name) => name !== 'requireSessionUrl')).to.deep.equal([])
    const inline = starts.filter(({ text }) => /throw new (Unfit|Error)\(/.test(text))
    expect(inline.map(({ path }) => path)).to.deep.equal([])
  })

  it('reads the environment where it is validated, and nowhere else', () => {
    const readers = product.filter(({ text }) => text.includes('process.env')).map(({ path }) => path)
    // Examples are programs of users.
    const allowed = /(^|\/)(env|main|worker)\.ts$|\.config\.ts$|^examples\//
    expect(readers.filter((path) => !allowed.test(path))).to.deep.equal([])
  })

  it('asks nodes with a deadline and a limit, by the one way there is', () => {
    const asks = product.filter(({ text }) => /\bhttp\(/.test(text)).map(({ path }) => path)
    // The sandbox's own node is ours.
    const bare = asks.filter((path) => /^(api\/(?!sandbox)|audit|facilitator|indexer)/.test(path))
    expect(bare).to.deep.equal([])
  })

  it('follows no address that a node names (CCIP-Read)', () => {
    const count = (text: string, word: string) => text.split(word).length - 1
    const opening = product.filter(({ text }) => text.includes('createPublicClient('))
    expect(opening).to.not.have.length(0)
    const following = opening.filter(
      ({ text }) => count(text, 'createPublicClient(') !== count(text, 'ccipRead: false'),
    )
    expect(following.map(({ path }) => path)).to.deep.equal([])
  })

  it('names dated versions in their list, where they are adapted, and where a route says which it exists in', () => {
    const date = /['"`]20\d\d-\d\d-\d\d['"`]/
    const wrong = product
      .filter(({ path }) => !/^(api\/(versions\/|platform\/http\/route\/versions\.ts$)|sdk\/generated\/)/.test(path))
      .flatMap(({ path, text }) => text.split('\n').map((line) => ({ path, line })))
      .filter(
        ({ path, line }) => date.test(line) && !(path.endsWith('/routes.ts') && line.trim().startsWith('versions:')),
      )
    expect(wrong).to.deep.equal([])
  })

  it('gives keys that move money to the facilitator, and to the commands that start one', () => {
    const readers = product
      .filter(({ text }) => /(SUBMITTER|RESOLVER|HOT_WALLET)_KEY/.test(text))
      .map(({ path }) => path)
    expect(readers.filter((path) => !/^(facilitator|cli)\//.test(path))).to.deep.equal([])
  })

  // Code of jobs works with what the worker has open; verbs work in a transaction.
  const isJob = ({ imports }: SourceFile) => imports.includes('api/platform/jobs/services.ts')

  it('opens transactions around verbs, never in them', () => {
    const opens = ({ text, imports }: SourceFile) =>
      text.includes('.transaction()') || imports.includes('api/platform/db/transaction.ts')
    const openers = product.filter((file) => opens(file) && !isJob(file)).map(({ path }) => path)
    const allowed =
      /^api\/(main\.ts$|platform\/(http\/|db\/transaction\.ts$|events\/internal\/feed\.ts$|jobs\/connection\.ts$)|keyRotation\/administer\.ts$|identity\/setup\/(bootstrap|appoint|firstEnrolments)\.ts$|payments\/(stops\/administer|payouts\/rejectWallet)\.ts$)/
    expect(openers.filter((path) => !allowed.test(path))).to.deep.equal([])
  })

  it('runs jobs from the list of jobs and from jobs, never from verbs', () => {
    const jobs = product.filter((file) => isJob(file) && file.imports.includes('api/platform/db/transaction.ts'))
    const wrong = product.filter(
      (file) => file.path !== 'api/jobs.ts' && !isJob(file) && jobs.some(({ path }) => file.imports.includes(path)),
    )
    expect(wrong.map(({ path }) => path)).to.deep.equal([])
  })

  it("writes trading's tables in trading alone", () => {
    const tables = 'orders|receipts|threads|messages|deliveries|acceptances|asks|ask_versions|bids|quotes'
    const write = new RegExp(
      `(insertInto|updateTable|deleteFrom)\\('market\\.(${tables})'|(insert into|update|delete from) market\\.(${tables})\\b`,
    )
    const writers = product.filter(({ path, text }) => path.startsWith('api/') && write.test(text))
    expect(writers.map(({ path }) => path).filter((path) => !path.startsWith('api/trading/'))).to.deep.equal([])
  })
})

function read(path: string): SourceFile {
  const text = readFileSync(ROOT + path, 'utf8')
  return { path, text, imports: importsOf(path, text) }
}

function importsOf(path: string, text: string): string[] {
  const names = ts.preProcessFile(text).importedFiles.map(({ fileName }) => fileName)
  return names.filter((name) => name.startsWith('.')).map((name) => join(dirname(path), name))
}

/** The files that run with these in a browser. Imports of types alone are erased. */
function reachable(entries: readonly string[]): Set<string> {
  const { imports } = JSON.parse(readFileSync(`${ROOT}package.json`, 'utf8'))
  const files = new Map(
    product.map(({ path, text }) => [path, text.replace(/^(import|export) type [^']*'[^']*'/gm, '')]),
  )
  const reached = new Set<string>()
  const visit = (path: string): void => {
    if (reached.has(path)) return
    reached.add(path)
    const text = files.get(path) ?? ''
    const seams = ts.preProcessFile(text).importedFiles.filter(({ fileName }) => fileName.startsWith('#'))
    for (const next of importsOf(path, text)) visit(next)
    for (const { fileName } of seams) visit(join(imports[fileName].browser))
  }
  for (const path of entries) visit(path)
  return reached
}

/** Circles among imports, also where only types are imported. */
function circles(files: readonly SourceFile[]): string[] {
  const graph = new Map(files.map(({ path, imports }) => [path, imports]))
  const done = new Set<string>()
  const found: string[] = []
  const visit = (path: string, trail: readonly string[]): void => {
    if (trail.includes(path)) found.push([...trail.slice(trail.indexOf(path)), path].join(' → '))
    if (done.has(path)) return
    done.add(path)
    for (const next of graph.get(path) ?? []) visit(next, [...trail, path])
  }
  for (const path of graph.keys()) visit(path, [])
  return found
}
