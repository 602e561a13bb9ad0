// @vitest-environment happy-dom
import { afterEach, expect, test, vi } from 'vitest'
import * as z from 'zod'
import { api } from '../../../../src/lib/browser-client/browser-client.ts'
import { useApiForm } from '../../../../src/lib/forms/use-api-form.ts'
import { eventually, held, refused, shownPage } from '../../../support/shown-page.tsx'
import type { Answer, ShownPage } from '../../../support/shown-page.tsx'

let page: ShownPage
afterEach(() => {
  page.close()
  vi.unstubAllGlobals()
})

const Body = z.object({ name: z.string().trim().min(1), city: z.string().max(5) })

const Form = () => {
  const { form, submit, failure, answer, isBusy, errorOf } = useApiForm({
    schema: Body,
    defaultValues: { name: '', city: '' },
    fields: ['name', 'city'],
    send: (body) => api.call('/api/people', { method: 'POST', body, schema: z.object({ saved: z.string() }) }),
  })
  return (
    <form noValidate aria-busy={isBusy} onSubmit={(event) => void submit(event)}>
      <input id="name" {...form.register('name')} />
      <p id="name-error">{errorOf('name')}</p>
      <input id="city" {...form.register('city')} />
      <p id="city-error">{errorOf('city')}</p>
      <p id="failure">{failure instanceof Error ? failure.message : ''}</p>
      <p id="saved">{answer?.saved}</p>
      <button type="submit">Save</button>
    </form>
  )
}

const show = async (answer: Answer) => {
  page = shownPage(<Form />, { 'POST /api/people': answer })
  const field = (id: string) => page.see<HTMLInputElement>(`#${id}`)
  return {
    name: await field('name'),
    city: await field('city'),
    submit: async () => (await page.see<HTMLFormElement>('form')).requestSubmit(),
  }
}
const refusedFields = (fields: Record<string, string>) =>
  Response.json({ error: { code: 'VALIDATION', message: 'Look again.', fields } }, { status: 422 })

test("bad input stands at its field in the API's own words, the first bad field has the focus, and nothing is sent", async () => {
  const { name, city, submit } = await show(() => Response.json({ saved: 'x' }))
  page.type(city, 'Nagykanizsa')
  await submit()
  await page.see('#name-error', 'Please fill this in.')
  await page.see('#city-error', 'This is too long.')
  expect(document.activeElement).toBe(name)
  expect(city.value).toBe('Nagykanizsa')
  expect(page.calls).toEqual([])
})

test('a field that the API refuses has its sentence and the focus, and keeps what was typed', async () => {
  const { name, city, submit } = await show(() => refusedFields({ city: 'No such city.' }))
  page.type(name, ' Anna ')
  page.type(city, 'Pécs')
  await submit()
  await page.see('#city-error', 'No such city.')
  expect(page.calls.map(({ body }) => body)).toEqual([{ name: 'Anna', city: 'Pécs' }])
  expect(document.activeElement).toBe(city)
  expect([name.value, city.value]).toEqual([' Anna ', 'Pécs'])
  expect(page.find('#failure')?.textContent).toBe('')
})

test('a refusal that names no field of the form is its failure, and a success takes it away', async () => {
  const answers = [refused('CONFLICT'), Response.json({ saved: 'Anna' })]
  const { name, submit } = await show(() => answers.shift() ?? refused('INTERNAL'))
  page.type(name, 'Anna')
  await submit()
  await page.see('#failure', 'The words of CONFLICT.')
  expect(name.value).toBe('Anna')
  await submit()
  await page.see('#saved', 'Anna')
  expect(page.find('#failure')?.textContent).toBe('')
})

test('a form that is sent again before its answer sends one request', async () => {
  const answer = held()
  const { name, submit } = await show(() => answer.response)
  page.type(name, 'Anna')
  await submit()
  await submit()
  await eventually(() => expect(page.find('form')?.getAttribute('aria-busy')).toBe('true'))
  await eventually(() => expect(page.calls.length).toBeGreaterThan(0))
  answer.settle(Response.json({ saved: 'Anna' }))
  await page.see('#saved', 'Anna')
  expect(page.calls).toHaveLength(1)
})
