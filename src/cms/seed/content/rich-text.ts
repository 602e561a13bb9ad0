/** A heading or a paragraph of a document, or the entries of a list. */
export type Block = { heading: string } | { text: string } | { list: readonly string[] }

const letter = (text: string) => ({ type: 'text', version: 1, text, detail: 0, format: 0, mode: 'normal', style: '' })
const element = { version: 1, direction: 'ltr' as const, format: '' as const, indent: 0 }

const nodeOf = (block: Block) => {
  if ('heading' in block) return { ...element, type: 'heading', tag: 'h2', children: [letter(block.heading)] }
  if ('text' in block) {
    return { ...element, type: 'paragraph', textFormat: 0, textStyle: '', children: [letter(block.text)] }
  }
  return {
    ...element,
    type: 'list',
    listType: 'bullet',
    start: 1,
    tag: 'ul',
    children: block.list.map((entry, place) => ({
      ...element,
      type: 'listitem',
      value: place + 1,
      children: [letter(entry)],
    })),
  }
}

/** Text in the form that the editor of the admin stores. */
export const richText = (blocks: readonly Block[]) => ({
  root: { ...element, type: 'root', children: blocks.map(nodeOf) },
})
