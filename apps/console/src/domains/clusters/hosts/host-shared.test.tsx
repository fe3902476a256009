import { screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import type { HostDetail } from '@gantry/contract/clusters/hosts'
import { openPage, press, sent, server, signedIn, useConsole } from '../../../../test/app.tsx'
import { HostLabels } from './host-labels.tsx'
import { HostLogs } from './host-logs.tsx'
import { useHostActions } from './use-host-actions.tsx'

useConsole()

const host = (alone: boolean) =>
  ({
    envUuid: '0b6a3f4e-7a52-4d0a-9a55-0d1b7f4c2e11',
    name: 'n1',
    alone,
    labels: { 'example.com/disk': 'ssd' },
    annotations: {},
    taints: [],
  }) as Partial<HostDetail> as HostDetail

function Sample({ alone }: { alone: boolean }) {
  const { actionsOf } = useHostActions()
  return (
    <>
      <HostLabels host={host(alone)} />
      <ul>
        {actionsOf(host(alone)).map(({ key, disabled }) => (
          <li key={key}>{`${key}: ${disabled || 'open'}`}</li>
        ))}
      </ul>
    </>
  )
}

test.each([true, false])('a host can be changed if the team has sole use of its cluster: %s', async (alone) => {
  signedIn({ admin: alone })
  server({})
  await openPage(() => <Sample alone={alone} />)
  const actions = screen.getAllByRole('listitem').map(({ textContent }) => textContent)
  expect(actions.every((text) => text.endsWith(': open'))).toBe(alone)
  expect(actions.filter((text) => text.includes('Several teams use this cluster'))).toHaveLength(alone ? 0 : 5)
  press('Add label')
  expect(screen.queryAllByRole('dialog')).toHaveLength(alone ? 1 : 0)
})

test('the log of a host that reveals other teams is not requested', async () => {
  signedIn()
  server({})
  await openPage(() => <HostLogs host={host(false)} />)
  await screen.findByRole('heading', { name: 'Only administrators can view this log' })
  expect(sent.filter(({ path }) => path.includes('/log/'))).toEqual([])
})
