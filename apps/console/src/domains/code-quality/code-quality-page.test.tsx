import { screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { openPage, press, sent, server, signedIn, type, useConsole } from '../../../test/app.tsx'
import { CodeQualityPage } from './code-quality-page.tsx'

useConsole()

const stored = { url: 'https://sonar.example.com', token: '********', revision: 4 }

test('shows the version of the code quality server, and saves it at the revision that was read', async () => {
  signedIn({ admin: true })
  server({
    'GET /api/sonarqubes': stored,
    'GET /api/sonarqubes/version': { version: '9.9.0' },
    'PUT /api/sonarqubes': { ...stored, revision: 5 },
  })
  await openPage(() => <CodeQualityPage />)
  await screen.findByText('It answers, with version 9.9.0')
  type(/^Address/, 'https://other.example.com')
  press('Save')
  await waitFor(() =>
    expect(sent.find((one) => one.method === 'PUT')?.body).toEqual({ ...stored, url: 'https://other.example.com' }),
  )
})

test('without a server there is an empty form and no request for its version', async () => {
  signedIn({ admin: true })
  server({ 'GET /api/sonarqubes': null })
  await openPage(() => <CodeQualityPage />)
  await screen.findByLabelText(/^Address/)
  expect(sent.some((one) => one.path.endsWith('/version'))).toBe(false)
})
