import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, afterEach, before, describe, test } from 'node:test'
import { expect } from 'chai'
import type { Hex } from 'viem'
import type { StartedProcess } from '../../cli/machine/process.ts'
import { summary } from '../../facilitator/context/summary.ts'
import { readFacilitatorEnvironment } from '../../facilitator/env.ts'
import { openKeystores } from '../../facilitator/keystores.ts'
import { createKeystore } from '../../protocol/keys/keystore.ts'
import {
  type Bench,
  endFacilitator,
  environmentOf,
  facilitatorSpec,
  launchFacilitator,
  startBench,
  startFacilitator,
} from '../kit/facilitator/facilitator.ts'

const PASSWORD = 'a password of nobody'
const CHEAP = { n: 1024, r: 8, p: 1 }
// A keystore under the password below whose key is beyond the order of the curve: 32 bytes of ff.
const OF_NO_KEY = JSON.stringify({
  version: 3,
  crypto: {
    cipher: 'aes-128-ctr',
    cipherparams: { iv: '8f5c1166d24a824914ce46d938c69698' },
    ciphertext: '426c75196c2f3715e5a88bae3a36779dc6fde8eff59e5a5513c0d302e8cac68b',
    kdf: 'scrypt',
    kdfparams: {
      ...{ n: 1024, r: 8, p: 1, dklen: 32 },
      salt: '1e0ff25818ddec3bb70d072b17feadaf587dd666c7dfbdb37a7942de11b830d9',
    },
    mac: 'a153e87b66e6ca5f866a17d5f02d785831791176f534824734ca1cfc5ed0263f',
  },
})
/** The key in it, as errors would quote it. */
const NO_KEY = ['ff'.repeat(32), String(2n ** 256n - 1n)]

describe('keys in keystores', { timeout: 300_000 }, () => {
  let bench: Bench
  let folder: string
  const running = new Set<StartedProcess>()

  /** Writes a file that nobody but its owner may use. */
  const write = (name: string, text: string, mode = 0o600) => {
    const path = join(folder, name)
    writeFileSync(path, text)
    chmodSync(path, mode)
    return path
  }
  /** Variables with the submitter's key in a keystore instead of its own. */
  const inKeystore = async (changes: { key?: Hex; file?: string; password?: string; mode?: number } = {}) => {
    const { key = bench.chain.accounts.submitter.privateKey, password = PASSWORD, mode = 0o600 } = changes
    return {
      SUBMITTER_KEYS: '',
      SUBMITTER_KEYSTORES: write('keystore.json', changes.file ?? (await createKeystore(key, PASSWORD, CHEAP))),
      SUBMITTER_PASSWORD_FILE: write('password', `${password}\n`, mode),
    }
  }
  /** What a process says that must not contain any key or password, whatever happens to it. */
  const expectNoSecret = (output: string, others: readonly string[] = []) => {
    const keys = Object.values(bench.chain.accounts).map(({ privateKey }) => privateKey.slice(2))
    for (const secret of [...keys, PASSWORD, ...others])
      expect(output.toLowerCase()).to.not.contain(secret.toLowerCase())
  }

  before(async () => {
    bench = await startBench()
    folder = mkdtempSync(join(tmpdir(), 'keys-'))
  })

  afterEach(async () => {
    for (const started of running) await endFacilitator(started, 'SIGKILL')
    running.clear()
  })

  after(async () => {
    rmSync(folder, { recursive: true })
    await bench.stop()
  })

  test('are used as those of the environment are, as one in a file of its own is, and not logged', async () => {
    const resolver = write('resolver', `${bench.chain.accounts.resolver.privateKey}\n`)
    const variables = { ...(await inKeystore()), RESOLVER_KEY: '', RESOLVER_KEY_FILE: resolver, LOG_LEVEL: 'trace' }
    const started = await startFacilitator(facilitatorSpec(bench, variables))
    running.add(started)
    expect(started.output()).to.contain(bench.chain.accounts.submitter.address)
    expect(await endFacilitator(started, 'SIGTERM')).to.equal('exit code 0')
    expectNoSecret(started.output())
  })

  const wrong: [string, () => Promise<Record<string, string>>, string][] = [
    ['a wrong password', () => inKeystore({ password: 'another' }), 'SUBMITTER_KEYSTORES: the password is wrong'],
    [
      'a corrupt file',
      () => inKeystore({ file: '{"version":3,"crypto":{' }),
      'SUBMITTER_KEYSTORES: the file is not JSON',
    ],
    [
      'a bare key in place of a keystore',
      () => inKeystore({ file: bench.chain.accounts.submitter.privateKey }),
      'SUBMITTER_KEYSTORES: the file is',
    ],
    ['a password that others may read', () => inKeystore({ mode: 0o640 }), 'SUBMITTER_PASSWORD_FILE: others'],
    ['an empty password file', () => inKeystore({ password: '' }), 'SUBMITTER_PASSWORD_FILE: the file has no password'],
    ['a key that is none', () => inKeystore({ file: OF_NO_KEY }), 'is not a valid private key'],
    [
      'a file that is not there',
      async () => ({ ...(await inKeystore()), SUBMITTER_KEYSTORES: join(folder, 'nowhere') }),
      'SUBMITTER_KEYSTORES: the file cannot be read (ENOENT)',
    ],
    [
      'no password file',
      async () => ({ ...(await inKeystore()), SUBMITTER_PASSWORD_FILE: '' }),
      'SUBMITTER_PASSWORD_FILE: is not set',
    ],
    [
      'a key beside the keystore',
      async () => ({ ...(await inKeystore()), SUBMITTER_KEYS: bench.chain.accounts.submitter.privateKey }),
      'SUBMITTER_KEYSTORES: is set, and SUBMITTER_KEYS as well',
    ],
    [
      'the resolver’s key in the submitter’s place',
      () => inKeystore({ key: bench.chain.accounts.resolver.privateKey }),
      'SUBMITTER_KEYS: must differ',
    ],
  ]
  for (const [name, variables, complaint] of wrong) {
    test(`with ${name}: the complaint says which variable is at fault, and shows nothing secret`, async () => {
      const env = environmentOf(bench, await variables())
      const error = await openKeystores(env)
        .then(readFacilitatorEnvironment)
        .then(() => undefined, summary)
      expect(error).to.contain(complaint)
      expectNoSecret(String(error), NO_KEY)
    })
  }

  test('that cannot be opened end the process, which shows nothing secret', async () => {
    const env = { ...environmentOf(bench, await inKeystore({ file: OF_NO_KEY })), LOG_LEVEL: 'trace' }
    const started = launchFacilitator({ ...facilitatorSpec(bench), env })
    running.add(started)
    expect(await started.ended).to.equal('exit code 1')
    expect(started.output()).to.contain('is not a valid private key')
    expectNoSecret(started.output(), NO_KEY)
  })
})
