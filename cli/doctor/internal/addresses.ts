import { type Check, type Fault, reasonOf } from './check.ts'
import type { Place } from './place.ts'

// What a proxy answers while no api is behind it.
const NO_API_YET = [502, 503, 504]

/**
 * Checks that the public addresses of the API lead to it. That they are of different hosts is checked with
 * the settings.
 */
export function addressChecks({ addresses }: Place): Check[] {
  return addresses.map(({ variable, url }) => ({
    name: variable,
    cure: cureOf(variable),
    find: (signal) => faultsOf(variable, url, signal),
  }))
}

function cureOf(variable: string): string {
  return `point the host of ${variable} at the proxy in front of the api, with a certificate for it (docs/operate/proxies.md)`
}

async function faultsOf(variable: string, url: string, signal: AbortSignal): Promise<Fault[]> {
  const faults = (fault: string) => [{ fault, cure: cureOf(variable) }]
  try {
    const answer = await fetch(`${url}/healthz`, { signal, redirect: 'manual' })
    if (NO_API_YET.includes(answer.status)) {
      await answer.body?.cancel()
      return []
    }
    const text = await answer.text()
    return isHealth(text) ? [] : faults(`it leads to something else than the api: status ${answer.status} for /healthz`)
  } catch (error) {
    return faults(`it does not answer: ${reasonOf(error)}`)
  }
}

function isHealth(text: string): boolean {
  try {
    return (JSON.parse(text) as { status?: unknown } | null)?.status === 'ok'
  } catch {
    return false
  }
}
