import type { CollectionConfig, FieldHook, NumberField } from 'payload'
import { MAX_OPTIONS, MIN_OPTIONS, OPTION_LENGTH, QUESTION_LENGTH } from '#domain/votings/voting.ts'
import { administrator } from '../access/administrator.ts'
import { nobody } from '../access/nobody.ts'
import { groups } from '../fields/labels.ts'
import { words } from '../fields/languages.ts'
import { momentField } from '../fields/moment-field.ts'
import { answerSecondVoting } from '../hooks/answer-second-voting.ts'
import { keepVotedOptions } from '../hooks/keep-voted-options.ts'
import { showVotes, showVotesOfOption } from '../hooks/voting-votes.ts'

/** A count that staff only read. */
const votesField = (show: FieldHook, admin: NumberField['admin'] = {}): NumberField => ({
  name: 'votes',
  type: 'number',
  virtual: true,
  label: words('Votes', 'Szavazatok', 'Stimmen'),
  access: { create: nobody, update: nobody },
  hooks: { afterRead: [show] },
  admin: { readOnly: true, disableListFilter: true, ...admin },
})

/**
 * Votings of the summary (decision 109). Readers get the one that runs, or the last one, from `GET /api/voting`; the control plane keeps
 * their votes. The database notes when a voting was opened and closed, and lets one run at a time, whoever writes it.
 */
export const Votings: CollectionConfig = {
  slug: 'votings',
  labels: {
    singular: words('Poll', 'Szavazás', 'Abstimmung'),
    plural: words('Polls', 'Szavazások', 'Abstimmungen'),
  },
  admin: {
    useAsTitle: 'question',
    group: groups.content,
    defaultColumns: ['question', 'active', 'endsAt', 'votes'],
    description: words(
      'Your customers see one poll at a time on their summary. Its result stays there for a week after its end.',
      'Egyszerre egy szavazás látható az ügyfeleid összefoglalóján. Az eredménye a vége után még egy hétig ott marad.',
      'Jeweils eine Abstimmung steht auf der Übersicht deiner Kunden. Das Ergebnis bleibt dort nach dem Ende noch eine Woche stehen.',
    ),
  },
  access: { create: administrator, read: administrator, update: administrator, delete: administrator },
  hooks: { beforeChange: [keepVotedOptions], afterError: [answerSecondVoting] },
  fields: [
    {
      name: 'question',
      type: 'text',
      required: true,
      localized: true,
      maxLength: QUESTION_LENGTH,
      label: words('Question', 'Kérdés', 'Frage'),
    },
    {
      name: 'options',
      type: 'array',
      required: true,
      minRows: MIN_OPTIONS,
      maxRows: MAX_OPTIONS,
      label: words('Options', 'Válaszlehetőségek', 'Antworten'),
      labels: {
        singular: words('Option', 'Válaszlehetőség', 'Antwort'),
        plural: words('Options', 'Válaszlehetőségek', 'Antworten'),
      },
      admin: {
        description: words(
          'You can correct a text at any time: its votes stay. An option that has votes can’t be removed.',
          'A szövegeket bármikor javíthatod: a szavazatok megmaradnak. Amire már szavaztak, azt nem lehet törölni.',
          'Du kannst einen Text jederzeit korrigieren: Die Stimmen bleiben. Eine Antwort mit Stimmen lässt sich nicht entfernen.',
        ),
      },
      fields: [
        {
          name: 'text',
          type: 'text',
          required: true,
          localized: true,
          maxLength: OPTION_LENGTH,
          label: words('Text', 'Szöveg', 'Text'),
        },
        votesField(showVotesOfOption),
      ],
    },
    votesField(showVotes, { position: 'sidebar' }),
    {
      ...momentField('endsAt', words('Ends (empty: no end)', 'Vége (üres: nincs)', 'Ende (leer: unbefristet)')),
      index: true,
      admin: { position: 'sidebar', date: { pickerAppearance: 'dayAndTime' } },
    },
    {
      name: 'active',
      type: 'checkbox',
      required: true,
      defaultValue: false,
      label: words('Active', 'Aktív', 'Aktiv'),
      admin: {
        position: 'sidebar',
        description: words(
          'Customers can vote from now on. Untick it to close the poll early.',
          'Az ügyfelek innentől szavazhatnak. Vedd ki a pipát, ha előbb akarod lezárni.',
          'Ab jetzt können Kunden abstimmen. Entferne den Haken, um vorzeitig zu schließen.',
        ),
      },
    },
  ],
}
