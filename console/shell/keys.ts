import { pathTo } from '../routing/paths.ts'

const KEPT = 'keys'

/** The pages that `g` and another key open. */
export const GOES: Readonly<Record<string, { title: string; href: string }>> = {
  h: { title: 'Home', href: pathTo('home') },
  o: { title: 'Orders', href: pathTo('orders') },
  m: { title: 'Market', href: pathTo('market') },
  s: { title: 'My asks', href: pathTo('asks') },
  b: { title: 'Bids', href: pathTo('bids') },
  d: { title: 'Disputes', href: pathTo('disputes') },
  y: { title: 'Money', href: pathTo('money') },
  a: { title: 'Agents', href: pathTo('agents') },
  w: { title: 'Wallets', href: pathTo('wallets') },
  e: { title: 'Events', href: pathTo('events') },
}

/** Whether single keys are on. People who use speech input turn them off (WCAG 2.1.4). */
export function isOn(): boolean {
  return localStorage.getItem(KEPT) !== 'off'
}

export function turn(on: boolean): void {
  if (on) localStorage.removeItem(KEPT)
  else localStorage.setItem(KEPT, 'off')
}
