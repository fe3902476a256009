import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import type { Decision } from '@gantry/contract/decisions/decisions'
import { beforeEach, expect, test } from 'vitest'
import { openPage, refusal, sent, server, signedIn, useConsole } from '../../../test/app.tsx'
import { DecisionList } from './decision-list.tsx'
import { MailSection } from './mail-section.tsx'

useConsole()

const env = '11111111-2222-3333-4444-555555555555'
const common = {
  text: '',
  team: { id: 1, name: 'default' },
  by: 'grace',
  since: '2026-01-02T03:04:05Z',
  until: null,
  path: '/somewhere',
}
const upgrade = (more: { step?: boolean } = {}): Decision => ({
  ...common,
  kind: 'upgrade',
  key: 'upgrade 5 2',
  text: 'The upgrade of web in shop is ready: confirm it or roll it back',
  teamId: 1,
  envId: env,
  serviceId: 5,
  name: 'web',
  step: false,
  ...more,
})
const shows = (...items: Decision[]) =>
  server({ 'GET /api/decisions': { items, requestPage: 1, pageSize: 20, totalSize: items.length } })
const opened = async () => {
  await openPage(() => <DecisionList />)
  return within(await screen.findByRole('region', { name: 'Waiting for you' }))
}
const requests = (end: string) => sent.filter(({ method, path }) => method !== 'GET' && path.includes(end))

beforeEach(() => {
  signedIn({ admin: true })
  server({ 'POST /api/tickets': refusal(404, 'resource-missing', 'no push here') })
})

test('an upgrade is confirmed or rolled back after the same confirmation as on its own screen', async () => {
  shows(upgrade())
  const list = await opened()
  fireEvent.click(list.getByRole('button', { name: 'Roll back' }))
  const dialog = within(await screen.findByRole('dialog', { name: /Roll back/ }))
  fireEvent.click(dialog.getByRole('button', { name: 'Roll back' }))
  await waitFor(() => expect(requests('/service/5').map(({ query }) => query.get('action'))).toEqual(['rollBack']))
})

test('a gray deployment’s step is continued, or the deployment is cancelled', async () => {
  shows(upgrade({ step: true }))
  const list = await opened()
  fireEvent.click(list.getByRole('button', { name: 'Go on to the next step' }))
  await waitFor(() => expect(requests('gray_deploy/next')).toHaveLength(1))
  list.getByRole('button', { name: 'Cancel upgrade' })
})

test('the services that a release deletes are read before the confirmation', async () => {
  shows({ ...common, kind: 'release', key: 'release 3', teamId: 1, envId: env, stackName: 'shop' })
  server({
    [`GET /orchestration/api/1/env/${env}/stacks/shop/release`]: {
      version: '2.0',
      made: [],
      removed: ['cache'],
    },
  })
  const list = await opened()
  fireEvent.click(list.getAllByRole('button')[0] as HTMLElement)
  expect((await screen.findByRole('dialog')).textContent).toContain('cache')
})

test('a registration is approved at once; a cluster is inspected first', async () => {
  shows(
    { ...common, kind: 'account', key: 'account 9', team: null, userId: 9, name: 'hedy' },
    { ...common, kind: 'cluster', key: 'cluster x', team: null, text: 'Another cluster answers' },
  )
  const list = await opened()
  const [approve, ...others] = list.getAllByRole('button')
  expect(others).toEqual([])
  fireEvent.click(approve as HTMLElement)
  await waitFor(() =>
    expect(requests('/api/users/9/approve').map(({ query }) => query.get('enable'))).toEqual(['true']),
  )
  list.getByRole('link', { name: 'Another cluster answers' })
})

test('without pending decisions there is no list', async () => {
  shows()
  const { container } = await openPage(() => <DecisionList />)
  await waitFor(() => expect(sent.some(({ path }) => path === '/api/decisions')).toBe(true))
  expect(within(container).queryByRole('region', { name: 'Waiting for you' })).toBeNull()
})

test('mails are switched on in the profile, which says why none would arrive', async () => {
  let on = false
  server({
    'GET /api/decisions/mail': () => ({ on, obstacle: 'No mail server is set up.' }),
    'PUT /api/decisions/mail': () => {
      on = true
      return null
    },
  })
  await openPage(() => <MailSection />)
  await screen.findByText('No mail server is set up.')
  fireEvent.click(await screen.findByRole('switch', { name: 'Mail me when a decision waits for me' }))
  await waitFor(() => expect(requests('/api/decisions/mail').map(({ body }) => body)).toEqual([{ on: true }]))
  await waitFor(() => expect(screen.getByRole('switch').getAttribute('aria-checked')).toBe('true'))
})
