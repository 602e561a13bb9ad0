/** A heading or a paragraph of a document, or the entries of a list or of numbered steps. `[text](/path)` is a link. */
export type Block = { heading: string } | { text: string } | { list: readonly string[] } | { steps: readonly string[] }

/** The parts that only posts have: code, a note, and a table whose first row and column are headings. */
export type PostBlock =
  Block | { code: string; title: string } | { note: string; title: string } | { table: readonly (readonly string[])[] }

const letter = (text: string) => ({ type: 'text', version: 1, text, detail: 0, format: 0, mode: 'normal', style: '' })
const element = { version: 1, direction: 'ltr' as const, format: '' as const, indent: 0 }

const LINK = /\[([^\]]+)\]\(([^)]+)\)/

const link = (text: string, url: string) => ({
  ...element,
  type: 'link',
  version: 3,
  fields: { linkType: 'custom', newTab: false, url },
  children: [letter(text)],
})

/** The text with its links. Between two pieces of text, the split leaves the label and the address of each link. */
const inline = (text: string) => {
  const pieces = text.split(LINK)
  return pieces.flatMap((piece, place): object[] => {
    if (place % 3 === 1) return [link(piece, pieces[place + 1] ?? '')]
    return place % 3 === 2 || piece === '' ? [] : [letter(piece)]
  })
}

const listOf = (entries: readonly string[], kind: { listType: 'bullet' | 'number'; tag: 'ul' | 'ol' }) => ({
  ...element,
  ...kind,
  type: 'list',
  start: 1,
  children: entries.map((entry, place) => ({
    ...element,
    type: 'listitem',
    value: place + 1,
    children: inline(entry),
  })),
})

const nodeOf = (block: Block) => {
  if ('heading' in block) return { ...element, type: 'heading', tag: 'h2', children: [letter(block.heading)] }
  if ('text' in block) return paragraph(block.text)
  return 'steps' in block
    ? listOf(block.steps, { listType: 'number', tag: 'ol' })
    : listOf(block.list, { listType: 'bullet', tag: 'ul' })
}

const block = (blockType: 'code' | 'note', fields: { title: string; code?: string; text?: string }) => ({
  type: 'block',
  version: 2,
  format: '',
  fields: {
    id: fields.title
      .toLowerCase()
      .replace(/[^a-z]/g, '')
      .padEnd(24, '0')
      .slice(0, 24),
    blockName: '',
    blockType,
    ...fields,
  },
})

const paragraph = (text: string) => ({
  ...element,
  type: 'paragraph',
  textFormat: 0,
  textStyle: '',
  children: inline(text),
})

const tableOf = (rows: readonly (readonly string[])[]) => ({
  ...element,
  type: 'table',
  children: rows.map((cells, row) => ({
    ...element,
    type: 'tablerow',
    children: cells.map((cell, column) => ({
      ...element,
      type: 'tablecell',
      backgroundColor: null,
      colSpan: 1,
      rowSpan: 1,
      headerState: row === 0 ? 1 : column === 0 ? 2 : 0,
      children: [paragraph(cell)],
    })),
  })),
})

const postNodeOf = (part: PostBlock) => {
  if ('code' in part) return block('code', part)
  if ('note' in part) return block('note', { title: part.title, text: part.note })
  return 'table' in part ? tableOf(part.table) : nodeOf(part)
}

/** The text of a post in the form that the editor of the admin stores. */
export const postText = (blocks: readonly PostBlock[]) => ({
  root: { ...element, type: 'root', children: blocks.map(postNodeOf) },
})

/** Text in the form that the editor of the admin stores. */
export const richText = (blocks: readonly Block[]) => ({
  root: { ...element, type: 'root', children: blocks.map(nodeOf) },
})
