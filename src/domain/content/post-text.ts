/** A node of a rich text as the CMS stores it. Editors' programs may write anything, so every part may be missing. */
export type TextNode = {
  readonly type?: unknown
  readonly tag?: unknown
  readonly text?: unknown
  readonly fields?: unknown
  readonly children?: unknown
}

const isNode = (value: unknown): value is TextNode => typeof value === 'object' && value !== null

/** The nodes below the root of a rich text. */
export const nodesOf = (body: unknown): readonly TextNode[] => {
  const root = isNode(body) && 'root' in body ? body.root : undefined
  return isNode(root) && Array.isArray(root.children) ? root.children.filter(isNode) : []
}

const ofBlock = (fields: unknown): string =>
  isNode(fields)
    ? ['title', 'text', 'code'].map((name) => (fields as Record<string, unknown>)[name] ?? '').join(' ')
    : ''

/** The words of a node and of all below it, as plain text. */
export const plainTextOf = (node: TextNode): string => {
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
    const value = node.type === 'upload' ? (node as { value?: unknown }).value : undefined
    if (typeof value === 'string') found.add(value)
    if (Array.isArray(node.children)) node.children.filter(isNode).forEach(look)
  }
  nodesOf(body).forEach(look)
  return [...found]
}
