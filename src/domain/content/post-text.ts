/** A node of a rich text as the CMS stores it. Editors' programs may write anything, so every part may be missing. */
export type TextNode = {
  readonly type?: unknown
  readonly tag?: unknown
  readonly text?: unknown
  readonly fields?: unknown
  readonly children?: unknown
  readonly value?: unknown
  readonly blockType?: unknown
}

const isNode = (value: unknown): value is TextNode => typeof value === 'object' && value !== null

const WITH_CHILDREN: ReadonlySet<unknown> = new Set([
  'paragraph',
  'heading',
  'quote',
  'list',
  'listitem',
  'link',
  'autolink',
  'table',
  'tablerow',
  'tablecell',
])
const ALONE: ReadonlySet<unknown> = new Set(['linebreak', 'tab', 'horizontalrule'])
const BLOCKS: ReadonlySet<unknown> = new Set(['code', 'note'])

const childrenOf = (node: TextNode): readonly TextNode[] =>
  Array.isArray(node.children) ? node.children.flatMap(cleaned) : []

/** A node that a page can show, with only such nodes below it. Others are left out; a link without an address is its text. */
const cleaned = (value: unknown): readonly TextNode[] => {
  if (!isNode(value)) return []
  const { type, fields } = value
  if (ALONE.has(type)) return [value]
  if (type === 'text') return typeof value.text === 'string' ? [value] : []
  if (type === 'upload') return typeof value.value === 'string' ? [value] : []
  if (type === 'block') return isNode(fields) && BLOCKS.has(fields.blockType) ? [value] : []
  if ((type === 'link' || type === 'autolink') && !isNode(fields)) return childrenOf(value)
  return WITH_CHILDREN.has(type) ? [{ ...value, children: childrenOf(value) }] : []
}

/** The nodes below the root of a rich text that a page can show. */
export const nodesOf = (body: unknown): readonly TextNode[] => {
  const root = isNode(body) && 'root' in body ? body.root : undefined
  return isNode(root) ? childrenOf(root) : []
}

const ofBlock = (fields: unknown): string =>
  isNode(fields)
    ? ['title', 'text', 'code'].map((name) => (fields as Record<string, unknown>)[name] ?? '').join(' ')
    : ''

/** The words of a node and of all below it, as plain text. */
export const plainTextOf = (node: TextNode): string => {
  if (node.type === 'linebreak' || node.type === 'tab') return ' '
  if (typeof node.text === 'string') return node.text
  if (node.type === 'block') return ofBlock(node.fields)
  const parts = Array.isArray(node.children) ? node.children.filter(isNode).map(plainTextOf) : []
  return parts.join(['listitem', 'list', 'table', 'tablerow', 'tablecell'].includes(String(node.type)) ? ' ' : '')
}

export type PostSection = { readonly title: string; readonly nodes: readonly TextNode[] }

/** A text in its sections: the nodes before the first heading of the second level, then those below each. */
export const sectionsOf = (
  body: unknown,
): { readonly opening: readonly TextNode[]; readonly sections: readonly PostSection[] } => {
  const opening: TextNode[] = []
  const sections: { title: string; nodes: TextNode[] }[] = []
  for (const node of nodesOf(body)) {
    const title = node.type === 'heading' && (node.tag === 'h2' || node.tag === 'h1') ? plainTextOf(node).trim() : ''
    const open = sections.at(-1)
    if (title !== '') sections.push({ title, nodes: [] })
    else (open?.nodes ?? opening).push(node)
  }
  return { opening, sections }
}

/** All words of a rich text. */
export const wordsOf = (body: unknown): string => nodesOf(body).map(plainTextOf).join(' ')

/** The ids of the pictures in a rich text. */
export const picturesIn = (body: unknown): readonly string[] => {
  const found = new Set<string>()
  const look = (node: TextNode) => {
    if (node.type === 'upload' && typeof node.value === 'string') found.add(node.value)
    if (Array.isArray(node.children)) node.children.filter(isNode).forEach(look)
  }
  nodesOf(body).forEach(look)
  return [...found]
}
