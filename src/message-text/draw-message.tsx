import { createElement, Fragment } from 'react'
import type { HTMLAttributes, ReactNode } from 'react'
import type { RootContent } from 'mdast'
import { piecesOf, readMarkdown, safeAddress } from './read-markdown.ts'

/** Deeper than anybody nests. */
const MOST_DEPTH = 12

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

/** The parts of a message; `place` is the host of a link whose text does not name it. */
export type MessagePart = keyof typeof WRAPPERS | 'code' | 'inlineCode' | 'link' | 'list' | 'place' | 'thematicBreak'
/** How the parts look where a message is shown: a page has classes, a mail has styles of its own. */
export type MessageLook = Readonly<Partial<Record<MessagePart, HTMLAttributes<HTMLElement>>>>

type Looking = { readonly look: MessageLook }

const Outside = ({ url, look, children }: Looking & { url: URL; children: ReactNode }) => (
  <a {...look.link} href={url.href} target="_blank" rel="nofollow noopener noreferrer">
    {children}
  </a>
)

const TypedText = ({ text, look }: Looking & { text: string }) =>
  piecesOf(text).map((piece, at) =>
    piece.url === null ? (
      piece.text
    ) : (
      <Outside key={at} url={piece.url} look={look}>
        {piece.text}
      </Outside>
    ),
  )

const plainOf = (nodes: readonly RootContent[]): string =>
  nodes.map((node) => ('value' in node ? node.value : 'children' in node ? plainOf(node.children) : '')).join('')

/** A link whose text does not name its host shows it: nobody is led elsewhere than they read. */
const NamedLink = ({
  address,
  text,
  look,
  children,
}: Looking & { address: string; text: string; children: ReactNode }) => {
  const url = safeAddress(address)
  if (url === null) return children
  const place = url.protocol === 'mailto:' ? url.pathname : url.host
  return (
    <>
      <Outside url={url} look={look}>
        {children}
      </Outside>
      {text.includes(place) ? null : <span {...look.place}>{` (${place})`}</span>}
    </>
  )
}

const Nodes = ({ nodes, depth, look }: Looking & { nodes: readonly RootContent[]; depth: number }): ReactNode =>
  depth > MOST_DEPTH ? plainOf(nodes) : nodes.map((node, at) => <Node key={at} node={node} depth={depth} look={look} />)

/** One node of a message. Other nodes are shown as their text: a parser that learns more shows nothing new. */
const Node = ({ node, depth, look }: Looking & { node: RootContent; depth: number }): ReactNode => {
  const inner = 'children' in node ? <Nodes nodes={node.children} depth={depth + 1} look={look} /> : null
  if (node.type === 'text') return <TypedText text={node.value} look={look} />
  if (node.type === 'inlineCode') return <code {...look.inlineCode}>{node.value}</code>
  if (node.type === 'code')
    return (
      <pre {...look.code}>
        <code>{node.value}</code>
      </pre>
    )
  if (node.type === 'break') return <br />
  if (node.type === 'thematicBreak') return <hr {...look.thematicBreak} />
  if (node.type === 'list') {
    const start = node.ordered ? { start: node.start ?? 1 } : null
    return createElement(node.ordered ? 'ol' : 'ul', { ...look.list, ...start }, inner)
  }
  if (node.type === 'link')
    return (
      <NamedLink address={node.url} text={plainOf(node.children)} look={look}>
        {inner}
      </NamedLink>
    )
  // A picture from elsewhere would tell its host who reads the ticket.
  if (node.type === 'image') {
    return (
      <NamedLink address={node.url} text={node.alt ?? ''} look={look}>
        {node.alt || node.url}
      </NamedLink>
    )
  }
  if (isWrapped(node.type)) return createElement(WRAPPERS[node.type], look[node.type], inner)
  return 'value' in node ? node.value : <Fragment>{inner}</Fragment>
}

/** A message in markdown, as a small safe part of it: no HTML, no pictures, links that give nothing away. */
export const drawMessage = (text: string, look: MessageLook): ReactNode => {
  const tree = readMarkdown(text)
  return tree === null ? (
    <p {...look.paragraph}>
      <TypedText text={text} look={look} />
    </p>
  ) : (
    <Nodes nodes={tree.children} depth={0} look={look} />
  )
}
