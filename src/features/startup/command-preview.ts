import { PLACEHOLDER, placeholderOf } from '#contracts/agent/placeholder.ts'
import type { LinkablePort } from '#domain/startup/port-links.ts'

/** A piece of the shown command. A secret is named, never shown; `node` is what only the node knows. */
export type CommandPiece =
  | { readonly is: 'text'; readonly text: string }
  | { readonly is: 'value'; readonly text: string; readonly name: string }
  | { readonly is: 'secret'; readonly name: string }
  | { readonly is: 'node'; readonly what: 'root' | 'ip' | 'interface' | 'program'; readonly name: string }
  | { readonly is: 'unknown'; readonly text: string }

export type PreviewFacts = {
  readonly memoryMiB: number
  readonly ports: readonly LinkablePort[]
  /** The typed values by variable. */
  readonly values: Readonly<Record<string, string>>
  readonly secrets: ReadonlySet<string>
}

const pieceOf = (whole: string, name: string, facts: PreviewFacts): CommandPiece => {
  const placeholder = placeholderOf(name)
  if (placeholder === undefined) return { is: 'unknown', text: whole }
  const { ports, values, secrets } = facts
  switch (placeholder.is) {
    case 'memory':
      return { is: 'text', text: String(facts.memoryMiB) }
    case 'port': {
      const found = placeholder.index === null ? ports.find(({ primary }) => primary) : ports[placeholder.index]
      return found === undefined ? { is: 'unknown', text: whole } : { is: 'text', text: String(found.port) }
    }
    case 'variable': {
      const { name: variable } = placeholder
      if (secrets.has(variable)) return { is: 'secret', name: variable }
      const value = Object.hasOwn(values, variable) ? values[variable] : undefined
      return value === undefined ? { is: 'unknown', text: whole } : { is: 'value', text: value, name: variable }
    }
    case 'program':
      return { is: 'node', what: 'program', name: placeholder.name }
    default:
      return { is: 'node', what: placeholder.is, name: placeholder.is }
  }
}

/** The arguments of a program with the typed values in place. Values are pieces of one argument and are never read again. */
export const commandPreview = (argv: readonly string[], facts: PreviewFacts): CommandPiece[][] =>
  argv.map((part) => {
    const pieces: CommandPiece[] = []
    let from = 0
    for (const match of part.matchAll(PLACEHOLDER)) {
      if (match.index > from) pieces.push({ is: 'text', text: part.slice(from, match.index) })
      pieces.push(pieceOf(match[0], match[1] ?? '', facts))
      from = match.index + match[0].length
    }
    if (from < part.length || pieces.length === 0) pieces.push({ is: 'text', text: part.slice(from) })
    return pieces
  })
