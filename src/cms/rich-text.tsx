import { RichText } from '@payloadcms/richtext-lexical/react'
import type { ComponentProps, ReactNode } from 'react'
import { PageLink } from '@/ui/controls/page-link.tsx'
import type { Document } from './payload-types.ts'

type Body = NonNullable<Document['terms']['body']>
export type Converters = Extract<
  NonNullable<ComponentProps<typeof RichText>['converters']>,
  (...args: never) => unknown
>

/** Browsers leave out a tab or a new line, and what follows would be the name of another host. */
const OWN = /^(?:\/(?![/\\\t\n\r])|#)/
const OUTSIDE = /^(?:https?:\/\/|mailto:)/i

/** A link to the site's own pages, the web or a mailbox. Any other address, such as a script, leaves its text alone. */
const SafeLink = ({ url, newTab, children }: { url: unknown; newTab: unknown; children: ReactNode }) => {
  if (typeof url !== 'string') return children
  const place = newTab === true ? { target: '_blank' } : {}
  if (OWN.test(url)) {
    return (
      <PageLink href={url} prefetch={false} {...place}>
        {children}
      </PageLink>
    )
  }
  if (!OUTSIDE.test(url)) return children
  return (
    <a href={url} rel="noopener noreferrer" {...place}>
      {children}
    </a>
  )
}

/** Headings get one level, so that they fit below the heading of the part of the page in which the text stands. */
export const convertersFor =
  (Heading: 'h3' | 'h4' | undefined): Converters =>
  ({ defaultConverters }) => ({
    ...defaultConverters,
    link: ({ node, nodesToJSX }) => (
      <SafeLink url={node.fields.url} newTab={node.fields.newTab}>
        {nodesToJSX({ nodes: node.children })}
      </SafeLink>
    ),
    autolink: ({ node, nodesToJSX }) => (
      <SafeLink url={node.fields.url} newTab={node.fields.newTab}>
        {nodesToJSX({ nodes: node.children })}
      </SafeLink>
    ),
    ...(Heading === undefined
      ? {}
      : { heading: ({ node, nodesToJSX }) => <Heading>{nodesToJSX({ nodes: node.children })}</Heading> }),
  })

type RichTextProps = { body: Body; className?: string; heading?: 'h4' }

/** Rich text of the CMS as elements of the page, rendered on the server. */
export const RichTextView = ({ body, className, heading }: RichTextProps) => (
  <RichText
    data={body as ComponentProps<typeof RichText>['data']}
    converters={convertersFor(heading)}
    {...(className ? { className } : {})}
  />
)

type ConvertedTextProps = { readonly nodes: readonly object[]; readonly converters: Converters }

/** Some nodes of a text, each drawn by the given converters and without an element around them. */
export const ConvertedText = ({ nodes, converters }: ConvertedTextProps) => {
  const root = { type: 'root', version: 1, direction: 'ltr', format: '', indent: 0, children: nodes }
  const data = { root } as unknown as ComponentProps<typeof RichText>['data']
  return <RichText data={data} converters={converters} disableContainer />
}
