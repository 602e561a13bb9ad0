import type { CollectionConfig } from 'payload'
import { MESSAGE_AUDIENCES, MESSAGE_SEVERITIES } from '#contracts/http/global-message.ts'
import type { MessageAudience, MessageSeverity } from '#contracts/http/global-message.ts'
import { administrator } from '../access/administrator.ts'
import { groups } from '../fields/labels.ts'
import { words, type Words } from '../fields/languages.ts'
import { endsAfter, momentField } from '../fields/moment-field.ts'

const severityLabels: Readonly<Record<MessageSeverity, Words>> = {
  info: words('News', 'Tájékoztatás', 'Hinweis'),
  warning: words('Warning', 'Figyelmeztetés', 'Warnung'),
  error: words('Outage', 'Üzemzavar', 'Störung'),
}
const audienceLabels: Readonly<Record<MessageAudience, Words>> = {
  public: words('Everyone, on every page', 'Mindenki, minden oldalon', 'Alle, auf jeder Seite'),
  customers: words('Signed-in users', 'A bejelentkezett felhasználók', 'Angemeldete Personen'),
  staff: words('Staff', 'A munkatársak', 'Mitarbeitende'),
}

/** Messages above every page of an audience; readers get them only from `GET /api/global-message`. */
export const GlobalMessages: CollectionConfig = {
  slug: 'global-messages',
  labels: {
    singular: words('Global message', 'Globális üzenet', 'Globale Nachricht'),
    plural: words('Global messages', 'Globális üzenetek', 'Globale Nachrichten'),
  },
  admin: { useAsTitle: 'text', group: groups.content, defaultColumns: ['text', 'severity', 'audience', 'from', 'to'] },
  access: { create: administrator, read: administrator, update: administrator, delete: administrator },
  fields: [
    {
      name: 'text',
      type: 'textarea',
      required: true,
      localized: true,
      maxLength: 400,
      label: words('Text', 'Szöveg', 'Text'),
    },
    {
      name: 'severity',
      type: 'select',
      required: true,
      defaultValue: 'info',
      label: words('Severity', 'Súlyosság', 'Schwere'),
      options: MESSAGE_SEVERITIES.map((value) => ({ value, label: severityLabels[value] })),
    },
    {
      name: 'audience',
      type: 'select',
      required: true,
      defaultValue: 'public',
      label: words('Audience', 'Közönség', 'Publikum'),
      options: MESSAGE_AUDIENCES.map((value) => ({ value, label: audienceLabels[value] })),
    },
    momentField('from', words('From (empty: immediately)', 'Ettől (üres: azonnal)', 'Ab (leer: sofort)')),
    {
      ...momentField('to', words('Until (empty: no end)', 'Eddig (üres: visszavonásig)', 'Bis (leer: unbefristet)')),
      validate: endsAfter('from'),
    },
  ],
}
