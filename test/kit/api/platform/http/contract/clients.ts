import { spawn } from 'node:child_process'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { servedRoutes } from '../../../../../../api/app.ts'
import { problems } from '../../../../../../api/modules.ts'
import { openApiDocument } from '../../../../../../api/platform/http/openapi/openapi.ts'
import { versionAdapters } from '../../../../../../api/versions/adapt.ts'
import { ROOT, STATE_DIR } from '../../../../../../cli/machine/paths.ts'

/** Each generator of clients: its program, and what makes it write to a folder. */
const GENERATORS: Readonly<Record<string, { program: string; args: (document: string, folder: string) => string[] }>> =
  {
    '@hey-api/openapi-ts': {
      program: '@hey-api/openapi-ts/bin/run.js',
      args: (document, folder) => ['--input', document, '--output', folder, '--no-log-file'],
    },
    orval: {
      program: 'orval/dist/bin/orval.mjs',
      args: (document, folder) => ['--input', document, '--output', join(folder, 'client.ts')],
    },
    'openapi-zod-client': {
      program: 'openapi-zod-client/bin.js',
      args: (document, folder) => [document, '--output', join(folder, 'client.ts')],
    },
    'swagger-typescript-api': {
      program: 'swagger-typescript-api/dist/cli.mjs',
      args: (document, folder) => ['generate', '--path', document, '--output', folder, '--name', 'client.ts'],
    },
  }
const TSC = fileURLToPath(new URL('bin/tsc', import.meta.resolve('@typescript/native/package.json')))
const ofZodClient = createRequire(import.meta.resolve('openapi-zod-client/package.json'))
/** What openapi-zod-client writes is for zod 3, which zod 4 brings along, and for a package of its own. */
const OWN_PACKAGES = {
  zod: [join(ROOT, 'node_modules/zod/v3/index.d.cts')],
  '@zodios/core': [join(dirname(ofZodClient.resolve('@zodios/core')), 'index.d.ts')],
}

// ./market check runs this: the clients that stock generators make of the contract compile under `strict`.
await mkdir(STATE_DIR, { recursive: true })
// Below the repository, so that the clients find the packages that they import.
const work = await mkdtemp(join(STATE_DIR, 'clients-'))
try {
  const document = join(work, 'openapi.json')
  await writeFile(
    document,
    JSON.stringify(openApiDocument(servedRoutes, problems, versionAdapters, 'https://market.example')),
  )
  const faults = await Promise.all(Object.keys(GENERATORS).map((name, at) => faultsOf(name, document, `${work}/${at}`)))
  for (const fault of faults.flat()) process.stdout.write(`${fault}\n`)
  process.exitCode = faults.flat().length === 0 ? 0 : 1
} finally {
  await rm(work, { recursive: true })
}

async function faultsOf(name: string, document: string, folder: string): Promise<string[]> {
  const generator = GENERATORS[name]
  if (!generator) return [`there is no generator ${name}`]
  await mkdir(folder)
  const made = await run(join(ROOT, 'node_modules', generator.program), generator.args(document, folder))
  if (made.code !== 0) return [`${name} makes no client: ${made.output}`]
  const compilerOptions = {
    ...{ strict: true, noEmit: true, skipLibCheck: true, target: 'ES2022', lib: ['ES2023', 'DOM', 'DOM.Iterable'] },
    ...{ module: 'ESNext', moduleResolution: 'bundler', types: [], paths: OWN_PACKAGES },
  }
  await writeFile(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['.'] }))
  const compiled = await run(TSC, ['--project', folder])
  return compiled.code === 0 ? [] : [`the client of ${name} does not compile: ${compiled.output}`]
}

async function run(program: string, args: readonly string[]): Promise<{ code: number | null; output: string }> {
  const child = spawn(process.execPath, [program, ...args], { cwd: ROOT, stdio: ['ignore', 'pipe', 'pipe'] })
  const { promise: ended, resolve, reject } = Promise.withResolvers<number | null>()
  child.once('error', reject).once('close', resolve)
  const [out, errors, code] = await Promise.all([text(child.stdout), text(child.stderr), ended])
  return { code, output: `${out}${errors}` }
}
