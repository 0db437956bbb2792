import { pathTo } from '../../../routing/paths.ts'
import { type Message, msg } from '../../../texts/texts.ts'

const KEPT = 'keys'

/** The pages that `g` and another key open. */
export const GOES: Readonly<Record<string, { title: Message; href: string }>> = {
  h: { title: msg('Home'), href: pathTo('home') },
  o: { title: msg('Orders'), href: pathTo('orders') },
  m: { title: msg('Market'), href: pathTo('market') },
  s: { title: msg('My asks'), href: pathTo('asks') },
  b: { title: msg('Bids'), href: pathTo('bids') },
  d: { title: msg('Disputes'), href: pathTo('disputes') },
  y: { title: msg('Money'), href: pathTo('money') },
  a: { title: msg('Agents'), href: pathTo('agents') },
  w: { title: msg('Wallets'), href: pathTo('wallets') },
  e: { title: msg('Events'), href: pathTo('events') },
}

/** Whether single keys are on. People who use speech input turn them off (WCAG 2.1.4). */
export function isOn(): boolean {
  return localStorage.getItem(KEPT) !== 'off'
}

export function turn(on: boolean): void {
  if (on) localStorage.removeItem(KEPT)
  else localStorage.setItem(KEPT, 'off')
}
