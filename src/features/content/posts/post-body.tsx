import type { ReactNode } from 'react'
import { distinctNames } from '#domain/content/address-name.ts'
import { sectionsOf } from '#domain/content/post-text.ts'
import { ConvertedText, type Converters, convertersFor } from '@/cms/rich-text.tsx'
import { CopyCode } from './copy-code.tsx'
import type { PostPicture } from './post-view.ts'

export type BodyWords = Readonly<Record<'copy' | 'copied' | 'copyFailed' | 'code' | 'note' | 'table', string>>
type Parts = { readonly pictures: readonly PostPicture[]; readonly words: BodyWords }
type Fields = Readonly<Record<string, unknown>>

const textOf = (fields: unknown, name: string): string => {
  const value = typeof fields === 'object' && fields !== null ? (fields as Fields)[name] : undefined
  return typeof value === 'string' ? value : ''
}

const Code = ({ fields, words }: { fields: unknown; words: BodyWords }) => {
  const title = textOf(fields, 'title') || words.code
  const code = textOf(fields, 'code')
  return (
    <figure className="code wide">
      <figcaption>
        {title}
        <CopyCode text={code} words={{ copy: words.copy, copied: words.copied, copyFailed: words.copyFailed }} />
      </figcaption>
      <pre tabIndex={0} role="group" aria-label={title}>
        <code>{code}</code>
      </pre>
    </figure>
  )
}

const Note = ({ fields, words }: { fields: unknown; words: BodyWords }) => {
  const title = textOf(fields, 'title')
  return (
    <aside className="note" aria-label={title || words.note}>
      <p>
        {title === '' ? null : <b>{title} </b>}
        {textOf(fields, 'text')}
      </p>
    </aside>
  )
}

const Image = ({ picture }: { picture: PostPicture | undefined }) =>
  picture === undefined ? null : (
    <figure className="wide">
      <img
        src={picture.path}
        alt={picture.alt}
        {...(picture.altLanguage === null ? {} : { lang: picture.altLanguage })}
        width={picture.width}
        height={picture.height}
        loading="lazy"
        decoding="async"
      />
    </figure>
  )

const inTable = (rows: ReactNode, title: string) => (
  <div className="wide scroll-x" tabIndex={0} role="group" aria-label={title}>
    <table className="tbl">
      <tbody>{rows}</tbody>
    </table>
  </div>
)

/** Every element of a text is made here from known parts: markup that is typed into a post stays text. */
const converters =
  ({ pictures, words }: Parts): Converters =>
  (args) => ({
    ...convertersFor('h3')(args),
    upload: ({ node }) => <Image picture={pictures.find(({ id }) => id === node.value)} />,
    relationship: () => null,
    table: ({ node, nodesToJSX }) => inTable(nodesToJSX({ nodes: node.children }), words.table),
    tablerow: ({ node, nodesToJSX }) => <tr>{nodesToJSX({ nodes: node.children })}</tr>,
    tablecell: ({ node, nodesToJSX }) => {
      const content = nodesToJSX({ nodes: node.children })
      if (node.headerState === 0) return <td>{content}</td>
      return <th scope={node.headerState === 2 ? 'row' : 'col'}>{content}</th>
    },
    blocks: {
      code: ({ node }: { node: { fields: unknown } }) => <Code fields={node.fields} words={words} />,
      note: ({ node }: { node: { fields: unknown } }) => <Note fields={node.fields} words={words} />,
    },
  })

export type Content = { readonly id: string; readonly title: string }

/** A text in its sections, each with the id of its anchor. */
const anchored = (body: unknown) => {
  const { opening, sections } = sectionsOf(body)
  const ids = distinctNames(
    sections.map(({ title }) => title),
    'section',
  )
  // The page has ids of its own, such as that of its menu.
  return { opening, sections: sections.map((section, place) => ({ ...section, id: `part-${ids[place] ?? ''}` })) }
}

/** The sections of a text with their anchors, for the list of contents. */
export const contentsOf = (body: unknown): readonly Content[] => anchored(body).sections

/** The text of a post, each section below an anchor of its own. */
export const PostBody = ({ body, ...parts }: Parts & { body: unknown }) => {
  const { opening, sections } = anchored(body)
  const made = converters(parts)
  return (
    <>
      {opening.length > 0 ? <ConvertedText nodes={opening} converters={made} /> : null}
      {sections.map(({ id, title, nodes }) => (
        <section key={id} aria-labelledby={id}>
          <h2 id={id}>{title}</h2>
          {nodes.length > 0 ? <ConvertedText nodes={nodes} converters={made} /> : null}
        </section>
      ))}
    </>
  )
}
