import { Fragment, type ReactNode } from 'react'
import { fill } from './message.ts'
import { formatters, type Message, partsOf } from './texts.ts'

type Shown = ReactNode | bigint | ((text: ReactNode) => ReactNode)

interface Props {
  /** A sentence with names for what is no text of it: `Paid by {agent}. <link>See the order</link>`. */
  message: string | Message
  [name: string]: Shown | Message
}

const ELEMENTS: Readonly<Record<string, (text: ReactNode) => ReactNode>> = {
  strong: (text) => <strong>{text}</strong>,
  code: (text) => <code>{text}</code>,
  kbd: (text) => <kbd>{text}</kbd>,
}

/**
 * A message in the reader's language with elements in it. A tag of the message is a function that wraps its
 * text.
 */
export function Trans({ message, ...values }: Props): ReactNode {
  const mark = (tag: string, inner: unknown[]) => {
    const wrap = (values[tag] ?? ELEMENTS[tag]) as (text: ReactNode) => ReactNode
    return wrap(keyed(inner))
  }
  return keyed(fill(partsOf(message), values, formatters(), mark))
}

// biome-ignore lint/suspicious/noArrayIndexKey: the parts of a sentence have no other names.
const keyed = (parts: unknown[]) => parts.map((part, place) => <Fragment key={place}>{part as ReactNode}</Fragment>)
