import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { decisions, type Decision } from '@gantry/contract/decisions/decisions'
import { notifications, type Notification } from '@gantry/contract/notifications/notifications'
import { beforeEach, expect, test, vi } from 'vitest'
import { queryClient } from '../../api/queries.ts'
import { showing } from '../../api/notices.ts'
import { openPage, press, sent, server, signedIn, useConsole } from '../../../test/app.tsx'
import { Bell } from './bell.tsx'

vi.mock('../../api/push.ts', () => ({
  createPush: () => ({ subscribe: () => () => undefined, close: () => undefined }),
}))

useConsole()

const one = (id: number, more: Partial<Notification> = {}): Notification => ({
  id,
  kind: 'build',
  tone: 'bad',
  text: `web #${id} failed`,
  teamId: 1,
  teamName: 'default',
  target: {
    route: 'cd-build-info',
    params: { team_id: 1, pipeline_group_id: 2, pipeline_id: 3, build_number: id },
  },
  createdAt: '2026-01-02T03:04:05Z',
  read: false,
  ...more,
})

let items: Notification[]
let waits: Decision[]
const waiting = (number: number): Decision => ({
  kind: 'review',
  key: `review ${number}`,
  text: `web #${number} needs a review before it begins`,
  team: { id: 2, name: 'payments' },
  by: 'grace',
  since: '2026-01-02T03:04:05Z',
  until: null,
  path: `/teams/2/cd/pipeline_group_id/2/pipeline_id/3/history/${number}/info`,
  pipelineId: 3,
  number,
})
const marked = () => sent.filter(({ path }) => path === '/api/notifications/read').map(({ body }) => body)

beforeEach(() => {
  signedIn()
  items = [one(3), one(2, { teamId: 2, teamName: 'payments' }), one(1, { read: true })]
  waits = []
  server({
    'GET /api/decisions': () => ({ items: waits, requestPage: 1, pageSize: 20, totalSize: waits.length }),
    'POST /api/v2/pipelines/3/trigger/audit': () => {
      waits = waits.slice(1)
      return null
    },
    'GET /api/notifications': () => ({
      items,
      requestPage: 1,
      pageSize: 20,
      totalSize: items.length,
      unread: items.filter(({ read }) => !read).length,
    }),
    'PUT /api/notifications/read': null,
  })
})

const arrive = async (...more: Notification[]) => {
  items = [...more, ...items]
  await act(() => queryClient.invalidateQueries({ queryKey: [notifications.list.method, notifications.list.path] }))
}

test('counts unread notifications, and lists them with a link and the other team’s name', async () => {
  await openPage(Bell)
  press(await screen.findByRole('button', { name: 'Notifications, 2 unread' }).then(() => 'Notifications, 2 unread'))
  const link = await screen.findByRole('link', { name: 'web #3 failed' })
  expect(link.getAttribute('href')).toBe('/teams/1/cd/pipeline_group_id/2/pipeline_id/3/history/3/info')
  const rows = screen.getAllByRole('listitem')
  expect(rows.map((row) => row.textContent.includes('in team'))).toEqual([false, true, false])
  expect(within(rows[2] as HTMLElement).queryByRole('button', { name: 'Mark as read' })).toBeNull()
})

test('one or all are marked as read', async () => {
  await openPage(Bell)
  press(await screen.findByRole('button', { name: 'Notifications, 2 unread' }).then(() => 'Notifications, 2 unread'))
  const [first] = await screen.findAllByRole('button', { name: 'Mark as read' })
  act(() => first?.click())
  await waitFor(() => expect(marked()).toEqual([{ ids: [3] }]))
  press('Mark all as read')
  await waitFor(() => expect(marked()).toEqual([{ ids: [3] }, {}]))
})

test('a new notification is shown over the page once; errors were shown already', async () => {
  await openPage(Bell)
  await screen.findByRole('button', { name: 'Notifications, 2 unread' })
  expect(showing.get()).toEqual([])
  await arrive(one(5), one(4, { kind: 'error', text: 'The name web is taken', target: null }))
  await waitFor(() => expect(showing.get().map(({ text }) => text)).toEqual(['web #5 failed']))
  await arrive()
  expect(showing.get()).toHaveLength(1)
})

test('an empty bell says what it will list', async () => {
  items = []
  await openPage(Bell)
  press(
    await screen.findByRole('button', { name: 'Notifications, none unread' }).then(() => 'Notifications, none unread'),
  )
  expect(await screen.findByText('Nothing yet')).toBeTruthy()
})

test('pending decisions are counted in the badge and the tab, listed above notifications, and decided there', async () => {
  waits = [waiting(8), waiting(7)]
  await openPage(Bell)
  const name = 'Notifications, 2 unread, 2 decisions waiting for you'
  press(await screen.findByRole('button', { name }).then(() => name))
  await waitFor(() => expect(document.title).toMatch(/^\(2\) /))
  const list = within(await screen.findByRole('region', { name: 'Waiting for you' }))
  expect(list.getByRole('link', { name: /web #8/ }).getAttribute('href')).toBe(waits[0]?.path)
  expect(list.getAllByRole('listitem')[0]?.textContent).toMatch(/asked by grace.*in team payments/)
  act(() => list.getAllByRole('button', { name: 'Approve' })[0]?.click())
  // its heading has the popover's id here, because the components of a test share one id
  const dialog = within(await screen.findByRole('dialog'))
  dialog.getByText('Approve build #8?')
  fireEvent.change(await dialog.findByLabelText(/Reason/), { target: { value: 'fine' } })
  act(() => dialog.getByRole('button', { name: 'Approve' }).click())
  await waitFor(() =>
    expect(sent.find(({ path }) => path.endsWith('/trigger/audit'))?.body).toEqual({
      number: 8,
      pass: true,
      reason: 'fine',
    }),
  )
  await screen.findByRole('button', { name: 'Notifications, 2 unread, 1 decision waiting for you' })
  await waitFor(() => expect(document.title).toMatch(/^\(1\) /))
})

test('without pending decisions, the tab has no number and the bell no list', async () => {
  await openPage(Bell)
  press(await screen.findByRole('button', { name: 'Notifications, 2 unread' }).then(() => 'Notifications, 2 unread'))
  await screen.findByRole('link', { name: 'web #3 failed' })
  expect(screen.queryByRole('region', { name: 'Waiting for you' })).toBeNull()
  expect(document.title).not.toMatch(/^\(/)
})

test('a decision made by another user disappears from the list', async () => {
  waits = [waiting(8)]
  await openPage(Bell)
  await screen.findByRole('button', { name: /1 decision waiting/ })
  waits = []
  await act(() => queryClient.invalidateQueries({ queryKey: [decisions.list.method, decisions.list.path] }))
  await screen.findByRole('button', { name: 'Notifications, 2 unread' })
})
