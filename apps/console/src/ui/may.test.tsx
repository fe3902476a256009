import { fireEvent, screen, waitFor } from '@testing-library/react'
import { clusters } from '@gantry/contract/clusters/clusters'
import { triggers } from '@gantry/contract/pipelines/triggers'
import { describe, expect, test, vi } from 'vitest'
import { openApp, server, signedIn, useConsole } from '../../test/app.tsx'
import { permissions } from '../api/permissions.ts'
import { Button, type ButtonProps } from './button.tsx'
import { to } from './link.tsx'

useConsole()

const grant = (...names: string[]) => permissions.set(names.map((name) => ({ name, enable: true })))

async function lockOf(needs: NonNullable<ButtonProps['needs']>): Promise<string> {
  server({})
  const onClick = vi.fn()
  const Page = () => (
    <Button needs={needs} onClick={onClick}>
      Save
    </Button>
  )
  await openApp('/here', [
    { name: 'here', path: '/here', page: () => Promise.resolve(Page) },
    {
      name: 'cd-create',
      path: '/teams/$team_id/cd/create',
      needs: 'pipeline_pipeline_create',
      page: () => Promise.resolve(Page),
    },
    {
      name: 'cluster-add',
      path: '/teams/$team_id/resourcemanager/cluster/add-environments-new',
      access: 'admin',
      page: () => Promise.resolve(Page),
    },
  ])
  const button = await screen.findByRole('button', { name: 'Save' })
  fireEvent.click(button)
  const isOpen = button.getAttribute('aria-disabled') !== 'true'
  expect(onClick).toHaveBeenCalledTimes(isOpen ? 1 : 0)
  if (isOpen) return ''
  fireEvent.focus(button)
  await waitFor(() => expect(screen.getByRole('tooltip').textContent).not.toBe(''))
  return screen.getByRole('tooltip').textContent
}

describe('a button is disabled', () => {
  test('for the first missing permission of its call', async () => {
    signedIn()
    grant('pipeline_pipeline_edit', 'pipeline_pipeline_view')
    expect(await lockOf(triggers.create)).toContain('“Start and stop builds”')
  })

  test('for no permission if the user has all of its call', async () => {
    signedIn()
    grant('pipeline_pipeline_edit', 'pipeline_pipeline_view', 'pipeline_build_execute')
    expect(await lockOf([triggers.create, triggers.list])).toBe('')
  })

  test('for all but administrators if its call is theirs', async () => {
    signedIn()
    grant('resource_cluster_view')
    expect(await lockOf(clusters.create)).toBe('Only administrators can do this')
  })

  test('for a permission that the screen which it opens needs', async () => {
    signedIn()
    grant('pipeline_pipeline_view')
    expect(await lockOf(to('cd-create'))).toContain('Create pipelines')
  })

  test('if it opens a screen for administrators', async () => {
    signedIn()
    grant('resource_cluster_view')
    expect(await lockOf(to('cluster-add'))).toBe('Only administrators can do this')
  })
})

test('a permission instead of a call is a type error', () => {
  // @ts-expect-error -- nobody checks a string against what the server asks for
  const props: ButtonProps = { needs: 'pipeline_pipeline_edit' }
  expect(props.needs).toBe('pipeline_pipeline_edit')
})
