import { screen, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { openApp, sent, server, signedIn, useConsole } from '../../../../test/app.tsx'
import { pipeline } from '../../../../test/pipelines.ts'
import { routes } from '../routes.tsx'

useConsole()

const list = { items: [], requestPage: 1, pageSize: 10, totalSize: 0 }

test.for([
  ['with a repository', { parameters: [], repository: { url: 'https://git.test/lights.git', branch: 'main' } }],
  ['with nothing to choose', { parameters: [], repository: null }],
] as const)(
  'an address that requests a run of a pipeline %s starts nothing before a confirmation',
  async ([, settings]) => {
    signedIn({ admin: true })
    server({
      'GET /api/v2/pipelines/4': pipeline(),
      'GET /api/v2/pipelines/4/builds': list,
      'GET /api/v2/pipelines/4/queue': [],
      'GET /api/projects/2/pipelines/4/setting': settings,
    })
    const { at } = await openApp('/teams/1/cd/pipeline_group_id/2/pipeline_id/4/history?do=run', routes)
    const dialog = await screen.findByRole('dialog')
    expect(within(dialog).getByRole('button', { name: 'Run' })).toBeTruthy()
    expect(at()).not.toContain('do=')
    expect(sent.filter(({ method, path }) => method !== 'GET' && path !== '/api/tickets')).toEqual([])
  },
)
