// @vitest-environment happy-dom
import { expect, it } from 'vitest'
import { nameControls } from '../../../../src/cms/admin/name-controls.ts'

const shown = (html: string, language = 'en') => {
  document.body.innerHTML = html
  nameControls(document, language)
  nameControls(document, language)
  return document.body
}
const namesIn = (body: HTMLElement) =>
  [...body.querySelectorAll('[aria-label]')].map((element) => element.getAttribute('aria-label'))

it('arrows, menus and handles of Payload get a name in the language of the admin', () => {
  const html = `<button class="clickable-arrow--left"></button><button class="clickable-arrow--right"></button>
    <button class="popup-button"><svg></svg></button><div class="collapsible__drag" role="button"></div>
    <input type="checkbox" aria-label="">`
  expect(namesIn(shown(html))).toEqual(['Previous page', 'Next page', 'More actions', 'Move row', 'Select all rows'])
  expect(namesIn(shown(html, 'hu'))).toContain('Következő oldal')
  expect(namesIn(shown(html, 'de'))).toContain('Weitere Aktionen')
})

it('a field’s input is named by its label, and a menu with a text keeps its own name', () => {
  const body = shown(`<div class="field-type"><label class="field-label">Language <span>*</span></label>
    <div class="react-select"><input class="rs__input" role="combobox"></div></div>
    <div class="react-select"><input class="rs__input" role="combobox"></div>
    <button class="popup-button">Columns</button>`)
  expect(namesIn(body)).toEqual(['Language', 'Choose'])
})

it('buttons that sort and create say what, not [object Object]', () => {
  const body = shown(`<div class="sort-column"><span class="sort-column__label">Name</span>
    <button class="sort-column__asc" aria-label="Sort by [object Object] Ascending"></button>
    <button class="sort-column__desc" aria-label="Sort by [object Object] Descending"></button></div>
    <div class="card"><h3 class="card__title">Roles</h3><a aria-label="Create new [object Object]"></a></div>`)
  expect(namesIn(body)).toEqual(['Name: ascending', 'Name: descending', 'Create: Roles'])
})

it('nothing that is hidden from screen readers is a stop of the keyboard', () => {
  const body = shown(`<button class="dropdown-indicator" aria-hidden="true"></button>
    <div class="clear-indicator" aria-hidden="true" role="button" tabindex="0"></div>`)
  expect(body.querySelector('.dropdown-indicator')?.getAttribute('tabindex')).toBe('-1')
  expect(body.querySelector('.clear-indicator')?.getAttribute('aria-label')).toBe('Clear')
  expect(body.querySelector('.clear-indicator')?.hasAttribute('aria-hidden')).toBe(false)
})
