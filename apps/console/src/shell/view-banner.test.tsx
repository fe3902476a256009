import { screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { ada, openPage, press, sent, server, signedIn, useConsole } from '../../test/app.tsx'
import { ViewBanner } from './view-banner.tsx'

useConsole()

const seen = { ...ada, viewAs: { teamId: 1, roleId: 4, roleName: 'dev' }, teams: [...ada.teams].slice(0, 1) }

test('a banner shows that the user views the team as a role, and ends the view', async () => {
  signedIn(seen)
  server({ 'PUT /api/teams/1/view-as': null, 'POST /api/users/refresh': ada })
  await openPage(ViewBanner)
  expect(screen.getByRole('status').textContent).toContain('You are viewing the team default as the role dev.')
  press('Stop viewing as dev')
  await waitFor(() => expect(screen.queryByRole('status')).toBeNull())
  expect(sent.find(({ method }) => method === 'PUT')?.body).toEqual({ roleId: 0 })
})

test('without a view there is no banner', async () => {
  signedIn()
  await openPage(ViewBanner)
  expect(screen.queryByRole('status')).toBeNull()
})
