import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ROOT, STATE_DIR } from '../../../cli/machine/paths.ts'
import { freePort } from '../../../cli/machine/ports.ts'
import { launch, type ProcessSpec, signal, untilReady } from '../../../cli/machine/process.ts'
import { removeWithUs } from '../../../cli/machine/reaper.ts'

const READY_TIMEOUT_MS = 20_000

export type WebProxyName = 'nginx' | 'haproxy'

/** A proxy in front of an API. */
export interface WebProxy {
  baseUrl: string
  stop: () => Promise<void>
}

/** Returns why a proxy cannot be started here, or undefined. */
export function missingWebProxy(name: WebProxyName): string | undefined {
  return programOf(name) === undefined ? `${name} is not installed` : undefined
}

/** Returns the configuration of a proxy that the documentation shows. */
function documentedProxy(name: WebProxyName): string {
  const page = readFileSync(`${ROOT}docs/operate/proxies.md`, 'utf8')
  return String(new RegExp(`\`\`\`${name} .*\\n([^]*?)\`\`\``).exec(page)?.[1])
}

/**
 * Starts a proxy by the configuration of the documentation, in front of the APIs at `apiUrls`. Three things
 * are changed: where the APIs are, where the proxy listens, and that it does so without TLS.
 */
export async function startWebProxy(
  name: WebProxyName,
  apiUrls: readonly string[],
  listenAt?: number,
): Promise<WebProxy> {
  const command = programOf(name)
  if (command === undefined) throw new Error(`${name} is not installed`)
  const port = listenAt ?? (await freePort())
  const dir = await mkdtemp(join(tmpdir(), `market-${name}-`))
  removeWithUs(dir)
  const config = join(dir, 'proxy.conf')
  const changed = documentedProxy(name)
    .replaceAll(/^.*127\.0\.0\.1:8080.*$/gm, (line) =>
      apiUrls.map((url, index) => serverLine(line, url, index)).join('\n'),
    )
    .replaceAll(/listen 443 ssl|bind :443 ssl crt \S+/g, (text) => `${text.split(' ')[0]} 127.0.0.1:${port}`)
    .replaceAll(/^\s*ssl_certificate.*\n/gm, '')
  await writeFile(config, name === 'nginx' ? aroundNginx(changed, dir) : changed)
  const args = name === 'nginx' ? ['-c', config, '-p', dir, '-g', 'daemon off;'] : ['-db', '-f', config]
  const spec: ProcessSpec = {
    ...{ name, command, args, env: {}, stopSignal: 'SIGTERM', restartable: false },
    isReady: () => isUp(`http://127.0.0.1:${port}/healthz`),
    readyTimeoutMs: READY_TIMEOUT_MS,
  }
  const started = launch(spec, join(STATE_DIR, `logs/test/${name}-${process.pid}-${port}.log`))
  await untilReady(spec, started)
  started.unref()
  return {
    baseUrl: `http://127.0.0.1:${port}`,
    stop: async () => {
      signal(started, 'SIGTERM')
      await started.ended
    },
  }
}

function serverLine(line: string, url: string, index: number): string {
  return line.replace('127.0.0.1:8080', new URL(url).host).replace('api1', `api${index + 1}`)
}

function programOf(name: WebProxyName): string | undefined {
  return [`/usr/sbin/${name}`, name].find((path) => spawnSync(path, ['-v']).status === 0)
}

// What the distribution's own nginx.conf has around the server, with paths that need no rights.
function aroundNginx(servers: string, dir: string): string {
  const paths = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((name) => `${name}_temp_path ${dir}/${name};`)
  return `pid ${dir}/nginx.pid;
error_log stderr warn;
events {}
http {
access_log off;
${paths.join('\n')}
${servers}
}
`
}

async function isUp(url: string): Promise<boolean> {
  try {
    return (await fetch(url)).ok
  } catch {
    return false
  }
}
