import { hu } from '@payloadcms/translations/languages/hu'
import { expect, it } from 'vitest'
import { informalHungarian } from '../../../../src/cms/admin/hungarian.ts'

type Texts = Readonly<Record<string, Readonly<Record<string, string>>>>
const payloads = hu.translations as Texts
const ours = informalHungarian as Texts

/** Parts of Payload that do not exist in our admin: its sign-in, folders, versions and drafts. */
const ABSENT = /^(authentication|folder|version)$/
/** Texts of absent parts within the others: the bin, reindexing. */
const ABSENT_TEXT =
  /[Tt]rash|[Rr]eindex|^about.*(Restore|Permanently)|deletePermanently|unverifiedEmail|restoreAs|restoringTitle/

const FORMAL =
  /(?<!\p{L})(Ön|Önt|Önnek|Önök|[Kk]érjük|Biztos(an)? benne|szeretné|készül|kívánt|[Aa]djon|[Vv]álasszon|[Mm]entsen|[Mm]aradjon|[Hh]úzza|[Hh]úzzon|[Mm]ásolja|[Vv]álassza|[Jj]elölje|[Tt]örölje|[Ii]gazítsa|[Áá]llítsa|[Íí]rja|[Kk]eresse|[Hh]agyja|[Ee]llenőrizze|próbálja|hajthatja|[Kk]attintson|[Mm]ozduljon)(?!\p{L})|[Vv]áltoztatásai vannak|módosításai vannak/u

it('every Hungarian text of the admin addresses its reader as "te"', () => {
  const formal = Object.entries(payloads)
    .filter(([area]) => !ABSENT.test(area))
    .flatMap(([area, texts]) =>
      Object.entries(texts)
        .filter(([name]) => !ABSENT_TEXT.test(name))
        .filter(([name, text]) => FORMAL.test(ours[area]?.[name] ?? text))
        .map(([name]) => `${area}:${name}`),
    )
  expect(formal).toEqual([])
})

it('each replaced text exists, with the same values in it', () => {
  const values = (text = '') => [...new Set(text.match(/\{\{\w+\}\}|<\/?\d>/g))].toSorted()
  for (const [area, texts] of Object.entries(ours))
    for (const [name, text] of Object.entries(texts))
      expect([`${area}:${name}`, values(text)]).toEqual([`${area}:${name}`, values(payloads[area]?.[name])])
})
