/** A program has some hundreds of texts. A name costs memory in each connection, so further texts get none. */
const MAX_TEXTS = 500

/** Names of statements: PostgreSQL parses and plans a named statement once per connection. */
export type StatementNames = {
  /** The name of a text, or undefined when the text is new: it may never be run again. */
  nameOf(text: string): string | undefined
  /** Gives every text a new name from now on, so that no earlier prepared statement is used. */
  renew(): void
}

/** Names the texts that a program runs repeatedly. */
export const createStatementNames = (maxTexts = MAX_TEXTS): StatementNames => {
  const names = new Map<string, string | null>()
  let given = 0
  return {
    nameOf: (text) => {
      const known = names.get(text)
      if (known === undefined) {
        if (names.size < maxTexts) names.set(text, null)
        return undefined
      }
      if (known !== null) return known
      given += 1
      const name = `repeated ${given}`
      names.set(text, name)
      return name
    },
    renew: () => names.clear(),
  }
}
