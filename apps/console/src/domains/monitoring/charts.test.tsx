import { fireEvent, screen, waitFor } from '@testing-library/react'
import { describe, expect, test, vi } from 'vitest'
import type { Measured } from '@gantry/contract/monitoring/metrics'
import { openPage, refusal, sent, server, signedIn, useConsole } from '../../../test/app.tsx'
import { permissions } from '../../api/permissions.ts'
import { Charts } from './charts.tsx'
import { MeasureFirst } from './measure-first.tsx'

vi.mock('../../ui/chart/chart-draw.ts', () => ({ openCanvas: () => ({ draw: () => undefined, end: () => undefined }) }))

useConsole()

const env = '00000000-0000-4000-8000-000000000001'
const path = (expression: string) => `GET /monitor-metrics/api/tenants/1/environments/${env}/${expression}`
const measured = (more: Partial<Measured> = {}): Measured => ({
  expression: 'container_cpu_usage',
  unit: 'cores',
  source: 'sampled',
  start: 0,
  end: 120_000,
  stepSeconds: 60,
  series: [
    {
      name: 'web-1',
      type: 'container_cpu_usage',
      metric: {},
      dps: [
        [0, 0.25],
        [60_000, null],
        [120_000, 0.75],
      ],
    },
  ],
  truncated: false,
  notice: '',
  left: false,
  ...more,
})
const of = { kind: 'team', teamId: 1, env, service: 5 } as const
const open = (address = '/teams/1/x') => {
  signedIn()
  return openPage(
    () => (
      <Charts
        of={of}
        expressions={['container_cpu_usage', 'container_disk_read']}
        left={<MeasureFirst teamId={1} env={env} stackId={2} service={5} container="web" />}
      />
    ),
    address,
    '/teams/$team_id/x',
  )
}

describe('charts', () => {
  test('describe their content as text, and as a table of figures', async () => {
    const notice = 'Network and disk metrics require Prometheus'
    server({
      [path('container_cpu_usage')]: measured(),
      [path('container_disk_read')]: measured({ source: 'none', series: [], notice }),
    })
    await open()
    await screen.findByRole('img', { name: 'CPU by container: web-1: latest 0.75 cores, maximum 0.75 cores' })
    expect(
      screen.getByRole('row', { name: /web-1 0\.75 cores 0\.25 cores 0\.5 cores 0\.75 cores/, hidden: true }),
    ).toBeTruthy()
    expect(screen.getAllByText(notice)).toHaveLength(1)
    // an unsupported expression takes no space
    expect(screen.queryByText('Disk read by container')).toBeNull()
    expect(sent.find(({ path }) => path.endsWith('container_cpu_usage'))?.query.toString()).toBe(
      'type=HOUR&duration=1&service=5',
    )
  })

  test('request nothing for a custom range until it is valid', async () => {
    server({ [path('container_cpu_usage')]: measured(), [path('container_disk_read')]: measured() })
    await open('/teams/1/x?range=custom')
    await screen.findByText(/Enter a start before the end/)
    expect(sent.filter(({ path }) => path.startsWith('/monitor-metrics'))).toEqual([])
  })

  test('show a common failure once with a retry, and a single failure in its place', async () => {
    await open()
    await screen.findByText('It does not exist')
    expect(screen.getAllByRole('alert')).toHaveLength(1)
    server({
      [path('container_cpu_usage')]: measured(),
      [path('container_disk_read')]: () => refusal(400, 'range-order', 'The time range is not valid'),
    })
    fireEvent.click(screen.getByRole('button', { name: 'Try again' }))
    await screen.findByRole('img', { name: /^CPU by container/ })
    await screen.findByText('The time range is not valid')
  })

  test('offer to prioritize a container that the cluster omits', async () => {
    const left = measured({ series: [], left: true, notice: 'not included' })
    const on = `POST /monitor-metrics/api/tenants/1/environments/${env}/stacks/2/services/5/containers/web/on`
    server({ [path('container_cpu_usage')]: left, [path('container_disk_read')]: left, [on]: null })
    permissions.set([{ name: 'monitor_metrics_operate', enable: true }])
    await open()
    fireEvent.click(await screen.findByRole('button', { name: 'Prioritise monitoring' }))
    await waitFor(() => expect(sent.some(({ method }) => method === 'POST')).toBe(true))
  })
})
