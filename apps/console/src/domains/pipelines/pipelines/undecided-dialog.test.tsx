import type { DeployedService } from '@gantry/contract/stacks/revisions/deployments'
import { screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { openPage, press, sent, server, signedIn, useConsole } from '../../../../test/app.tsx'
import { permissions } from '../../../api/permissions.ts'
import { UndecidedDialog } from './undecided-dialog.tsx'

useConsole()

const service: DeployedService = {
  id: 9,
  name: 'web',
  type: 'Deployment',
  state: 'upgraded',
  revision: 3,
  envId: 'e1',
  stackId: 5,
  stackUuid: 'u-5',
  stackName: 'shop',
}
const writes = () => sent.filter(({ method, path }) => method === 'POST' && path.endsWith('/service/9'))

test('an upgrade is decided before a build only after a confirmation, and then disappears from the list', async () => {
  signedIn()
  permissions.set([{ name: 'stack_service_operate', enable: true }])
  const teamId = 1
  server({
    [`GET /orchestration/api/${teamId}/pipelines/4/undecided`]: () => (writes().length === 0 ? [service] : []),
    [`POST /orchestration/api/${teamId}/env/e1/service/9`]: {},
  })
  await openPage(() => (
    <UndecidedDialog
      pipeline={{ id: 4, appId: 2, projectName: 'lights' }}
      services={[service]}
      start={() => undefined}
      onClose={() => undefined}
    />
  ))
  await screen.findByText('shop / web')
  press('Roll back')
  await waitFor(() => expect(screen.getAllByRole('dialog')).toHaveLength(2))
  expect(writes()).toEqual([])
  const question = within(screen.getAllByRole('dialog').at(-1) ?? document.body)
  question.getByRole('button', { name: 'Roll back' }).click()
  await screen.findByRole('button', { name: 'Run' })
  expect(writes().map(({ query }) => query.get('action'))).toEqual(['rollBack'])
  expect(screen.queryByText('shop / web')).toBeNull()
})
