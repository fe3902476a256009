import { act, screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { hosts } from '@gantry/contract/clusters/hosts'
import { ada, openPage, sent, server, useConsole } from '../../test/app.tsx'
import { useRead } from './hooks.ts'
import { keepSession } from './session.ts'

useConsole()

const path = '/resource-manager/api/hosts/environments'
const list = (envName: string) => ({
  items: [],
  requestPage: 1,
  pageSize: 20,
  totalSize: 0,
  stale: [{ envUuid: '', envName, since: null, message: '' }],
})

function Sample() {
  const { data } = useRead(hosts.list, {}, { keep: false, staleMs: 60_000 })
  return <p>{data?.stale[0]?.envName}</p>
}

test('what was read for one team is read again for another, and not shown to it meanwhile', async () => {
  keepSession(ada, 1)
  server({ [`GET ${path}`]: list('of the first') })
  const first = await openPage(Sample)
  await screen.findByText('of the first')
  first.unmount()

  server({ [`GET ${path}`]: list('of the second') })
  act(() => void keepSession(ada, 2))
  await openPage(Sample)
  expect(screen.queryByText('of the first')).toBeNull()
  await screen.findByText('of the second')
  expect(sent.filter((call) => call.path === path)).toHaveLength(2)
})
