// @vitest-environment happy-dom
import { afterEach, expect, test, vi } from 'vitest'
import { ProofForm } from '../../../../../src/features/users/security/proof-form.tsx'
import type { Given } from '../../../../../src/features/users/security/proof-form.tsx'
import { ApiFailure } from '../../../../../src/lib/browser-client/failure.ts'
import { eventually, shownPage } from '../../../../support/shown-page.tsx'
import type { ShownPage } from '../../../../support/shown-page.tsx'

let page: ShownPage
afterEach(() => {
  page.close()
  vi.unstubAllGlobals()
})

const show = async (onProof: (given: Given) => Promise<unknown>, nameLabel?: string) => {
  page = shownPage(
    <ProofForm
      needsCode
      {...(nameLabel === undefined ? {} : { nameLabel })}
      submit="Remove"
      onProof={onProof}
      onCancel={() => {}}
    />,
    {},
  )
  return {
    password: await page.see<HTMLInputElement>('[name=password]'),
    code: await page.see<HTMLInputElement>('[name=code]'),
    submit: async () => (await page.see<HTMLFormElement>('form')).requestSubmit(),
  }
}

test('an empty password is named at its field, and nothing is proved', async () => {
  const onProof = vi.fn<() => Promise<void>>(async () => undefined)
  const { password, submit } = await show(onProof)
  await submit()
  await page.see('.field__err', 'Please fill this in.')
  expect(document.activeElement).toBe(password)
  expect(onProof).not.toHaveBeenCalled()
})

test('a code that is left empty is not sent, and a name is sent without the spaces around it', async () => {
  const given: Given[] = []
  const { password, submit } = await show(async (each) => given.push(each), 'Name')
  page.type(await page.see<HTMLInputElement>('[name=name]'), ' Laptop ')
  page.type(password, 'correct horse')
  await submit()
  await eventually(() => expect(given).toEqual([{ name: 'Laptop', proof: { password: 'correct horse' } }]))
})

test.each([
  ['WRONG_PASSWORD', 'password'],
  ['WRONG_CODE', 'code'],
  ['CODE_NEEDED', 'code'],
] as const)('%s stands at the %s, which has the focus and keeps what was typed', async (code, field) => {
  const fields = await show(async () => {
    throw new ApiFailure({ code, status: 403, message: `The words of ${code}.` })
  })
  page.type(fields.password, 'wrong')
  page.type(fields.code, '123456')
  await fields.submit()
  await page.see('.field__err', `The words of ${code}.`)
  expect(document.activeElement).toBe(fields[field])
  expect([fields.password.value, fields.code.value]).toEqual(['wrong', '123456'])
  expect(page.find('[role=alert]')).toBeUndefined()
})
