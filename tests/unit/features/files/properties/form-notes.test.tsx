// @vitest-environment happy-dom
import { afterEach, expect, it } from 'vitest'
import type { ConfigForm } from '#domain/config-files/config-form.ts'
import { FilesContext } from '@/features/files/files-context.tsx'
import type { Files } from '@/features/files/files-context.tsx'
import { FormNotes } from '@/features/files/properties/form-notes.tsx'
import { PropertiesForm } from '@/features/files/properties/properties-form.tsx'
import type { OpenForm } from '@/features/files/properties/use-open-form.ts'
import { usePropertiesView } from '@/features/files/properties/use-properties-view.ts'
import { wrongYamlLine, yamlForm } from '@/features/files/properties/yaml-values.ts'
import { shownPage, type ShownPage } from '../../../../support/shown-page.tsx'

const FIELDS = [{ key: 'ms', group: 'main', kind: { is: 'number', min: -1, max: 9_000, preset: '5' } }] as const
const openFormWith = (form: ConfigForm): OpenForm => ({
  form,
  described: {
    path: 'a.yml',
    format: 'yaml',
    groups: [{ id: 'main', name: 'Main' }],
    fields: FIELDS.map((field) => ({ ...field, name: 'Pause', help: 'Between two joins.' })),
  },
  wrongLine: wrongYamlLine,
})
const files = { server: { id: 's1' }, may: () => true, isReadOnly: false } as unknown as Files

let page: ShownPage
afterEach(() => page.close())

/** A file of this text with its form, as the editor shows them. */
const show = (lines: string, form: ConfigForm = yamlForm(FIELDS)) => {
  const opened = openFormWith(form)
  const Shown = () => {
    const view = usePropertiesView({ opened, isWhole: true, shown: { round: 0, lines, isComparing: false } })
    return (
      <>
        <output>{view.hasForm ? 'a form' : 'a text alone'}</output>
        <FormNotes view={view} needsRestart={false} />
        {view.isForm && view.opened !== null ? (
          <PropertiesForm
            opened={view.opened}
            text={view.text}
            entries={view.entries}
            savedText={lines}
            isReadOnly={false}
            onChange={({ from, to, insert }) => view.changed(lines.slice(0, from) + insert + lines.slice(to))}
          />
        ) : null}
      </>
    )
  }
  page = shownPage(
    <FilesContext value={files}>
      <Shown />
    </FilesContext>,
    {},
  )
}
const pause = () => page.see<HTMLInputElement>('input.prop-number')

it('a list in YAML is no broken YAML: it says why it has no form', async () => {
  show('- a\n- b\n')
  const note = await page.see('[role=status]', 'YAML')
  expect(note.textContent).toContain('YAML, but not a table of settings')
})

it('broken YAML names its line', async () => {
  show('ms: 1\n ms: 2\n')
  const note = await page.see('[role=status]', 'YAML')
  expect(note.textContent).toMatch(/the YAML is broken at line \d/)
})

it('equal names are one field, which says that an earlier one is hidden', async () => {
  show('ms: 1\nms: 2\n')
  expect((await pause()).value).toBe('2')
  expect(page.text()).toContain('An earlier line sets this too; the server reads the last one.')
})

it('a value that the format cannot say on its line is not lost in silence', async () => {
  show('ms: 1\n', { ...yamlForm(FIELDS), change: () => undefined })
  page.type(await pause(), '2')
  await page.see('[role=alert]', "This value can't be written here by the form.")
  expect((await pause()).value).toBe('1')
})

it('a text of more than 256 KiB has no form', async () => {
  show(`ms: 1\n# ${'a'.repeat(256 * 1024)}\n`)
  await page.see('output', 'a text alone')
  expect(page.find('input')).toBeUndefined()
})
