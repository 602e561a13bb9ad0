/** A heading or a paragraph of a document, or the entries of a list or of numbered steps. `[text](/path)` is a link. */
export type Block = { heading: string } | { text: string } | { list: readonly string[] } | { steps: readonly string[] }

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
  if ('text' in block) {
    return { ...element, type: 'paragraph', textFormat: 0, textStyle: '', children: inline(block.text) }
  }
  return 'steps' in block
    ? listOf(block.steps, { listType: 'number', tag: 'ol' })
    : listOf(block.list, { listType: 'bullet', tag: 'ul' })
}

/** Text in the form that the editor of the admin stores. */
export const richText = (blocks: readonly Block[]) => ({
  root: { ...element, type: 'root', children: blocks.map(nodeOf) },
})
