import { lexer, type Token, type Tokens } from 'marked'
import { Fragment, type ReactNode } from 'react'
import styles from './Markdown.module.css'

const SAFE = /^(https?:|mailto:|\/|#)/i

/** What a reference in the text is shown as: `![[file]]` or `[[page]]`. */
type Reference = (name: string, isEmbedded: boolean) => ReactNode

/** Markdown as elements: HTML in it is shown as text, and links lead to web and mail alone. */
export function Markdown({ text, reference }: { text: string; reference?: Reference }) {
  return <div className={styles.markdown}>{blocks(lexer(text), reference)}</div>
}

function blocks(tokens: Token[], reference?: Reference): ReactNode {
  return tokens.map((token, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: tokens have no identity, and are shown anew as a whole.
    <Fragment key={index}>{element(token as Tokens.Generic, reference)}</Fragment>
  ))
}

const ELEMENTS: Record<string, (token: Tokens.Generic, children: ReactNode) => ReactNode> = {
  space: () => null,
  heading: ({ depth }, children) => {
    const Heading = `h${Math.min(depth + 1, 6)}` as 'h2'
    return <Heading>{children}</Heading>
  },
  paragraph: (_token, children) => <p>{children}</p>,
  strong: (_token, children) => <strong>{children}</strong>,
  em: (_token, children) => <em>{children}</em>,
  del: (_token, children) => <del>{children}</del>,
  blockquote: (_token, children) => <blockquote>{children}</blockquote>,
  code: ({ text }) => (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard.
    <pre tabIndex={0}>
      <code>{text}</code>
    </pre>
  ),
  codespan: ({ text }) => <code>{text}</code>,
  br: () => <br />,
  hr: () => <hr />,
  list_item: (_token, children) => <li>{children}</li>,
  link: ({ href }, children) =>
    SAFE.test(href) ? (
      <a href={href} rel="noreferrer">
        {children}
      </a>
    ) : (
      children
    ),
  // Pictures of other sites would tell them who reads.
  image: ({ href, text }) => <span className="muted">[{text || href}]</span>,
}

function element(token: Tokens.Generic, reference?: Reference): ReactNode {
  if (token.type === 'list') return list(token as Tokens.List, reference)
  if (token.type === 'table') return table(token as Tokens.Table, reference)
  const children = token.tokens ? blocks(token.tokens, reference) : referred(token.text ?? token.raw, reference)
  return ELEMENTS[token.type]?.(token, children) ?? children
}

function list({ ordered, items }: Tokens.List, reference?: Reference): ReactNode {
  const children = blocks(items, reference)
  return ordered ? <ol>{children}</ol> : <ul>{children}</ul>
}

function table({ header, rows }: Tokens.Table, reference?: Reference): ReactNode {
  return (
    <table>
      <thead>
        <tr>{header.map((cell, index) => tableCell('th', cell, index, reference))}</tr>
      </thead>
      <tbody>
        {rows.map((row, rowIndex) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: rows have no identity, and equal ones are common.
          <tr key={rowIndex}>{row.map((cell, index) => tableCell('td', cell, index, reference))}</tr>
        ))}
      </tbody>
    </table>
  )
}

function tableCell(Cell: 'th' | 'td', { tokens }: Tokens.TableCell, index: number, reference?: Reference): ReactNode {
  return <Cell key={index}>{blocks(tokens, reference)}</Cell>
}

function referred(text: string, reference?: Reference): ReactNode {
  if (!reference) return text
  const parts = text.split(/(!?\[\[[^\]]+\]\])/)
  return parts.map((part, index) => {
    const [, embed, name] = /^(!?)\[\[([^\]]+)\]\]$/.exec(part) ?? []
    // biome-ignore lint/suspicious/noArrayIndexKey: parts of one text, shown anew as a whole.
    return <Fragment key={index}>{name ? reference(name, embed === '!') : part}</Fragment>
  })
}
