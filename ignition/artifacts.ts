import { readFile } from 'node:fs/promises'
import type { Artifact, ArtifactResolver, BuildInfo } from '@nomicfoundation/ignition-core'

const ARTIFACTS = new URL('../artifacts/', import.meta.url)

async function read<Content>(path: string): Promise<Content> {
  try {
    return JSON.parse(await readFile(new URL(path, ARTIFACTS), 'utf8'))
  } catch (cause) {
    throw new Error(`artifacts/${path} cannot be read: compile the contracts with "npx hardhat build"`, { cause })
  }
}

const loadArtifact = (name: string) => read<Artifact>(`contracts/${name}.sol/${name}.json`)

/**
 * Finds what `hardhat build` compiled, so that deploying needs no Hardhat run. Throws where nothing is
 * compiled.
 */
export const compiledArtifacts: ArtifactResolver = {
  loadArtifact,
  async getBuildInfo(name) {
    const { buildInfoId } = await loadArtifact(name)
    return buildInfoId === undefined ? undefined : read<BuildInfo>(`build-info/${buildInfoId}.json`)
  },
}
