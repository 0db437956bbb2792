import { PageHead } from '../../ui/PageHead.tsx'

/** What needs the person, by its deadline; their money. */
export function Home() {
  return <PageHead title="Home" />
}
