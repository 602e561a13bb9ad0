/** A program has some hundreds of texts. A name costs memory in each connection, so any further text goes without. */
const MAX_TEXTS = 500

/** Names of statements: PostgreSQL parses and plans a named one once for each connection that uses it. */
export type StatementNames = {
  /** The name of a text, or undefined for a text that is seen for the first time: it may never be run again. */
  nameOf(text: string): string | undefined
  /** Gives every text another name from now on, so that nothing is used that was prepared before. */
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
