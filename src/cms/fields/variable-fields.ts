import type { Field, TextFieldSingleValidation } from 'payload'
import { parseRules } from '#domain/startup/rules.ts'
import { textIn, words } from './languages.ts'
import { wholeNumber } from './whole-number.ts'

/** More places than a template requires ports. */
const MAX_PORT_PLACE = 19

/** Refuses rules that no program here can follow: they would promise a check that nobody makes. */
const refuseUnknownRules: TextFieldSingleValidation = (value, { req }) => {
  const [first] = parseRules(value ?? '').unknown
  if (first === undefined) return true
  const rule = first.slice(0, 80)
  const sentence = words(
    `This rule can't be used: ${rule}`,
    `Ez a szabály nem használható: ${rule}`,
    `Diese Regel lässt sich nicht verwenden: ${rule}`,
  )
  return textIn(req.i18n.language, sentence)
}

/** A variable of a template: its name, its default, what it accepts, and who sees it. */
export const variableFields: Field[] = [
  { name: 'name', type: 'text', required: true, localized: true, label: words('Name', 'Név', 'Name') },
  {
    name: 'description',
    type: 'textarea',
    localized: true,
    maxLength: 400,
    label: words('Description', 'Leírás', 'Beschreibung'),
  },
  { name: 'default', type: 'text', label: words('Default', 'Alapérték', 'Vorgabe') },
  {
    name: 'environmentVariable',
    type: 'text',
    required: true,
    label: words('Environment variable', 'Környezeti változó', 'Umgebungsvariable'),
    validate: (value: string | null | undefined) => /^[A-Z][A-Z0-9_]{0,63}$/.test(value ?? '') || 'A-Z 0-9 _',
  },
  {
    name: 'rules',
    type: 'text',
    maxLength: 2000,
    label: words('Rules', 'Szabályok', 'Regeln'),
    validate: refuseUnknownRules,
    admin: {
      description: words(
        'Separated by bars, for example required|integer|between:1,100 or in:easy,normal,hard or regex:/^[a-z]+$/.',
        'Függőleges vonallal elválasztva, például required|integer|between:1,100, in:easy,normal,hard vagy regex:/^[a-z]+$/.',
        'Durch senkrechte Striche getrennt, zum Beispiel required|integer|between:1,100, in:easy,normal,hard oder regex:/^[a-z]+$/.',
      ),
    },
  },
  {
    name: 'editable',
    type: 'checkbox',
    required: true,
    defaultValue: true,
    label: words('Customers can change it', 'Az ügyfél módosíthatja', 'Kunden können sie ändern'),
  },
  {
    name: 'secret',
    type: 'checkbox',
    defaultValue: false,
    label: words('Secret', 'Titkos', 'Geheim'),
    admin: {
      description: words(
        'Hidden until someone who can change it asks for it. Names such as TOKEN, PASSWORD and KEY are always hidden.',
        'Rejtve marad, amíg valaki, aki módosíthatja, meg nem nézi. A TOKEN, PASSWORD, KEY és hasonló nevek mindig rejtettek.',
        'Bleibt verborgen, bis jemand, der sie ändern kann, sie anzeigt. Namen wie TOKEN, PASSWORD und KEY sind immer verborgen.',
      ),
    },
  },
  wholeNumber('port', {
    required: false,
    max: MAX_PORT_PLACE,
    label: words('Place of the port it contains', 'A benne tárolt port helye', 'Platz des enthaltenen Ports'),
    description: words(
      '0 is the primary port, 1 the second one. Empty: the variable is not a port.',
      'A 0 az elsődleges port, az 1 a második. Üresen a változó nem port.',
      '0 ist der primäre Port, 1 der zweite. Leer: Die Variable ist kein Port.',
    ),
  }),
]
