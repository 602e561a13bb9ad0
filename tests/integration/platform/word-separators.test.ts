import { readFileSync } from 'node:fs'
import { expect, it, onTestFinished } from 'vitest'
import { withPostgresClient } from '#platform/postgres/one-connection.ts'
import { createWholeDatabase } from '../../support/whole-database.ts'

/** A set of characters that begins with the first control character: what parts words. */
const SEPARATORS = /\[\\+u0001-[^\]]*\]\+/g
const separatorsIn = (text: string) => (text.match(SEPARATORS) ?? []).map((each) => each.replaceAll('\\\\', '\\'))

it('words of tickets and guides are parted by the same characters, where they are kept and where they are looked for', async () => {
  const { url, drop } = await createWholeDatabase()
  onTestFinished(drop)
  const functions = await withPostgresClient(url, async (client) => {
    const { rows } = await client.query<{ name: string; source: string }>(
      `select p.oid::regproc::text as name, p.prosrc as source from pg_proc p join pg_namespace n on n.oid = p.pronamespace
       where n.nspname in ('control', 'cms_api', 'control_api', 'identity', 'public') and p.prosrc like '%u0001-%' order by 1`,
    )
    return rows
  })
  expect(functions.map(({ name }) => name)).toEqual(['cms_api.guide_words', 'control.words_of', 'control.words_query'])
  const statement = readFileSync(new URL('../../../src/account/read-guides.ts', import.meta.url), 'utf8')
  const found = [...functions.map(({ source }) => source), statement].map(separatorsIn)
  expect(found.map((each) => each.length)).toEqual([1, 1, 1, 1])
  expect(new Set(found.flat()).size).toBe(1)
})
