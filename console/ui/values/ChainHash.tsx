import { useRead } from '../../data/queries.ts'
import { Hash } from './Hash.tsx'

interface Props {
  value: string
  kind: 'tx' | 'address'
  label?: string
}

/** A transaction or an address on the chain. It leads to the block explorer, where the service names one. */
export function ChainHash({ value, kind, label }: Props) {
  const { data } = useRead('getPublicConfig', {})
  const href = data?.explorer_url ? `${data.explorer_url}/${kind}/${value}` : undefined
  return <Hash value={value} href={href} label={label} />
}
