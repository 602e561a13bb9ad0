import * as z from 'zod'

type Node = {
  readonly type?: string | readonly string[]
  readonly properties?: Readonly<Record<string, Node>>
  readonly anyOf?: readonly Node[]
  readonly oneOf?: readonly Node[]
  readonly allOf?: readonly Node[]
  readonly items?: Node
}

const walk = (node: Node, path: readonly string[], wanted: (node: Node, name: string) => boolean): string[] => [
  ...(wanted(node, path.at(-1) ?? '') ? [path.join('.')] : []),
  ...Object.entries(node.properties ?? {}).flatMap(([name, part]) => walk(part, [...path, name], wanted)),
  ...[...(node.anyOf ?? []), ...(node.oneOf ?? []), ...(node.allOf ?? [])].flatMap((part) => walk(part, path, wanted)),
  ...(node.items ? walk(node.items, [...path, '[]'], wanted) : []),
]

const isNumber = ({ type }: Node): boolean => [type].flat().some((each) => each === 'number' || each === 'integer')

/** Names of texts that represent money or a count: months in an address, codes, tiers. */
const MEANT = /^(months|couponCode|code|tier|amount|count)$|Ft$/
const isMeant = ({ type }: Node, name: string): boolean => [type].flat().includes('string') && MEANT.test(name)

/** The paths of a schema's fields that hold a number, or a text that represents a number or money. */
export const countedFields = (schema: z.ZodType): string[] => {
  const root = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any', reused: 'inline' }) as Node
  return [...new Set(walk(root, [], (node, name) => isNumber(node) || isMeant(node, name)))].sort()
}
