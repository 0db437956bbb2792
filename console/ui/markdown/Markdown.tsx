import type { Token, Tokens } from 'marked'
import { Fragment, type ReactNode } from 'react'
import { t } from '../../texts/texts.ts'
import styles from './Markdown.module.css'
import { calloutOf, sectionId, tokensOf } from './markdownTokens.ts'

const SAFE = /^(https?:|mailto:|\/|#)/i

/** What a reference in the text is shown as: `![[file]]` or `[[page]]`. */
type Reference = (name: string, isEmbedded: boolean, words?: ReactNode) => ReactNode

/** How what a text names is shown. */
interface Naming {
  reference?: Reference
  /** What an account that is mentioned is called. */
  nameOf?: (urn: string) => string
}

/** Markdown as elements: HTML in it is shown as text, and links lead to web and mail alone. */
export function Markdown({ text, ...naming }: Naming & { text: string }) {
  return <div className={styles.markdown}>{blocks(tokensOf(text), naming)}</div>
}

function blocks(tokens: Token[], naming: Naming): ReactNode {
  return tokens.map((token, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: tokens have no identity, and are shown anew as a whole.
    <Fragment key={index}>{element(token as Tokens.Generic, naming)}</Fragment>
  ))
}

const ELEMENTS: Record<string, (token: Tokens.Generic, children: ReactNode) => ReactNode> = {
  space: () => null,
  heading: ({ depth, text }, children) => {
    const Heading = `h${Math.min(depth + 1, 6)}` as 'h2'
    return <Heading id={sectionId(text)}>{children}</Heading>
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
      <a href={href.startsWith('#') ? `#${sectionId(decoded(href.slice(1)))}` : href} rel="noreferrer">
        {children}
      </a>
    ) : (
      children
    ),
  checkbox: ({ checked }) => <input type="checkbox" aria-label={t('Done')} checked={checked} disabled readOnly />,
  note: ({ id }) => (
    <sup>
      <a href={`#footnote-${id}`}>{id}</a>
    </sup>
  ),
  footnote: ({ id }, children) => (
    <p id={`footnote-${id}`} className="small">
      <sup>{id}</sup> {children}
    </p>
  ),
  // Pictures on other sites would tell those sites who reads.
  image: ({ href, text }) => <span className="muted">[{text || href}]</span>,
}

function element(token: Tokens.Generic, naming: Naming): ReactNode {
  if (token.type === 'list') return list(token as Tokens.List, naming)
  if (token.type === 'table') return table(token as Tokens.Table, naming)
  if (token.type === 'reference') return naming.reference?.(token.name, token.isEmbedded) ?? token.raw
  const callout = token.type === 'blockquote' ? calloutOf(token as Tokens.Blockquote) : undefined
  if (callout) {
    return (
      <blockquote>
        <p>
          <strong>{callout.title}</strong>
        </p>
        {blocks(tokensOf(callout.text), naming)}
      </blockquote>
    )
  }
  if (token.type === 'mention') return naming.nameOf ? <strong>@{naming.nameOf(token.urn)}</strong> : token.raw
  const children = token.tokens ? blocks(token.tokens, naming) : (token.text ?? token.raw)
  if (token.type === 'referenceLink') return naming.reference?.(token.name, false, children) ?? children
  return ELEMENTS[token.type]?.(token, children) ?? children
}

function list({ ordered, items }: Tokens.List, naming: Naming): ReactNode {
  const children = blocks(items, naming)
  return ordered ? <ol>{children}</ol> : <ul>{children}</ul>
}

function table({ header, rows }: Tokens.Table, naming: Naming): ReactNode {
  return (
    <table>
      <thead>
        <tr>{header.map((cell, index) => tableCell('th', cell, index, naming))}</tr>
      </thead>
      <tbody>
        {rows.map((row, rowIndex) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: rows have no identity, and equal ones are common.
          <tr key={rowIndex}>{row.map((cell, index) => tableCell('td', cell, index, naming))}</tr>
        ))}
      </tbody>
    </table>
  )
}

function tableCell(Cell: 'th' | 'td', { tokens, align }: Tokens.TableCell, index: number, naming: Naming): ReactNode {
  return (
    <Cell key={index} style={align ? { textAlign: align } : undefined}>
      {blocks(tokens, naming)}
    </Cell>
  )
}

function decoded(fragment: string): string {
  try {
    return decodeURIComponent(fragment)
  } catch {
    return fragment
  }
}
