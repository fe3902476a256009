import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { beforeEach, describe, expect, test } from 'vitest'
import type { Review } from '@gantry/contract/pipelines/reviews'
import { openPage, refusal, sent, server, signedIn, useConsole } from '../../../../test/app.tsx'
import { permissions } from '../../../api/permissions.ts'
import { ReviewPanel } from './review-panel.tsx'

useConsole()

const review = (change: Partial<Review> = {}): Review => ({
  number: 7,
  round: 1,
  state: 'waiting',
  cause: 'webhook',
  requestedBy: 'grace',
  requestedAt: '2026-01-01T00:00:00Z',
  branch: 'main',
  tag: '',
  needed: 2,
  votes: [{ name: 'hedy', pass: true, reason: 'fine', at: '2026-01-01T00:00:00Z' }],
  obstacle: '',
  fork: false,
  ...change,
})
const shows = (...items: Review[]) =>
  server({
    'GET /api/v2/pipelines/4/trigger/audit/log': { items, requestPage: 1, pageSize: 10, totalSize: items.length },
  })
const open = () =>
  openPage(() => (
    <ReviewPanel pipeline={{ id: 4, appId: 2 }} build={{ number: 7, state: 'waiting', mergeRequest: null }} />
  ))
const button = (name: string) => screen.findByRole('button', { name })

beforeEach(() => {
  signedIn()
  permissions.set([{ name: 'pipeline_review_operate', enable: true }])
  server({ 'POST /api/tickets': refusal(404, 'resource-missing', 'no push here') })
})

describe('the review of a build, on its page', () => {
  test('shows its state, and takes a decision with its reason', async () => {
    shows(review())
    server({ 'POST /api/v2/pipelines/4/trigger/audit': null })
    await open()
    await screen.findByText('This build waits for its review: 1 of 2 approved')
    screen.getByText('hedy approved')
    fireEvent.click(await button('Reject'))
    const dialog = within(await screen.findByRole('dialog'))
    fireEvent.change(await dialog.findByLabelText(/Reason/), { target: { value: 'not on a Friday' } })
    fireEvent.click(dialog.getByRole('button', { name: 'Reject' }))
    await waitFor(() =>
      expect(sent.find(({ method, path }) => method === 'POST' && path.endsWith('/audit'))?.body).toEqual({
        number: 7,
        pass: false,
        reason: 'not on a Friday',
      }),
    )
  })

  test('shows the reviews before its retries, with their reasons', async () => {
    const votes = [{ name: 'lin', pass: false, reason: 'not on a Friday', at: '2026-01-01T00:00:00Z' }]
    shows(review({ round: 2, votes: [] }), review({ state: 'rejected', votes }))
    await open()
    const earlier = within(await screen.findByRole('region', { name: 'Reviews of this build' }))
    earlier.getByText('lin rejected')
    earlier.getByText('not on a Friday')
    screen.getByText('This build waits for its review: 0 of 2 approved')
  })

  test('says why the user may not decide', async () => {
    shows(review({ obstacle: 'You started build #7. Someone else has to review it.' }))
    await open()
    expect((await screen.findAllByText(/Someone else has to review it/)).length).toBeGreaterThan(0)
    expect((await button('Approve')).getAttribute('aria-disabled')).toBe('true')
  })

  test('shows on the page of a decided build who decided, when and why', async () => {
    const votes = [{ name: 'lin', pass: false, reason: 'not on a Friday', at: '2026-01-01T00:00:00Z' }]
    shows(review({ state: 'rejected', votes }))
    await openPage(() => (
      <ReviewPanel pipeline={{ id: 4, appId: 2 }} build={{ number: 7, state: 'aborted', mergeRequest: null }} />
    ))
    const decided = within(await screen.findByRole('region', { name: 'Reviews of this build' }))
    decided.getByText('lin rejected')
    decided.getByText('not on a Friday')
    expect(screen.queryByRole('button', { name: 'Approve' })).toBeNull()
  })
})
