import { createElement, Fragment, useMemo } from 'react'
import type { ReactNode } from 'react'
import type { RootContent } from 'mdast'
import { piecesOf, readMarkdown, safeAddress } from './read-markdown.ts'
import './message-text.css'

/** Deeper than anybody nests. */
const MOST_DEPTH = 12

const Outside = ({ url, children }: { url: URL; children: ReactNode }) => (
  <a className="link" href={url.href} target="_blank" rel="nofollow noopener noreferrer">
    {children}
  </a>
)

const TypedText = ({ text }: { text: string }) =>
  piecesOf(text).map((piece, at) =>
    piece.url === null ? (
      piece.text
    ) : (
      <Outside key={at} url={piece.url}>
        {piece.text}
      </Outside>
    ),
  )

const plainOf = (nodes: readonly RootContent[]): string =>
  nodes.map((node) => ('value' in node ? node.value : 'children' in node ? plainOf(node.children) : '')).join('')

/** A link whose text does not name its host shows it: nobody is led elsewhere than they read. */
const NamedLink = ({ address, text, children }: { address: string; text: string; children: ReactNode }) => {
  const url = safeAddress(address)
  if (url === null) return children
  const place = url.protocol === 'mailto:' ? url.pathname : url.host
  return (
    <>
      <Outside url={url}>{children}</Outside>
      {text.includes(place) ? null : <span className="msg-place"> ({place})</span>}
    </>
  )
}

const WRAPPERS = {
  paragraph: 'p',
  emphasis: 'em',
  strong: 'strong',
  blockquote: 'blockquote',
  listItem: 'li',
  // The page has its own titles.
  heading: 'p',
} as const

const isWrapped = (type: string): type is keyof typeof WRAPPERS => Object.hasOwn(WRAPPERS, type)

const Nodes = ({ nodes, depth }: { nodes: readonly RootContent[]; depth: number }): ReactNode =>
  depth > MOST_DEPTH ? plainOf(nodes) : nodes.map((node, at) => <Node key={at} node={node} depth={depth} />)

/**
 * One node of a message. A node that is not named here is shown as its text: a parser that learns more shows nothing
 * new.
 */
const Node = ({ node, depth }: { node: RootContent; depth: number }): ReactNode => {
  const inner = 'children' in node ? <Nodes nodes={node.children} depth={depth + 1} /> : null
  if (node.type === 'text') return <TypedText text={node.value} />
  if (node.type === 'inlineCode') return <code>{node.value}</code>
  if (node.type === 'code')
    return (
      <pre className="msg-code" tabIndex={0} role="group">
        <code>{node.value}</code>
      </pre>
    )
  if (node.type === 'break') return <br />
  if (node.type === 'thematicBreak') return <hr />
  if (node.type === 'list')
    return createElement(node.ordered ? 'ol' : 'ul', node.ordered ? { start: node.start ?? 1 } : null, inner)
  if (node.type === 'link')
    return (
      <NamedLink address={node.url} text={plainOf(node.children)}>
        {inner}
      </NamedLink>
    )
  // A picture from elsewhere would tell its host who reads the ticket.
  if (node.type === 'image') {
    return (
      <NamedLink address={node.url} text={node.alt ?? ''}>
        {node.alt || node.url}
      </NamedLink>
    )
  }
  if (isWrapped(node.type)) return createElement(WRAPPERS[node.type], { 'data-kind': node.type }, inner)
  return 'value' in node ? node.value : <Fragment>{inner}</Fragment>
}

/** A message in markdown, as a small safe part of it: no HTML, no pictures, links that give nothing away. */
export const MessageText = ({ text }: { text: string }) => {
  const tree = useMemo(() => readMarkdown(text), [text])
  return (
    <div className="msg-text">
      {tree === null ? (
        <p>
          <TypedText text={text} />
        </p>
      ) : (
        <Nodes nodes={tree.children} depth={0} />
      )}
    </div>
  )
}
