import { request as requests, type APIRequestContext } from '@playwright/test'
import * as z from 'zod'
import { GIF } from '../support/hostile-pictures.ts'
import { hydrated } from '../support/hydrated.ts'
import { expect, test } from './test.ts'

// The build renames the classes of errors, and what an administrator reads depends on them: it is tested on the build.
const LANGUAGES = ['en', 'hu', 'de'] as const
type Texts = Record<(typeof LANGUAGES)[number], string>

const Found = z.object({ docs: z.array(z.object({ id: z.string() })) })
const Refused = z.object({ errors: z.array(z.object({ message: z.string() })) })

const firstOf = async (admin: APIRequestContext, query: string): Promise<string> => {
  const { docs } = Found.parse(await (await admin.get(`/api/cms/${query}`)).json())
  return docs[0]?.id ?? 'missing'
}

type Refusal = {
  readonly title: string
  readonly status: number
  readonly send: (admin: APIRequestContext, headers: Record<string, string>) => ReturnType<APIRequestContext['fetch']>
  readonly texts: Texts
}

const deletion = (collection: string, slug: string): Refusal['send'] => {
  return async (admin, headers) =>
    admin.delete(`/api/cms/${collection}/${await firstOf(admin, `${collection}?where[slug][equals]=${slug}`)}`, {
      headers,
    })
}

const REFUSALS: readonly Refusal[] = [
  {
    title: 'the deletion of a role that users have',
    status: 409,
    send: deletion('roles', 'support'),
    texts: {
      en: "This role can't be deleted: users have it.",
      hu: 'Vannak felhasználók ezzel a szerepkörrel, ezért nem törölhető.',
      de: 'Benutzer haben diese Rolle: Sie kann nicht gelöscht werden.',
    },
  },
  {
    title: 'a change of a role of one’s own',
    status: 409,
    send: async (admin, headers) =>
      admin.patch(`/api/cms/roles/${await firstOf(admin, 'roles?where[slug][equals]=administrator')}`, {
        headers,
        data: { name: 'Other' },
      }),
    texts: {
      en: "You can't change one of your own roles. Ask another administrator.",
      hu: 'Ez a saját szerepköröd, ezért más kell hogy módosítsa.',
      de: 'Das ist eine deiner eigenen Rollen: Jemand anderes muss sie ändern.',
    },
  },
  {
    title: 'the deletion of a template that a service uses',
    status: 409,
    send: async (admin, headers) => {
      const { docs } = z
        .object({ docs: z.array(z.object({ serverTemplate: z.string() })) })
        .parse(await (await admin.get('/api/cms/services?depth=0&limit=1')).json())
      return admin.delete(`/api/cms/templates/${docs[0]?.serverTemplate}`, { headers })
    },
    texts: {
      en: "This template can't be deleted: services use it.",
      hu: 'Szolgáltatások használják ezt a sablont, ezért nem törölhető.',
      de: 'Angebote verwenden diese Vorlage: Sie kann nicht gelöscht werden.',
    },
  },
  {
    title: 'a file that is no picture',
    status: 400,
    send: (admin, headers) =>
      admin.post('/api/cms/media', {
        headers,
        multipart: { file: { name: 'a.gif', mimeType: 'image/gif', buffer: GIF }, _payload: '{"alt":"A"}' },
      }),
    texts: {
      en: 'Only PNG, JPEG, WebP and AVIF pictures can be uploaded.',
      hu: 'Csak PNG-, JPEG-, WebP- és AVIF-képet tölthetsz fel.',
      de: 'Es können nur Bilder im Format PNG, JPEG, WebP oder AVIF hochgeladen werden.',
    },
  },
]

test('a used role, an own role, a used template and a file that is no picture are refused in the language of the reader', async ({
  demo,
}) => {
  const { username, password } = demo.admin
  const admin = await requests.newContext({ baseURL: demo.url, extraHTTPHeaders: { origin: demo.url } })
  expect((await admin.post('/api/auth/login', { data: { username, password } })).status()).toBe(200)
  for (const { title, status, send, texts } of REFUSALS) {
    for (const language of LANGUAGES) {
      const answer = await send(admin, { 'accept-language': language })
      const text = await answer.text()
      expect([title, answer.status()], text).toEqual([title, status])
      expect(Refused.parse(JSON.parse(text)).errors.map(({ message }) => message)).toEqual([texts[language]])
    }
  }
  await admin.dispose()
})

test('the form shows why a role is not deleted', async ({ page, demo }) => {
  const { username, password } = demo.admin
  await page.goto('/en')
  const login = await page.request.post('/api/auth/login', {
    headers: { origin: demo.url },
    data: { username, password },
  })
  expect(login.status()).toBe(200)
  await page.goto(`/admin/collections/roles/${await firstOf(page.request, 'roles?where[slug][equals]=support')}`)
  await hydrated(page, '.doc-controls__popup button')
  await page.locator('.doc-controls__popup button').first().click()
  await page.locator('#action-delete').click()
  await page.locator('#confirm-action').click()
  await expect(page.getByText("This role can't be deleted: users have it.")).toBeVisible()
})
