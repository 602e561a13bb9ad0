export const roles = [
  { slug: 'administrator', name: 'Rendszergazda', isAdmin: true, isSupport: true, active: true },
  { slug: 'support', name: 'Ügyfélszolgálat', isAdmin: false, isSupport: true, active: true },
] as const
