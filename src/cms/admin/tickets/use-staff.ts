'use client'

import { useQuery } from '@tanstack/react-query'
import { adminQueries } from '../money/admin-queries.ts'
import { readPeople } from '../money/use-people.ts'

const ROLES = ['isAdmin', 'isSupport']

/** The staff, for administrators: support does not see its colleagues. */
export const useStaff = () =>
  useQuery(
    {
      queryKey: ['admin', 'staff'],
      queryFn: () =>
        readPeople(new URLSearchParams(ROLES.map((flag, at) => [`where[or][${at}][role.${flag}][equals]`, 'true']))),
    },
    adminQueries,
  )
