export const cannedReplies = [
  {
    title: { hu: 'Köszönjük, utánanézünk', en: 'Thanks, we are looking into it', de: 'Danke, wir sehen nach' },
    text: {
      hu: 'Szia {{customer}}!\n\nKöszönjük, hogy írtál. Utánanézünk, és ebben a hibajegyben ({{ticket}}) válaszolunk.\n\nÜdv, {{staff}}',
      en: "Hi {{customer}},\n\nThanks for writing. We're looking into it and will reply in this ticket ({{ticket}}).\n\n{{staff}}",
      de: 'Hallo {{customer}},\n\ndanke für deine Nachricht. Wir sehen nach und antworten in diesem Ticket ({{ticket}}).\n\nViele Grüße, {{staff}}',
    },
    active: true,
  },
  {
    title: { hu: 'Kérjük a napló végét', en: 'Send us the end of the log', de: 'Schick uns das Ende des Protokolls' },
    text: {
      hu: 'Szia {{customer}}!\n\nKérlek, másold be ide a konzol utolsó sorait erről a szerverről: {{server}}.\n\nÜdv, {{staff}}',
      en: 'Hi {{customer}},\n\nPlease paste the last lines of the console of {{server}} here.\n\n{{staff}}',
      de: 'Hallo {{customer}},\n\nbitte füge hier die letzten Zeilen der Konsole von {{server}} ein.\n\nViele Grüße, {{staff}}',
    },
    active: true,
  },
] as const
