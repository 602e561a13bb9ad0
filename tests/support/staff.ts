import { expect, request, type APIRequestContext } from '@playwright/test'
import * as z from 'zod'

import type { Account } from './demo.ts'

const One = z.object({ docs: z.tuple([z.looseObject({ id: z.string() })]) })

const Saved = z.object({ doc: z.object({ id: z.string() }) })

export interface Staff {
  /** Writes into a server template as the administration's form does. */
  saveTemplate(slug: string, data: object, language?: string): Promise<{ status: number; text: string }>
  /** The document with this slug. */
  read(collection: string, slug: string): Promise<{ id: string; [field: string]: unknown }>
  /** Creates a document, or changes the one with this id. Returns its id. */
  save(collection: string, data: object, id?: string): Promise<string>
  close(): Promise<void>
}

/** A signed-in administrator beside the browser of the test. */
export async function signInStaff(url: string, account: Account): Promise<Staff> {
  const context: APIRequestContext = await request.newContext({ baseURL: url, extraHTTPHeaders: { origin: url } })
  const login = await context.post('/api/auth/login', { data: account })
  expect(login.status(), await login.text()).toBeLessThan(300)
  const read = async (collection: string, slug: string) => {
    const found = await context.get(`/api/cms/${collection}?depth=0&where[slug][equals]=${slug}`)
    return One.parse(await found.json()).docs[0]
  }
  return {
    read,
    saveTemplate: async (slug, data, language = 'en') => {
      const { id } = await read('templates', slug)
      const headers = { 'accept-language': language }
      const answer = await context.patch(`/api/cms/templates/${id}`, { data, headers })
      return { status: answer.status(), text: await answer.text() }
    },
    save: async (collection, data, id) => {
      const path = `/api/cms/${collection}`
      const answer = await (id === undefined ? context.post(path, { data }) : context.patch(`${path}/${id}`, { data }))
      expect(answer.status(), await answer.text()).toBeLessThan(300)
      return Saved.parse(await answer.json()).doc.id
    },
    close: () => context.dispose(),
  }
}
