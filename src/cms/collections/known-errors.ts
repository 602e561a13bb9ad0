import type { CollectionConfig } from 'payload'
import { MAX_PATTERN } from '#domain/known-errors/pattern.ts'
import { STAFF_RULE_ACTIONS } from '#domain/known-errors/staff-rules.ts'
import type { StaffRuleAction } from '#domain/known-errors/staff-rules.ts'
import { administrator } from '../access/administrator.ts'
import { refuseBadPattern, refuseMissedExamples, refuseRaisedExamples } from '../fields/known-error-pattern.ts'
import { groups } from '../fields/labels.ts'
import { words, type Words } from '../fields/languages.ts'

const actionLabels: Readonly<Record<StaffRuleAction, Words>> = {
  settings: words('Settings', 'Beállítások', 'Einstellungen'),
  startup: words('Startup', 'Indítás', 'Start'),
  networks: words('Network', 'Hálózat', 'Netzwerk'),
  files: words('Files', 'Fájlok', 'Dateien'),
  modification: words('Change of the size', 'Méret módosítása', 'Größe ändern'),
}

/** Rules of staff for the console's cards, beside those of `#domain/known-errors/rules.ts`. */
export const KnownErrors: CollectionConfig = {
  slug: 'known-errors',
  labels: {
    singular: words('Known error', 'Ismert hiba', 'Bekannter Fehler'),
    plural: words('Known errors', 'Ismert hibák', 'Bekannte Fehler'),
  },
  admin: {
    useAsTitle: 'title',
    group: groups.machines,
    defaultColumns: ['title', 'pattern', 'active'],
    description: words(
      "A console shows a card when its server's log has a line that fits.",
      'A konzol kártyát mutat, ha a szerver naplójában illeszkedő sor van.',
      'Die Konsole zeigt eine Karte, wenn im Protokoll des Servers eine passende Zeile steht.',
    ),
  },
  access: { create: administrator, read: administrator, update: administrator, delete: administrator },
  fields: [
    {
      name: 'title',
      type: 'text',
      required: true,
      localized: true,
      maxLength: 80,
      label: words('Title', 'Cím', 'Titel'),
    },
    {
      name: 'explanation',
      type: 'textarea',
      required: true,
      localized: true,
      maxLength: 400,
      label: words('Explanation', 'Magyarázat', 'Erklärung'),
      admin: {
        description: words(
          'What happened, and what the reader can do about it.',
          'Mi történt, és mit tehet az olvasó.',
          'Was passiert ist, und was die lesende Person tun kann.',
        ),
      },
    },
    {
      name: 'pattern',
      type: 'text',
      required: true,
      maxLength: MAX_PATTERN,
      label: words('Pattern', 'Minta', 'Muster'),
      validate: refuseBadPattern,
      admin: {
        description: words(
          'A regular expression; upper and lower case are the same. Repetitions need an end: .{0,80}. It is compared with the first 600 characters of a line, without colours.',
          'Reguláris kifejezés, a kis- és nagybetű egyforma. Az ismétlésnek legyen vége: .{0,80}. A sor első 600 karakterével vetjük össze, színek nélkül.',
          'Ein regulärer Ausdruck; Groß- und Kleinschreibung ist egal. Wiederholungen brauchen ein Ende: .{0,80}. Verglichen werden die ersten 600 Zeichen einer Zeile, ohne Farben.',
        ),
      },
    },
    {
      name: 'examples',
      type: 'textarea',
      required: true,
      maxLength: 8_000,
      label: words('Example lines', 'Példasorok', 'Beispielzeilen'),
      validate: refuseMissedExamples,
      admin: {
        description: words(
          'One line of a log per row. Each must raise the card.',
          'Soronként egy naplósor. Mindegyikre meg kell jelennie a kártyának.',
          'Eine Protokollzeile je Zeile. Jede muss die Karte auslösen.',
        ),
      },
    },
    {
      name: 'counterExamples',
      type: 'textarea',
      maxLength: 8_000,
      label: words('Lines that must not fit', 'Nem illeszkedő sorok', 'Zeilen, die nicht passen dürfen'),
      validate: refuseRaisedExamples,
      admin: {
        description: words(
          'One line of a log per row. None may raise the card.',
          'Soronként egy naplósor. Egyikre sem jelenhet meg a kártya.',
          'Eine Protokollzeile je Zeile. Keine darf die Karte auslösen.',
        ),
      },
    },
    {
      name: 'templates',
      type: 'relationship',
      relationTo: 'templates',
      hasMany: true,
      label: words('Server templates', 'Szerversablonok', 'Servervorlagen'),
      admin: {
        description: words(
          'Empty: servers of every template.',
          'Üresen: minden sablon szerverei.',
          'Leer: Server aller Vorlagen.',
        ),
      },
    },
    {
      name: 'actions',
      type: 'select',
      hasMany: true,
      label: words('Links on the card', 'Hivatkozások a kártyán', 'Links auf der Karte'),
      options: STAFF_RULE_ACTIONS.map((value) => ({ value, label: actionLabels[value] })),
    },
    { name: 'active', type: 'checkbox', defaultValue: true, label: words('Active', 'Aktív', 'Aktiv') },
  ],
}
