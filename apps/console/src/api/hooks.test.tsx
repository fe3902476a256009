import { act, fireEvent, screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { hosts } from '@gantry/contract/clusters/hosts'
import { quotas } from '@gantry/contract/quotas/quotas'
import { services } from '@gantry/contract/stacks/services'
import { ada, openPage, sent, server, signedIn, useConsole } from '../../test/app.tsx'
import { useRead, useWrite } from './hooks.ts'
import { keepSession } from './session.ts'

useConsole()

const uuid = '0b6a3f4e-7a52-4d0a-9a55-0d1b7f4c2e11'
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

test('the data of one team is read again for another, and not shown to it meanwhile', async () => {
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

function Scaled() {
  const { data } = useRead(services.brief, { params: { teamId: 1, envId: uuid, id: 9 } }, { staleMs: 60_000 })
  useRead(quotas.all, {}, { staleMs: 60_000 })
  const scale = useWrite(services.scale, { quiet: true })
  const input = { params: { teamId: 1, envId: uuid, id: 9 }, query: { replicas: 2 } }
  return <button onClick={() => scale.mutate(input)}>{data?.name}</button>
}

test('a write invalidates the reads of its topics, and nothing else', async () => {
  signedIn()
  const service = `/orchestration/api/1/env/${uuid}/service/9`
  const quotasPath = '/resource-manager/api/quotas/tenants'
  server({
    [`GET ${service}/brief`]: { name: 'web' },
    [`GET ${quotasPath}`]: { items: [], requestPage: 1, pageSize: 20, totalSize: 0 },
    [`POST ${service}`]: { name: 'web' },
  })
  await openPage(Scaled)
  fireEvent.click(await screen.findByText('web'))
  await waitFor(() => expect(sent.filter(({ path }) => path === `${service}/brief`)).toHaveLength(2))
  expect(sent.filter(({ path }) => path === quotasPath)).toHaveLength(1)
})
