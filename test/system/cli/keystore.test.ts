import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { after, before, describe, it } from 'node:test'
import { expect } from 'chai'
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts'
import { ROOT } from '../../../cli/machine/paths.ts'
import { openKeystore } from '../../../protocol/keys/keystore.ts'

const PASSWORD = 'a password of nobody'

describe('./market keystore', { timeout: 120_000 }, () => {
  let folder: string
  let passwordFile: string

  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'keystore-'))
    passwordFile = join(folder, 'password')
    writeFileSync(passwordFile, `${PASSWORD}\n`, { mode: 0o600 })
  })

  after(() => rmSync(folder, { recursive: true }))

  it('makes a key that nobody has seen, in a file for its owner alone, and never writes over one', async () => {
    const out = join(folder, 'new.json')
    const made = await keystore(['--out', out, '--password-file', passwordFile])
    expect(made.code, made.errors).to.equal(0)
    const file = readFileSync(out, 'utf8')
    const key = await openKeystore(file, PASSWORD)
    expect(made.output.trim()).to.equal(privateKeyToAddress(key))
    expect(made.output + made.errors).to.not.contain(key.slice(2))
    expect(statSync(out).mode & 0o777).to.equal(0o600)
    const again = await keystore(['--out', out, '--password-file', passwordFile])
    expect(again.code).to.equal(1)
    expect(again.errors).to.contain('EEXIST')
    expect(readFileSync(out, 'utf8')).to.equal(file)
  })

  it('takes a key from its standard input', async () => {
    const out = join(folder, 'imported.json')
    const key = generatePrivateKey()
    const made = await keystore(['--import', '--out', out, '--password-file', passwordFile], `${key}\n`)
    expect([made.code, made.output.trim()]).to.deep.equal([0, privateKeyToAddress(key)])
    expect(await openKeystore(readFileSync(out, 'utf8'), PASSWORD)).to.equal(key)
  })

  it('refuses a password that others may read, and what is no key, and repeats neither', async () => {
    const open = join(folder, 'open')
    writeFileSync(open, PASSWORD, { mode: 0o644 })
    const out = join(folder, 'none.json')
    const refused = await keystore(['--out', out, '--password-file', open])
    expect([refused.code, refused.errors.includes('chmod 600')]).to.deep.equal([1, true])
    for (const key of ['0x1234', `0x${'ff'.repeat(32)}`]) {
      const { code, errors } = await keystore(['--import', '--out', out, '--password-file', passwordFile], key)
      expect(code).to.equal(1)
      expect(errors).to.contain('private key')
      for (const secret of [key, String(BigInt(key)), PASSWORD]) expect(errors).to.not.contain(secret)
    }
    expect(() => statSync(out)).to.throw('ENOENT')
  })
})

async function keystore(args: string[], input = '') {
  const child = spawn(process.execPath, [join(ROOT, 'cli/main.ts'), 'keystore', ...args])
  child.stdin.end(input)
  const { promise: ended, resolve } = Promise.withResolvers<number | null>()
  child.once('exit', resolve)
  const [code, output, errors] = await Promise.all([ended, text(child.stdout), text(child.stderr)])
  return { code, output, errors }
}
