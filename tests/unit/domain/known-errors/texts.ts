import { readFileSync } from 'node:fs'

type Catalog = { console: { known: { title: Record<string, string> } } }

/** The title of a known error in the catalog of a language. */
export const readTextOf = (language: string, id: string): string | undefined => {
  const url = new URL(`../../../../src/messages/${language}.json`, import.meta.url)
  return (JSON.parse(readFileSync(url, 'utf8')) as Catalog).console.known.title[id]
}
