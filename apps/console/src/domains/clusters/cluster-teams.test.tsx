import { screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import type { Environment } from '@gantry/contract/clusters/environments'
import { openPage, press, sent, server, signedIn, useConsole, type Sent } from '../../../test/app.tsx'
import { ClusterTeams } from './cluster-teams.tsx'

useConsole()

const many = Array.from({ length: 23 }, (_, at) => ({ id: at + 1, name: `team-${at + 1}` }))
const quotaOf = (id: number) => `/resource-manager/api/quotas/tenants/${id}/environments/${uuid}`
const uuid = '0b6a3f4e-7a52-4d0a-9a55-0d1b7f4c2e11'
const quota = {
  envUuid: uuid,
  envName: 'east',
  hard: { cpu: 4, memory: 8 },
  allocated: { cpu: 1, memory: 2 },
  used: null,
}

const asked = () => sent.filter(({ path }) => path.startsWith('/resource-manager/api/quotas/')).length

test.each([
  ['the sandbox, which is every team’s', true],
  ['a cluster of many teams', false],
])('the teams of %s come ten to a page, and only theirs are the quotas that are asked for', async (_, sandbox) => {
  signedIn({ admin: true })
  server({
    'GET /api/tenants/brief': ({ query }: Sent) => {
      const [page, size] = [Number(query.get('requestPage')), Number(query.get('pageSize'))]
      const items = many.slice((page - 1) * size, page * size)
      return { items, requestPage: page, pageSize: size, totalSize: many.length }
    },
    ...Object.fromEntries(many.map(({ id }) => [`GET ${quotaOf(id)}`, quota])),
  })
  const cluster = { uuid, name: 'east', sandbox, teams: sandbox ? [] : many } as Partial<Environment> as Environment
  await openPage(() => <ClusterTeams cluster={cluster} />)
  await screen.findByText('team-10')
  await waitFor(() => expect(asked()).toBe(10))
  press('Page 3')
  await screen.findByText('team-23')
  await waitFor(() => expect(asked()).toBe(13))
  expect(screen.queryByText('team-10')).toBeNull()
})
