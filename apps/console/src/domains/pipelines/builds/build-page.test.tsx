import { mask } from '@gantry/contract/validators'
import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import type { Build, BuildStep } from '@gantry/contract/pipelines/builds'
import { openApp, press, refusal, sent, server, signedIn, useConsole } from '../../../../test/app.tsx'
import { pipeline } from '../../../../test/pipelines.ts'
import { routes } from '../routes.tsx'

useConsole()

const at = '2026-01-01T00:00:00Z'
const step = (index: number, name: string, state: BuildStep['state'], more: Partial<BuildStep> = {}): BuildStep => ({
  index,
  job: 0,
  name,
  type: 'script',
  state,
  exitCode: null,
  message: '',
  startedAt: state === 'not_built' ? null : at,
  endedAt: state === 'not_built' ? null : at,
  logLines: 2,
  passedIn: null,
  ...more,
})

const build: Build = {
  pipelineId: 4,
  number: 12,
  queueId: 99,
  state: 'failed',
  cause: 'manual',
  userCause: 'ada',
  retriedBy: '',
  branch: 'main',
  fork: false,
  tag: '',
  commit: 'd1d1293ab6eb20821f73bb8dabb8ebb294bc5847',
  commitMessage: 'Light the quay\n\nlong story',
  agentName: 'embedded',
  attempt: 1,
  message: '',
  queuedAt: at,
  startedAt: at,
  endedAt: at,
  earlierSeconds: 0,
  waitedSeconds: 0,
  askedAt: null,
  waits: [],
  tests: { total: 3, failed: 1, skipped: 0 },
  artifactNum: 0,
  pinned: false,
  draft: false,
  emptiedAt: null,
  reviewed: false,
  logsRemovedAt: null,
  artifactsRemovedAt: null,
  annotationNum: 0,
  definitionFile: null,
  image: '',
  mergeRequest: null,
  imageId: null,
  imageTag: '',
  version: '',
  stages: [
    {
      name: 'Build',
      state: 'failed',
      gate: null,
      jobs: [],
      steps: [
        step(0, 'Get', 'success'),
        step(1, 'Compile', 'failed', { exitCode: 3, message: 'The script ended with exit code 3.' }),
      ],
    },
    { name: 'Ship', state: 'not_built', gate: null, jobs: [], steps: [step(2, 'Push', 'not_built', { logLines: 0 })] },
  ],
  attempts: [],
  parameters: {},
  images: [],
}

const log = (text: string) => ({
  step: 1,
  steps: [{ step: 1, first: 0 }],
  lines: [{ n: 0, at: null, text }],
  total: 1,
  complete: true,
  truncated: false,
})
const logPath = (stage: string) => `GET /api/v2/pipelines/4/stages/${stage}/12/logs`
const open = (search = '') => openApp(`/teams/1/cd/pipeline_group_id/2/pipeline_id/4/history/12/info${search}`, routes)

beforeEach(() => {
  signedIn()
  server({
    'GET /api/v2/pipelines/4': pipeline(),
    'GET /api/v2/pipelines/4/builds/12': build,
    [logPath('Build')]: log('error: missing semicolon'),
    'POST /api/tickets': refusal(404, 'resource-missing', 'no push here'),
  })
})

const requestedSteps = () => sent.filter((call) => call.path.endsWith('/logs')).map((call) => call.query.get('step'))

describe('a build', () => {
  test('shows the failed step and the reason, and requests the end of its log', async () => {
    await open()
    expect((await screen.findByRole('heading', { name: /The step Compile failed/ })).textContent).toContain(
      'exit code 3',
    )
    screen.getByText('The script ended with exit code 3.')
    screen.getByText('Light the quay')
    const current = screen.getAllByRole('button').filter((button) => button.getAttribute('aria-current') === 'step')
    expect(current.map((button) => button.textContent)).toEqual([expect.stringContaining('Compile')])
    const call = sent.find((one) => one.path.endsWith('/logs'))
    expect([call?.query.get('step'), call?.query.get('offset')]).toEqual(['1', '-1'])
  })

  test('lists each of its tests, including those with the same name', async () => {
    const errors = vi.spyOn(console, 'error').mockImplementation(() => undefined)
    const one = { suite: 'quay', name: 'is lit', state: 'passed', seconds: 1, message: '' }
    const items = [one, { ...one, state: 'failed' }, { ...one, suite: 'quay is', name: 'lit' }]
    server({
      'GET /api/v2/pipelines/4/builds/12/tests': { items, requestPage: 1, pageSize: 50, totalSize: items.length },
    })
    await open()
    fireEvent.click(await screen.findByRole('tab', { name: /^Tests/ }))
    expect(await screen.findAllByText('is lit')).toHaveLength(2)
    screen.getByText('quay is')
    expect(errors.mock.calls.flat().filter((said) => String(said).includes('same key'))).toEqual([])
    errors.mockRestore()
  })

  test('reports a missing test report, and shows no duration without one', async () => {
    const message = 'No file in the workspace matches out/*.xml.'
    const missing = step(3, 'Publish', 'failed', { type: 'report', message })
    const passed = step(4, 'Publish more', 'success', { type: 'report' })
    const item = { suite: 'quay', name: 'is lit', state: 'passed', seconds: null, message: '' }
    server({
      'GET /api/v2/pipelines/4/builds/12': {
        ...build,
        stages: [...build.stages, { name: 'Tell', state: 'failed', gate: null, jobs: [], steps: [missing, passed] }],
      },
      'GET /api/v2/pipelines/4/builds/12/tests': { items: [item], requestPage: 1, pageSize: 50, totalSize: 1 },
    })
    await open('?tab=tests')
    const row = await screen.findByRole('row', { name: /is lit/ })
    within(row).getByText('–')
    expect(screen.getByText(message).textContent).toBe(`The step Publish failed ${message}`)
    expect(screen.queryByText(/Publish more failed/)).toBeNull()
  })

  test('opens another step, in the address, and says why it has no log', async () => {
    const { at } = await open()
    const stages = await screen.findByRole('list', { name: 'Stages' })
    fireEvent.click(within(stages).getByRole('button', { name: /Push/ }))
    await screen.findByText(/^This step was not run/)
    expect(at()).toContain('step=2')
    expect(requestedSteps()).toEqual(['1'])
  })

  test('shows the step in the address', async () => {
    await open('?step=0')
    await screen.findByRole('list', { name: 'Stages' })
    expect(requestedSteps()).toEqual(['0'])
  })

  test('cannot be stopped once it has ended, but run again', async () => {
    server({
      'GET /api/projects/2/pipelines/4/setting': { parameters: [], repository: null },
      'POST /api/v2/pipelines/4/trigger/manual': { number: 13, queueId: 100 },
    })
    await open()
    await screen.findByRole('list', { name: 'Stages' })
    expect(screen.queryByRole('button', { name: 'Stop' })).toBeNull()
    press('Run again')
    await screen.findByText('Build #13')
    const body = sent.find((call) => call.path.endsWith('/trigger/manual'))?.body
    expect(body).toEqual({ idempotencyKey: expect.stringMatching(/^[0-9a-f]{32}$/) })
  })

  test.each([
    [
      'that an image triggered, with that image',
      { image: 'r.test/shop/web:1.7' },
      '/pipelines/4/trigger/image',
      { image: 'r.test/shop/web:1.7', branch: 'next' },
    ],
    ['of a tag, of the tag and no branch', { branch: '', tag: 'next' }, '/trigger/manual', { tag: 'next', branch: '' }],
    ['of a branch, of the branch and no tag', {}, '/trigger/manual', { branch: 'next' }],
  ])('%s, is run again', async (_, change, path, expected) => {
    server({
      'GET /api/v2/pipelines/4/builds/12': { ...build, branch: 'next', ...change },
      'GET /api/projects/2/pipelines/4/setting': { parameters: [], repository: { branch: 'main' } },
      'POST /api/v2/pipelines/4/trigger/manual': { number: 13, queueId: 100 },
      'POST /api/v2/pipelines/4/trigger/image': { number: 13, queueId: 100 },
    })
    await open()
    await screen.findByRole('list', { name: 'Stages' })
    press('Run again')
    await screen.findByText('Build #13')
    const body = sent.find((call) => call.method === 'POST' && call.path.endsWith(path))?.body
    expect(body).toEqual({ idempotencyKey: expect.any(String) as string, commit: build.commit, ...expected })
  })

  const web = {
    id: 8,
    name: 'web',
    type: 'business',
    state: 'upgraded',
    revision: 3,
    envId: 'e0000000-0000-4000-8000-000000000000',
    stackId: 5,
    stackUuid: 's0000000-0000-4000-8000-000000000000',
    stackName: 'shop',
  }

  test('shows what its deploy steps made of which service', async () => {
    const rolledOut = step(2, 'Roll out', 'success', { type: 'deploy' })
    server({
      'GET /api/v2/pipelines/4/builds/12': {
        ...build,
        stages: [...build.stages, { name: 'Ship', state: 'success', gate: null, jobs: [], steps: [rolledOut] }],
      },
      'GET /orchestration/api/1/builds/99/deployments': [{ ...web, step: 2, deployed: 2 }],
    })
    await open()
    const region = await screen.findByRole('region', { name: 'Deployed to' })
    const [service, revision] = within(region).getAllByRole('link')
    expect(service?.textContent).toBe('shop / web')
    expect(service?.getAttribute('href')).toMatch(/\/services\/8\/web\/business\//)
    expect(revision?.textContent).toBe('revision 2')
    within(region).getByText('now revision 3')
  })

  test('is run again after deciding the upgrade that would refuse its deployment, or anyway', async () => {
    server({
      'GET /orchestration/api/1/pipelines/4/undecided': [web],
      'GET /api/projects/2/pipelines/4/setting': { parameters: [], repository: null },
      'POST /api/v2/pipelines/4/trigger/manual': { number: 13, queueId: 100 },
    })
    await open()
    await screen.findByRole('list', { name: 'Stages' })
    press('Run again')
    const dialog = await screen.findByRole('dialog', { name: /an upgrade is still open/ })
    within(dialog).getByRole('link', { name: 'shop / web' })
    within(dialog).getByRole('button', { name: 'Roll back' })
    expect(sent.some((call) => call.path.includes('/trigger/'))).toBe(false)
    fireEvent.click(within(dialog).getByRole('button', { name: 'Start anyway' }))
    await screen.findByText('Build #13')
  })

  test('of a fork shows what was withheld and which steps are skipped, and starts after a confirmation', async () => {
    const why = 'This step is left out: the build is of a fork.'
    const left = step(2, 'Push', 'pending', { logLines: 0, message: why })
    const mergeRequest = { number: 7, source: 'main', target: 'main', fork: true }
    server({
      'GET /api/v2/pipelines/4/builds/12': {
        ...build,
        state: 'waiting',
        endedAt: null,
        mergeRequest,
        reviewed: true,
        stages: [{ ...build.stages[1], state: 'pending', steps: [left] }],
      },
      'GET /api/v2/pipelines/4/builds/12/withheld': {
        secrets: 2,
        registries: ['harbour'],
        artifacts: true,
        steps: ['Push'],
      },
      'GET /api/v2/pipelines/4/trigger/audit/log': {
        items: [
          {
            number: 12,
            state: 'waiting',
            cause: 'webhook',
            requestedBy: 'ada',
            requestedAt: at,
            branch: 'main',
            tag: '',
            needed: 1,
            votes: [],
            obstacle: 'not this way',
            fork: true,
          },
        ],
        requestPage: 1,
        pageSize: 10,
        totalSize: 1,
      },
      'POST /api/v2/pipelines/4/builds/12/pass': null,
    })
    await open()
    const note = await screen.findByRole('note', { name: /^Withheld from this build/ })
    for (const words of ['2 secrets', 'the credentials of harbour', 'the login of the artifact repository', 'Push'])
      expect(note.textContent).toContain(words)
    screen.getByText('7: main of a fork into main')
    screen.getByText(why)
    const panel = await screen.findByRole('region', { name: 'Reviews' })
    expect(panel.textContent).toContain('its author decides what runs')
    fireEvent.click(within(panel).getByRole('button', { name: 'Approve' }))
    const dialog = await screen.findByRole('dialog', { name: 'Approve build #12?' })
    fireEvent.click(await within(dialog).findByRole('button', { name: 'Approve' }))
    await waitFor(() => expect(sent.some((call) => call.path.endsWith('/builds/12/pass'))).toBe(true))
  })

  test('can be stopped while it runs, after a confirmation', async () => {
    server({
      'GET /api/v2/pipelines/4/builds/12': { ...build, state: 'building', endedAt: null },
      'POST /api/v2/pipelines/4/builds/12/stop': null,
    })
    await open()
    fireEvent.click(await screen.findByRole('button', { name: 'Stop' }))
    const dialog = await screen.findByRole('dialog', { name: 'Stop build #12?' })
    fireEvent.click(within(dialog).getByRole('button', { name: 'Stop' }))
    await screen.findByRole('list', { name: 'Stages' })
    expect(sent.some((call) => call.path.endsWith('/builds/12/stop'))).toBe(true)
  })

  test('that is queued explains why, agent by agent', async () => {
    server({
      'GET /api/v2/pipelines/4/builds/12': {
        ...build,
        state: 'queued',
        startedAt: null,
        endedAt: null,
        stages: [
          {
            name: 'Build',
            state: 'pending',
            gate: null,
            jobs: [],
            steps: [step(0, 'Get', 'pending', { startedAt: null, logLines: 0 })],
          },
        ],
      },
      'GET /api/v2/pipelines/4/queue': [
        {
          queueId: 99,
          number: 12,
          job: '',
          position: 3,
          queuedAt: at,
          reason: 'Position 3 in the queue',
          agents: [
            {
              name: 'north',
              reason: 'busy: 2 of 2 slots in use',
              builds: [{ pipelineId: 8, appId: 3, projectName: 'api', number: 5 }],
              others: 1,
            },
          ],
        },
        { queueId: 98, number: 11, job: '', position: 2, queuedAt: at, reason: 'Position 2 in the queue', agents: [] },
      ],
    })
    await open()
    const waiting = await screen.findByRole('region', { name: 'Waiting builds' })
    expect(waiting.textContent).toContain('Position 3 in the queue')
    expect(waiting.textContent).toContain('busy: 2 of 2 slots in use')
    expect(waiting.textContent).not.toContain('#11')
    const holder = within(waiting).getByRole('link', { name: 'api #5' })
    expect(holder.getAttribute('href')).toContain('/pipeline_group_id/3/pipeline_id/8/history/5/info')
    within(waiting).getByText('1 build of another team')
    screen.getByRole('button', { name: 'Cancel build' })
  })

  const field = {
    name: '',
    description: '',
    kind: 'text',
    required: false,
    values: [],
    pattern: '',
    defaultValue: '',
  }

  test('that waits for people shows for whom, and takes a decision with its values', async () => {
    const gate = {
      mode: 'approve',
      state: 'waiting',
      users: ['grace'],
      roles: ['release'],
      count: 2,
      parameters: { WHERE: 'staging', KEY: mask },
      secrets: ['KEY'],
      openedAt: at,
      until: null,
      decisions: [
        { name: 'lin', pass: true, reason: 'looks right', at, counts: true, parameters: { WHERE: 'staging' } },
        { name: 'hedy', pass: true, reason: '', at, counts: false, parameters: {} },
      ],
      obstacle: '',
      fields: [
        { ...field, name: 'WHERE', kind: 'choice', values: ['staging', 'production'], required: true },
        { ...field, name: 'KEY', kind: 'secret', defaultValue: mask },
      ],
      deploys: [{ stack: 'shop', service: 'web' }],
    }
    const stages = [build.stages[0], { ...build.stages[1], state: 'pending', gate }]
    server({
      'GET /api/v2/pipelines/4/builds/12': { ...build, state: 'waiting', endedAt: null, stages },
      'POST /api/v2/pipelines/4/builds/12/stages/Ship/decision': null,
    })
    await open()
    const panel = await screen.findByRole('region', { name: 'Ship' })
    expect(panel.textContent).toContain('Stage Ship needs approval (1 of 2)')
    expect(panel.textContent).toContain('By grace, release')
    const decisions = within(panel).getByRole('list', { name: 'Decisions: Ship' })
    expect(decisions.textContent).toContain('lin approved stage Ship')
    expect(decisions.textContent).toContain('WHERE=staging')
    expect(decisions.textContent).toContain('looks right')
    expect(decisions.textContent).toContain('no longer counts')
    const rail = screen.getByRole('list', { name: 'Stages' })
    expect(rail.querySelector('[data-state=needs-approval]')?.textContent).toBe('needs approval')
    press('Approve')
    const dialog = within(await screen.findByRole('dialog', { name: 'Approve stage Ship?' }))
    // a choice is a select field, and required
    await dialog.findByRole('combobox', { name: 'WHERE' })
    expect(dialog.getByLabelText(/^KEY/).getAttribute('type')).toBe('password')
    fireEvent.change(dialog.getByRole('textbox', { name: /^Reason/ }), { target: { value: 'it is time' } })
    fireEvent.click(dialog.getByRole('button', { name: 'Approve' }))
    await dialog.findByText('Enter a value')
    expect(sent.some((call) => call.path.endsWith('/decision'))).toBe(false)
    fireEvent.mouseDown(dialog.getByRole('combobox', { name: 'WHERE' }))
    fireEvent.click(await screen.findByTitle('production'))
    fireEvent.click(dialog.getByRole('button', { name: 'Approve' }))
    await screen.findByText('Stage Ship changes what others may use')
    const again = within(screen.getAllByRole('dialog').at(-1) ?? document.body)
    again.getByText('web in shop')
    expect(sent.some((call) => call.path.endsWith('/decision'))).toBe(false)
    fireEvent.click(again.getByRole('button', { name: 'Approve' }))
    await waitFor(() =>
      expect(sent.find((call) => call.path.endsWith('/decision'))?.body).toEqual({
        pass: true,
        reason: 'it is time',
        parameters: { WHERE: 'production', KEY: mask },
        expected: { WHERE: '', KEY: mask },
      }),
    )
  })

  test('that waits for people says why the user may not decide', async () => {
    const gate = {
      mode: 'approve',
      state: 'waiting',
      users: [],
      roles: [],
      count: 1,
      parameters: {},
      secrets: [],
      openedAt: at,
      until: null,
      decisions: [],
      obstacle: 'This build runs on your word',
      fields: [],
      deploys: [],
    }
    const stages = [build.stages[0], { ...build.stages[1], state: 'pending', gate }]
    server({ 'GET /api/v2/pipelines/4/builds/12': { ...build, state: 'waiting', endedAt: null, stages } })
    await open()
    const panel = await screen.findByRole('region', { name: 'Ship' })
    expect(panel.textContent).toContain('This build runs on your word')
    for (const name of ['Approve', 'Reject'])
      expect(within(panel).getByRole('button', { name }).getAttribute('aria-disabled')).toBe('true')
  })

  describe('after waiting', () => {
    const after = (second: number): string => new Date(Date.parse(at) + second * 1000).toISOString()
    const waited = {
      ...build,
      state: 'success',
      startedAt: after(372),
      endedAt: after(1000),
      waitedSeconds: 600,
      waits: [
        { for: 'review', stage: null, job: null, from: after(0), to: after(360) },
        { for: 'agent', stage: null, job: 0, from: after(360), to: after(372) },
        { for: 'approval', stage: 1, job: null, from: after(400), to: after(1000) },
      ],
    }
    const fact = (name: string) => screen.getByText(name, { selector: 'dt' }).nextElementSibling?.textContent

    test('shows its waits with their durations, and only its running time as its duration', async () => {
      server({ 'GET /api/v2/pipelines/4/builds/12': waited })
      await open()
      await screen.findByText('Waited', { selector: 'dt' })
      expect(fact('Waited')).toBe('6 min for review · 12 s for an agent · 10 min for approval')
      expect(fact('Duration')).toBe('28 s')
    })

    test('stops its clock while people are asked', async () => {
      const waiting = { ...waited, state: 'waiting', endedAt: null, askedAt: after(400), waitedSeconds: 0, waits: [] }
      server({ 'GET /api/v2/pipelines/4/builds/12': waiting })
      await open()
      await screen.findByText('Duration', { selector: 'dt' })
      expect(fact('Duration')).toBe('28 s')
    })

    test('shows its waits in the timeline', async () => {
      server({ 'GET /api/v2/pipelines/4/builds/12': waited })
      await open('?tab=timeline')
      const bars = await screen.findByRole('list', { name: 'Timeline' })
      const rows = within(bars)
        .getAllByRole('listitem')
        .map((row) => row.textContent)
      expect(rows[0]).toBe('Waited for review6 min')
      expect(rows[1]).toBe('Waited for an agent12 s')
      expect(rows).toContain('Waited for approval10 min')
    })
  })

  describe('with several attempts of a job', () => {
    const attempt = (n: number, state: 'failed' | 'success') =>
      ({
        job: 0,
        attempt: n,
        state,
        agentName: `north-${n}`,
        message: '',
        startedAt: at,
        endedAt: at,
        startsOver: false,
      }) as const
    const get = step(0, 'Get', 'success')
    const passed = {
      ...build,
      state: 'success',
      earlierSeconds: 3600,
      tests: null,
      attempts: [attempt(1, 'failed'), attempt(2, 'success')],
      stages: [{ ...build.stages[0], state: 'success', steps: [get, step(1, 'Compile', 'success')] }],
    }
    const first = { ...passed, stages: build.stages.slice(0, 1), tests: build.tests, artifactNum: 1 }
    const requests = (end: string) =>
      sent.filter((call) => call.path.endsWith(end)).map(({ query }) => `${query.get('job')}.${query.get('attempt')}`)
    const shows = async (path: string) => {
      await expect.poll(() => requests(path).at(-1)).toBe('0.1')
    }
    beforeEach(() => {
      server({
        'GET /api/v2/pipelines/4/builds/12': ({ query }: { query: URLSearchParams }) =>
          query.get('attempt') === '1' ? first : passed,
        'GET /api/v2/pipelines/4/builds/12/tests': { items: [], requestPage: 1, pageSize: 50, totalSize: 0 },
        'GET /api/v2/pipelines/4/builds/12/artifacts/tree': { items: [], requestPage: 1, pageSize: 50, totalSize: 0 },
      })
    })

    test('shows the latest attempt, and the selected one, in the address', async () => {
      const { at } = await open()
      const choice = await screen.findByRole('combobox', { name: 'Attempt' })
      screen.getByText('Attempt 2 of 2, success')
      expect(screen.queryByRole('heading', { name: /The step Compile failed/ })).toBeNull()
      screen.getByText('1 h')
      // by keyboard
      fireEvent.keyDown(choice, { key: 'ArrowDown', keyCode: 40 })
      fireEvent.keyDown(choice, { key: 'ArrowUp', keyCode: 38 })
      fireEvent.keyDown(choice, { key: 'Enter', keyCode: 13 })
      await screen.findByRole('heading', { name: /The step Compile failed/ })
      expect(at()).toContain('attempt=0.1')
      await shows('/logs')
    })

    test('shows the stages that were not run again, and the attempt in which they passed', async () => {
      const [stage] = build.stages
      const kept = { ...stage, name: 'Fetch', steps: [step(0, 'Get', 'success', { passedIn: 1 })] }
      const again = { ...stage, state: 'success', steps: [step(1, 'Compile', 'success')] }
      server({ 'GET /api/v2/pipelines/4/builds/12': { ...passed, stages: [kept, again] } })
      await open()
      const [first, second] = within(await screen.findByRole('list', { name: 'Stages' })).getAllByRole('heading')
      expect(first?.parentElement?.textContent).toContain('Passed in attempt 1, not run again')
      expect(second?.parentElement?.textContent).not.toContain('Passed in')
    })

    test('explains why an attempt began with the first stage', async () => {
      const over = { ...attempt(2, 'failed'), startsOver: true, message: 'The workspace is gone' }
      server({
        'GET /api/v2/pipelines/4/builds/12': {
          ...passed,
          attempts: [attempt(1, 'failed'), over, attempt(3, 'success')],
        },
      })
      await open()
      await screen.findByText('Attempt 3 of 3, success')
      screen.getByText('The workspace is gone')
    })

    test('shows log, tests and artifacts of the attempt in the address', async () => {
      const { at } = await open('?attempt=0.1')
      await screen.findByRole('heading', { name: /The step Compile failed/ })
      screen.getByText('Attempt 1 of 2, failed')
      screen.getByText(/north-1/)
      await shows('/logs')
      fireEvent.click(screen.getByRole('tab', { name: /^Tests 3/ }))
      await shows('/tests')
      fireEvent.click(screen.getByRole('tab', { name: /^Artifacts 1/ }))
      await shows('/tree')
      fireEvent.click(within(screen.getByRole('list', { name: 'Stages' })).getByRole('button', { name: /Get/ }))
      expect(at()).toContain('attempt=0.1')
    })
  })

  test('that does not exist is reported, and can be requested again', async () => {
    server({ 'GET /api/v2/pipelines/4/builds/12': refusal(404, 'resource-missing', 'There is no such build') })
    await open()
    await screen.findByText('There is no such build')
    screen.getByRole('button', { name: 'Try again' })
  })
})
