import { execFileSync, spawnSync } from 'node:child_process'
import { globSync, readFileSync } from 'node:fs'
import { chmod, cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { expect } from 'chai'
import { parse, parseAllDocuments } from 'yaml'
import { ROOT } from '../../cli/machine/paths.ts'
import { type Configured, expectComplete, readSettings, unknownSettings } from './settings.ts'

const DEPLOY = join(ROOT, 'deploy')
const PROCESSES = ['api', 'facilitator', 'indexer', 'worker']
const missing = (program: string, ...args: string[]) =>
  spawnSync(program, args, { stdio: 'ignore' }).status === 0 ? false : `${program} is not installed`

interface Container {
  args: string[]
  env?: { name: string; value: string }[]
  envFrom?: { configMapRef: { name: string } }[]
  securityContext: Record<string, unknown>
  livenessProbe?: object
}

interface Manifest {
  kind: string
  metadata: { name: string }
  data: Record<string, string>
  spec: {
    selector?: { matchLabels: Record<string, string> }
    template: { spec: { containers: [Container]; securityContext: object; volumes: { secret?: object }[] } }
  }
}

const namesOf = (manifests: readonly Manifest[]) => manifests.map(({ metadata }) => metadata.name)

/** Each has exactly the settings that its program needs and knows. */
async function expectSettings(configured: readonly Configured[]): Promise<void> {
  for (const one of configured) {
    expect(unknownSettings(one), `what ${one.command} does not know`).to.deep.equal([])
    await expectComplete(one)
  }
}

describe('what runs the market in containers and as services', () => {
  it('is in compose.yaml with the settings and the secrets of each process', async () => {
    const { services, secrets } = parse(readFileSync(`${DEPLOY}/compose/compose.yaml`, 'utf8'), { merge: true })
    const ours = Object.values<{ image: string; command: string; environment: object; secrets: string[] }>(services)
      .filter(({ image }) => image.startsWith('${MARKET_IMAGE'))
      .map(({ command, environment, secrets: own }) => {
        const env = { ...readSettings('compose/market.env'), ...environment } as Record<string, string>
        const read = Object.entries(env)
          .filter(([name]) => name.endsWith('_FILE'))
          .map(([, path]) => path.split('/').at(-1))
        expect(own, `the secrets of ${command}`).to.have.members(read)
        expect(Object.keys(secrets)).to.include.members(own)
        return { command, env }
      })
    expect(ours.map(({ command }) => command)).to.have.members([...PROCESSES, 'migrate'])
    await expectSettings(ours)
    const made = readFileSync(`${DEPLOY}/compose/secrets.sh`, 'utf8')
    for (const name of Object.keys(secrets)) expect(made).to.match(new RegExp(name.replace(/_database_url$/, '')))
  })

  it('has the proxy of the documentation in front', () => {
    const documented = /```nginx .*\n([\s\S]*?)```/.exec(readFileSync(`${ROOT}docs/operate/proxies.md`, 'utf8'))?.[1]
    const composed = readFileSync(`${DEPLOY}/compose/nginx.conf`, 'utf8')
    const servers = /^ +# The name leads[\s\S]*?resolve;\n/m
    expect(composed).to.match(servers)
    expect(composed.replace(servers, '  server 127.0.0.1:8080;\n')).to.include(documented)
  })

  it('has an image that runs as an account of its own', () => {
    const file = readFileSync(`${DEPLOY}/Dockerfile`, 'utf8')
    expect(file)
      .to.match(/^USER 10001:10001$/m)
      .and.match(/^HEALTHCHECK /m)
    const env = Object.fromEntries([...file.matchAll(/([A-Z_]+)=(\/\S+)/g)].map(([, name, value]) => [name, value]))
    expect(env).to.include.keys('CONSOLE_DIR', 'NODE_COMPILE_CACHE')
    expect(unknownSettings({ command: 'api', env })).to.deep.equal([])
  })

  for (const overlay of ['overlays/staging', 'overlays/production', 'migrate']) {
    it(`is in the manifests of ${overlay}`, { skip: missing('kubectl', 'version', '--client') }, async () => {
      const text = execFileSync('kubectl', ['kustomize', `${DEPLOY}/kubernetes/${overlay}`], { encoding: 'utf8' })
      // As text: a long hexadecimal number is an address, which only YAML 1.1 leaves as it is.
      const manifests = parseAllDocuments(text, { schema: 'failsafe' }).map((document) => document.toJS() as Manifest)
      const ofKind = (kind: string) => manifests.filter((manifest) => manifest.kind === kind)
      const pods = [...ofKind('Deployment'), ...ofKind('Job')]
      const configured = pods.map(({ spec: { template } }) => {
        const [{ args, env = [], envFrom = [] }] = template.spec.containers
        const maps = envFrom.flatMap(({ configMapRef }) =>
          ofKind('ConfigMap').filter(({ metadata }) => metadata.name === configMapRef.name),
        )
        expect(maps).to.have.length(envFrom.length)
        const named = Object.fromEntries(env.map(({ name, value }) => [name, value]))
        return { command: String(args[0]), env: Object.assign({}, ...maps.map(({ data }) => data), named) }
      })
      await expectSettings(configured)
      for (const { spec } of pods) {
        const pod = spec.template.spec
        expect(pod.securityContext).to.include({ runAsNonRoot: 'true' })
        expect(pod.containers[0].securityContext).to.include({
          readOnlyRootFilesystem: 'true',
          allowPrivilegeEscalation: 'false',
        })
        expect(pod.volumes.filter(({ secret }) => secret)).to.have.length(1)
      }
      const isWhole = overlay !== 'migrate'
      expect(configured.map(({ command }) => command).sort()).to.deep.equal(isWhole ? PROCESSES : ['migrate'])
      const [budgets, policies] = [ofKind('PodDisruptionBudget'), ofKind('NetworkPolicy')].map(namesOf)
      expect(budgets).to.have.members(isWhole ? ['api', 'facilitator', 'worker'] : [])
      expect(policies).to.have.members(isWhole ? ['api', 'market', 'worker'] : [])
      const probed = pods.filter(({ spec }) => spec.template.spec.containers[0].livenessProbe)
      expect(probed).to.have.length(isWhole ? PROCESSES.length : 0)
    })
  }

  it('is in units of systemd', async () => {
    const files = globSync('systemd/*.service', { cwd: DEPLOY })
    const units = files.map((file) => {
      const text = readFileSync(join(DEPLOY, file), 'utf8')
      // By default systemd gives up a service that ends five times in ten seconds, as with a database that is
      // away.
      expect(text)
        .to.match(/^\[Unit\]\n[^[]*^StartLimitIntervalSec=0$/m)
        .and.match(/^Restart=always$/m)
      const settings = [...text.matchAll(/^Environment=(.*)$/gm)].flatMap(([, pairs]) => String(pairs).split(' '))
      const own = Object.fromEntries(settings.map((pair) => pair.replaceAll('%i', '8080').split('=')))
      for (const path of Object.values<string>(own).filter((value) => value.startsWith('%d/')))
        expect(text).to.include(
          `LoadCredential=${path.slice('%d/'.length)}:/etc/market/secrets/${path.slice('%d/'.length)}\n`,
        )
      return {
        command: String(/^ExecStart=\S+ (\w+)$/m.exec(text)?.[1]),
        env: { ...readSettings('systemd/market.env'), ...own },
      }
    })
    expect(units.map(({ command }) => command).sort()).to.deep.equal(PROCESSES)
    await expectSettings(units)
  })

  it('has accounts that systemd makes', { skip: missing('systemd-sysusers', '--version') }, async () => {
    const root = await mkdtemp(join(tmpdir(), 'market-accounts-'))
    try {
      await mkdir(join(root, 'etc'))
      const made = spawnSync('systemd-sysusers', [`--root=${root}`, `${DEPLOY}/systemd/market.sysusers.conf`], {
        encoding: 'utf8',
      })
      expect(made.status, made.stderr).to.equal(0)
      const accounts = await readFile(join(root, 'etc/passwd'), 'utf8')
      expect(accounts.match(/^market[\w-]*/gm)).to.have.members(['market', 'market-facilitator', 'market-indexer'])
    } finally {
      await rm(root, { recursive: true })
    }
  })

  it('has the proxy of the documentation as a file', () => {
    const documented = /```nginx .*\n([\s\S]*?)```/.exec(readFileSync(`${ROOT}docs/operate/proxies.md`, 'utf8'))?.[1]
    const file = readFileSync(`${DEPLOY}/nginx.conf`, 'utf8')
    expect(file.replace(/^#.*\n/, '')).to.equal(documented)
  })

  it('has units that systemd takes', { skip: missing('systemd-analyze', '--version') }, async () => {
    const folder = await mkdtemp(join(tmpdir(), 'market-units-'))
    try {
      await cp(join(DEPLOY, 'systemd'), folder, { recursive: true })
      await writeFile(join(folder, 'command'), '#!/bin/sh\n')
      await chmod(join(folder, 'command'), 0o755)
      const names = (await readdir(folder)).filter((name) => /\.(service|target)$/.test(name))
      for (const name of names) {
        const text = await readFile(join(folder, name), 'utf8')
        await writeFile(join(folder, name), text.replaceAll('/opt/market/market', join(folder, 'command')))
      }
      const verified = spawnSync('systemd-analyze', ['verify', ...names.map((name) => join(folder, name))], {
        encoding: 'utf8',
      })
      expect([verified.stderr, verified.status]).to.deep.equal(['', 0])
    } finally {
      await rm(folder, { recursive: true })
    }
  })
})
