import { textIn, words, type Words } from '../fields/languages.ts'

/**
 * Payload's controls that have no name, and what they do. A screen reader reads such a control as "button" alone.
 */
const names = {
  previous: words('Previous page', 'Előző oldal', 'Vorherige Seite'),
  next: words('Next page', 'Következő oldal', 'Nächste Seite'),
  all: words('Select all rows', 'Az összes sor kijelölése', 'Alle Zeilen auswählen'),
  more: words('More actions', 'További műveletek', 'Weitere Aktionen'),
  open: words('Open', 'Megnyitás', 'Öffnen'),
  move: words('Move row', 'Sor áthelyezése', 'Zeile verschieben'),
  clear: words('Clear', 'Törlés', 'Leeren'),
  choose: words('Choose', 'Kiválasztás', 'Auswählen'),
  create: words('Create', 'Létrehozás', 'Anlegen'),
  ascending: words('ascending', 'növekvő', 'aufsteigend'),
  descending: words('descending', 'csökkenő', 'absteigend'),
} as const

type Say = (text: Words) => string
type Rule = { readonly selector: string; readonly mend: (control: Element, say: Say) => void }

const name = (control: Element, text: string): void => {
  if (control.getAttribute('aria-label') !== text) control.setAttribute('aria-label', text)
}
const fixed =
  (text: Words): Rule['mend'] =>
  (control, say) =>
    name(control, say(text))

const textOf = (element: Element | null | undefined): string => (element?.textContent ?? '').replace('*', '').trim()
const labelOf = (control: Element): string =>
  textOf(control.closest('.field-type')?.querySelector('.field-label, .field-label-text'))
const byLabel: Rule['mend'] = (control, say) => name(control, labelOf(control) || say(names.choose))

const columnOf = (control: Element): string =>
  textOf(control.closest('.sort-column')?.querySelector('.sort-column__label'))
const sorts =
  (direction: Words): Rule['mend'] =>
  (control, say) =>
    name(control, `${columnOf(control)}: ${say(direction)}`)

const RULES: readonly Rule[] = [
  { selector: '.clickable-arrow--left', mend: fixed(names.previous) },
  { selector: '.clickable-arrow--right', mend: fixed(names.next) },
  { selector: 'input[type="checkbox"][aria-label=""]', mend: fixed(names.all) },
  {
    selector: 'button.popup-button:not([aria-label])',
    mend: (control, say) => {
      if (textOf(control) === '') name(control, say(names.more))
    },
  },
  { selector: '.drawer-link__doc-drawer-toggler', mend: fixed(names.open) },
  { selector: '.collapsible__drag[role="button"]', mend: fixed(names.move) },
  {
    selector: 'input.rs__input:not([aria-label]), .react-select input[role="combobox"]:not([aria-label])',
    mend: byLabel,
  },
  { selector: '.ContentEditable__root[role="textbox"]:not([aria-label])', mend: byLabel },
  { selector: '.react-datepicker__input-container input:not([aria-label])', mend: byLabel },
  { selector: '.sort-column__asc', mend: sorts(names.ascending) },
  { selector: '.sort-column__desc', mend: sorts(names.descending) },
  {
    selector: '.card [aria-label*="[object Object]"]',
    mend: (control, say) => {
      name(control, `${say(names.create)}: ${textOf(control.closest('.card')?.querySelector('.card__title'))}`)
    },
  },
  // Hidden from screen readers and yet reached by the keyboard: the field beside it opens the list, so it needs no stop.
  {
    selector: '.dropdown-indicator[aria-hidden="true"]:not([tabindex="-1"])',
    mend: (control) => control.setAttribute('tabindex', '-1'),
  },
  {
    selector: '.clear-indicator[aria-hidden="true"]',
    mend: (control, say) => {
      control.removeAttribute('aria-hidden')
      name(control, say(names.clear))
    },
  },
  // A list whose children are no items.
  { selector: 'ul.doc-tabs__tabs:not([role])', mend: (control) => control.setAttribute('role', 'group') },
]

/** Names the nameless controls within an element in a language of the admin. Changes nothing when repeated. */
export const nameControls = (root: ParentNode, language: string): void => {
  const say: Say = (text) => textIn(language, text)
  for (const { selector, mend } of RULES) for (const control of root.querySelectorAll(selector)) mend(control, say)
}
