import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { openApp, refusal, sent, server, signedIn, useConsole } from '../../../../test/app.tsx'
import { pipeline } from '../../../../test/pipelines.ts'
import { permissions } from '../../../api/permissions.ts'
import { routes } from '../routes.tsx'

useConsole()

const start = new Date(2026, 2, 2).getTime()
const day = 86_400_000
const period = { unit: 'day', startTime: start, endTime: start + 2 * day }
const slots = (first: object, second: object) => [
  { startTime: start, endTime: start + day, ...first },
  { startTime: start + day, endTime: start + 2 * day, ...second },
]
const none = { success: 0, failed: 0, aborted: 0 }
const noAbility = { ...none, successRate: null, seconds: null, waitSeconds: null }
const ability = { success: 3, failed: 1, aborted: 0, successRate: 0.75, seconds: 90, waitSeconds: 2 }
const noDelivery = {
  deployments: 0,
  failedDeployments: 0,
  perDay: 0,
  leadSeconds: null,
  failureRate: null,
  restoreSeconds: null,
}
const delivery = {
  deployments: 1,
  failedDeployments: 1,
  perDay: 0.5,
  leadSeconds: 600,
  failureRate: 0.5,
  restoreSeconds: 7200,
}
const recovery = { recoveries: 1, seconds: 3600 }
const at = '/api/v2/pipelines/4/report'
const page = '/teams/1/cd/pipeline_group_id/2/pipeline_id/4'

beforeEach(() => {
  signedIn()
  permissions.set(['pipeline_pipeline_view', 'pipeline_build_view'].map((name) => ({ name, enable: true })))
  server({
    'POST /api/tickets': refusal(404, 'resource-missing', 'no push here'),
    'GET /api/v2/pipelines/4': pipeline(),
    [`GET ${at}/buildStateDistribution`]: {
      ...period,
      ...none,
      success: 3,
      failed: 1,
      items: slots({ ...none, success: 3, failed: 1 }, none),
    },
    [`GET ${at}/buildAbility`]: { ...period, ...ability, items: slots(ability, noAbility) },
    [`GET ${at}/buildRecoverAvg`]: {
      ...period,
      ...recovery,
      failingSince: start,
      items: slots(recovery, { recoveries: 0, seconds: null }),
    },
    [`GET ${at}/stageMeta`]: {
      ...period,
      builds: 10_000,
      truncated: true,
      stages: [
        {
          name: 'ship',
          runs: 4,
          failed: 1,
          seconds: 60,
          steps: [{ name: 'roll out', type: 'deploy', runs: 4, failed: 1, seconds: 60 }],
        },
      ],
    },
    [`GET ${at}/code`]: { ...period, items: [] },
    [`GET ${at}/delivery`]: { ...period, ...delivery, items: slots(delivery, noDelivery) },
    'GET /api/tenants/1/report/delivery': { ...period, ...noDelivery, items: slots(noDelivery, noDelivery) },
  })
})

const queries = (path: string) => sent.filter((call) => call.path.endsWith(path)).map(({ query }) => query)

describe('the report of a pipeline', () => {
  test('shows each figure with its formula', async () => {
    await openApp(`${page}/report-index`, routes)
    await screen.findByText('0.5 per day')
    screen.getByText('Failed deployments (1) ÷ all deployments (2)')
    screen.getByText('75 %', { selector: 'strong' })
    screen.getByText(/^Successful builds ÷/)
    screen.getByText('From the newest 10000 builds of the period')
    screen.getByText('No code quality scan ran in this period')
    expect(screen.getByRole('row', { name: /^roll out/ }).textContent).toContain('1 (25 %)')
    expect(queries('/buildAbility')).toHaveLength(1)
    expect(Object.fromEntries(queries('/buildAbility')[0] ?? [])).toEqual({
      type: 'MONTH',
      zone: Intl.DateTimeFormat().resolvedOptions().timeZone,
    })
  })

  test('opens from a figure exactly the builds that it counts', async () => {
    server({
      'GET /api/v2/pipelines/4/builds': { items: [], requestPage: 1, pageSize: 10, totalSize: 0 },
      'GET /api/v2/pipelines/4/queue': [],
    })
    const { at } = await openApp(`${page}/report-index`, routes)
    const figures = await screen.findByRole('group', { name: /Deployments/, hidden: true })
    const row = within(figures).getByRole('row', { name: /^2026-03-02/, hidden: true })
    const [, failed] = within(row).getAllByRole('link', { name: '1', hidden: true })
    if (!failed) throw new Error('the failed deployments are no link')
    fireEvent.click(failed)
    await waitFor(() => expect(at()).toContain('/history?'))
    await screen.findByText(/^Finished between .* · failed to deploy$/)
    await waitFor(() =>
      expect(Object.fromEntries(queries('/builds').at(-1) ?? [])).toMatchObject({
        startTime: String(start),
        endTime: String(start + day),
        deployment: 'failed',
      }),
    )
    // no build matches, which does not mean that there are none at all
    screen.getByText('Nothing matches')
    fireEvent.click(screen.getByRole('button', { name: 'Show all builds' }))
    await waitFor(() => expect(at()).not.toContain('startTime'))
  })

  test('makes no call while a range has no start, and then calls for that range', async () => {
    await openApp(`${page}/report-index?type=RANGE`, routes)
    await screen.findByText(/^Enter a start before the end/)
    expect(queries('/buildAbility')).toEqual([])
    fireEvent.change(screen.getByLabelText('From'), { target: { value: '2026-03-02T00:00' } })
    await waitFor(() => expect(queries('/buildAbility')[0]?.get('startTime')).toBe(String(start)))
    expect(queries('/buildAbility')[0]?.get('endTime')).toBe('0')
  })

  test('shows the figures of the team if the address says so', async () => {
    await openApp(`${page}/report-index?scope=team`, routes)
    await screen.findByText('0 per day')
    expect(queries('/tenants/1/report/delivery')).toHaveLength(1)
  })

  test('is saved as a table of its slots', async () => {
    const saved: Blob[] = []
    vi.spyOn(URL, 'createObjectURL').mockImplementation((blob) => {
      saved.push(blob as Blob)
      return 'blob:csv'
    })
    await openApp(`${page}/report-index`, routes)
    await screen.findByText('0.5 per day')
    fireEvent.click(await screen.findByRole('button', { name: 'Export CSV' }))
    const [head, first, second] = ((await saved[0]?.text()) ?? '').split('\r\n')
    expect(head).toContain('From,To,success,failed,aborted,Success rate')
    expect(first).toContain(',3,1,0,0.75,90,2,1,3600,1,1,600,0.5,7200')
    expect(second).toContain(',0,0,0,,,,0,,0,0,,,')
  })

  test('shows why a part failed, and keeps the others', async () => {
    server({ [`GET ${at}/stageMeta`]: refusal(403, 'permission-missing', 'You may not') })
    await openApp(`${page}/report-index`, routes)
    await screen.findByText('0.5 per day')
    await screen.findByText('You may not')
  })
})
