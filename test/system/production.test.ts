import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { expect } from 'chai'
import { ROOT, STATE_DIR } from '../../cli/machine/paths.ts'
import { startTestServer } from '../../cli/stack/postgres/testServer.ts'
import { blocksOf } from '../kit/docs/blocks.ts'
import { startBase } from './production/base.ts'

const PAGE = 'docs/operate/production.md'
const THIS = 'tested=test/system/production.test.ts'
const DOMAIN = 'market-test.example'
const PROGRAMS = ['curl', 'jq', 'nginx', 'openssl', 'psql', 'setpriv', 'systemd-sysusers', 'unshare']
/** What the page's units and its proxy listen on, at fixed ports. */
const PORTS = [443, 8_080, 9_471, 9_481, 9_490, 18_080, 42_069]
/** What a person does between blocks, in the page's order. The middle one types into the shell. */
const ACTS = [
  (node: string) => `node ${ROOT}test/system/production/byHand.ts gas ${node}`,
  () => 'mv /root/offline /root/moved',
  () => `exec < <(node ${ROOT}test/system/production/byHand.ts tokens https://market.${DOMAIN})`,
  (node: string) => `node ${ROOT}test/system/production/byHand.ts money ${node}`,
]
/** Whom the processes run as in the end. */
const ACCOUNTS = { api: 'market', worker: 'market', facilitator: 'market-facilitator', indexer: 'market-indexer' }
const LIMIT_MS = 900_000

function missing(): string | undefined {
  if (!process.env.MARKET_TEST_DEEP) return 'runs in test deep'
  if (process.getuid?.() !== 0) return 'this is not root'
  const absent = PROGRAMS.find((name) => spawnSync('sh', ['-c', `command -v ${name}`]).status !== 0)
  if (absent) return `${absent} is not installed`
  if (spawnSync('unshare', ['--mount', '--pid', '--fork', '--mount-proc', 'true']).status !== 0)
    return 'there are no namespaces here'
  const listening = readFileSync('/proc/net/tcp', 'utf8') + readFileSync('/proc/net/tcp6', 'utf8')
  const isTaken = (port: number) => new RegExp(`:${port.toString(16).padStart(4, '0')} \\S+ 0A `, 'i').test(listening)
  const taken = PORTS.find(isTaken)
  return taken ? `port ${taken} is taken` : undefined
}

describe('the page From nothing to production', { skip: missing() ?? false, timeout: LIMIT_MS + 60_000 }, () => {
  let state: string
  let machine: ChildProcess | undefined

  before(async () => {
    state = await mkdtemp(join(tmpdir(), 'market-production-'))
    await chmod(state, 0o755)
  })

  after(async () => {
    // The first process of its namespace: the others end with it.
    if (machine && machine.exitCode === null && machine.kill('SIGKILL')) await once(machine, 'exit')
    await rm(state, { recursive: true, force: true })
  })

  it('leads from an empty machine to a trade that is paid and proved, each block run as it is written', async (context) => {
    const [server, node] = await Promise.all([startTestServer(), startBase()])
    const { code, output, marks } = await runPage({
      DOMAIN,
      DATABASE_SERVER: server.replace(/\/postgres$/, '?sslmode=disable'),
      NODE: node,
    })
    expect(code, output.slice(-6_000)).to.equal(0)
    expect(output)
      .to.match(/withdrawn +0\.95 USDC/)
      .and.match(/contract *: 1 payments of 1\.000000, 1 distributed: seller 0\.950000/)
      .and.include('Clean: what was checked is as it should be.')
    for (const [process, account] of Object.entries(ACCOUNTS))
      expect(output).to.match(new RegExp(`^${account} .*/cli/main.ts ${process}$`, 'm'))
    for (const line of marks) context.diagnostic(line)
  })

  async function runPage(substitutes: Record<string, string>) {
    const script = join(state, 'page.sh')
    await writeFile(script, await scriptOf(substitutes))
    const log = join(state, 'output')
    const args = ['--mount', '--pid', '--fork', '--kill-child', '--mount-proc', 'bash', script]
    machine = spawn('sh', ['-c', `exec unshare "$@" >${log} 2>&1`, 'sh', ...args], {
      cwd: ROOT,
      env: { PATH: `${join(state, 'bin')}:${process.env.PATH}`, HOME: process.env.HOME, ...trusting(state) },
      stdio: 'ignore',
    })
    const timer = setTimeout(() => machine?.kill('SIGKILL'), LIMIT_MS)
    const [code] = await once(machine, 'exit')
    clearTimeout(timer)
    const output = await readFile(log, 'utf8')
    await mkdir(join(STATE_DIR, 'logs/test'), { recursive: true })
    await writeFile(join(STATE_DIR, 'logs/test/production.log'), output)
    return { code, output, marks: [...output.matchAll(/^@ (.*)$/gm)].map(([, line = '']) => line) }
  }

  /** The blocks in their order, with the three substitutes, and between them what a person does. */
  async function scriptOf(substitutes: Record<string, string>): Promise<string> {
    const text = readFileSync(ROOT + PAGE, 'utf8')
    const byHand = text.split('\n').flatMap((line, index) => (line.startsWith('**By hand:**') ? [index + 1] : []))
    expect(byHand).to.have.length(ACTS.length)
    const blocks = blocksOf(PAGE)
    expect(blocks.filter(({ marks }) => !marks.includes(THIS))).to.deep.equal([])
    const steps = [
      ...blocks.map(({ line, code }, index) => ({ line, code: index === 0 ? substituted(code, substitutes) : code })),
      ...byHand.map((line, index) => ({ line, code: ACTS[index]?.(String(substitutes.NODE)) ?? '' })),
    ].sort((one, other) => one.line - other.line)
    const body = steps.map(({ line, code }) => `echo "@ $(elapsed) s: ${PAGE}:${line}"\n${code}`)
    const end = [
      'echo "@ $(elapsed) s: the first trade is paid and proved"',
      "ps -eo user:32,args | grep '[c]li/main.ts'",
    ]
    return [await machineOf(), ...body, ...end].join('\n')
  }

  /**
   * A machine of its own as far as files and processes go: what the page writes, is seen by nobody else, and
   * ends with it.
   */
  async function machineOf(): Promise<string> {
    await mkdir(join(state, 'bin'))
    const systemctl = `#!/bin/sh\nexec node ${ROOT}test/system/production/systemctl.ts "$@"\n`
    await writeFile(join(state, 'bin/systemctl'), systemctl, { mode: 0o755 })
    certify(state)
    await mkdir(join(state, 'opt'), { mode: 0o755 })
    return `set -euo pipefail
mkdir ${state}/over && mount -t tmpfs tmpfs ${state}/over
for folder in /etc /var /root /usr/local/bin; do
  mkdir -p ${state}/over$folder/upper ${state}/over$folder/work
  mount -t overlay overlay -o lowerdir=$folder,upperdir=${state}/over$folder/upper,workdir=${state}/over$folder/work $folder
done
mount -t tmpfs -o mode=755 tmpfs /run
mount --bind ${state}/opt /opt
install -d -m 755 /etc/market
cp ${state}/tls.crt ${state}/tls.key /etc/market/
echo '127.0.0.1 market.${DOMAIN} files.${DOMAIN}' >>/etc/hosts
rm -f /etc/nginx/sites-enabled/default # Its port may be taken here.
trap 'for log in /var/log/market/*.log; do echo "== $log"; tail -n 15 "$log"; done' ERR
elapsed() { echo $((SECONDS)); }
SECONDS=0`
  }
})

/** The variables by which programs trust the test's certificate, as they do those of public authorities. */
function trusting(state: string): Record<string, string> {
  const file = join(state, 'tls.crt')
  return { NODE_EXTRA_CA_CERTS: file, CURL_CA_BUNDLE: file }
}

function certify(state: string): void {
  const names = `subjectAltName=DNS:market.${DOMAIN},DNS:files.${DOMAIN}`
  const files = ['-keyout', join(state, 'tls.key'), '-out', join(state, 'tls.crt')]
  const args = ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2', '-subj', '/CN=market', '-addext', names]
  execFileSync('openssl', [...args, ...files], { stdio: 'ignore' })
  expect(existsSync(join(state, 'tls.crt'))).to.equal(true)
}

/** Puts other values into the assignments of the first block, and nothing else. */
function substituted(code: string, substitutes: Record<string, string>): string {
  const lines = code.trim().split('\n')
  expect(lines.map((line) => line.split('=')[0])).to.deep.equal(Object.keys(substitutes))
  return Object.entries(substitutes)
    .map(([name, value]) => `${name}=${value}`)
    .join('\n')
}
