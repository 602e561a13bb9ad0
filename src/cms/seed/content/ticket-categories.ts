export const ticketCategories = [
  { slug: 'game-server', name: { hu: 'Játékszerver', en: 'Game server', de: 'Gameserver' }, active: true },
  {
    slug: 'billing',
    name: { hu: 'Fizetés és számlák', en: 'Payments and invoices', de: 'Zahlung und Rechnungen' },
    active: true,
  },
  { slug: 'account', name: { hu: 'Fiók', en: 'Account', de: 'Konto' }, active: true },
] as const
