import { builds } from '@gantry/contract/pipelines/builds'
import { definitions } from '@gantry/contract/pipelines/editing/definitions'
import { groups } from '@gantry/contract/pipelines/groups'
import { roles } from '@gantry/contract/teams/roles'
import { teams } from '@gantry/contract/teams/teams'
import { beforeAll, test } from 'vitest'
import { eventually } from '@gantry/waiting/eventually'
import { patient } from './builds.ts'
import { newUser } from './product.ts'
import { stories } from './story.ts'

/** A shell in a running step, and in the workspace that a failed job has kept. */

stories('build terminal', (suite, { language, width }) => {
  const leader = `sh-${language}-${width}`
  const member = `shr-${language}-${width}`
  let place = ''
  let stop = async (): Promise<unknown> => null
  beforeAll(async () => {
    const { product } = suite()
    const { admin } = product
    const { id: teamId } = await admin.call(teams.create, { body: { name: `shells-${language}-${width}` } })
    await newUser(product, leader, { teamId, roleId: 'leader' })
    const { id: appId } = await admin.call(groups.create, { params: { teamId }, body: { name: 'shop' } })
    const { id } = await admin.call(definitions.create, {
      body: {
        appId,
        projectName: 'web',
        definition: {
          stages: [
            {
              name: 'test',
              keepsWorkspace: true,
              steps: [
                { type: 'script', name: 'wait', run: 'echo left > found.txt; test -e fast || sleep 300; exit 1' },
              ],
            },
          ],
        },
      },
    })
    const role = await admin.call(roles.create, {
      params: { teamId },
      query: { roleName: 'reader', template: 'viewer' },
    })
    await newUser(product, member, { teamId, roleId: role.id })
    place = `/teams/${teamId}/cd/pipeline_group_id/${appId}/pipeline_id/${id}`
    const { number } = await admin.call(builds.trigger, { params: { id }, body: {} })
    stop = () => admin.call(builds.stop, { params: { id, number } })
    await eventually(
      () => admin.call(builds.get, { params: { id, number } }),
      ({ stages }) => stages[0]?.steps[0]?.state === 'building',
      patient,
    )
  })

  test('a leader types into a running step, and closes the terminal', async () => {
    const { page, say, check } = await suite().enter(leader)
    await page.goto(`${place}/history/1/info?tab=terminal`)
    await page.getByText(say('pipelines-ui-terminal-about', { minutes: 30 })).waitFor()
    await check()
    await page.getByRole('button', { name: say('pipelines-ui-terminal-open') }).click()
    const terminal = page.getByRole('group', { name: say('pipelines-ui-terminal-in', { name: 'test' }) })
    await terminal.waitFor()
    await terminal.getByRole('textbox').focus()
    await page.keyboard.type('cat found.txt; echo done$((1+1))\n')
    await terminal.getByText('done2').first().waitFor()
    await terminal.getByText('left').first().waitFor()
    await page
      .getByText(say('pipelines-ui-terminal-left', { time: '' }).trim())
      .first()
      .waitFor()
    await check()
    await page.getByRole('button', { name: say('pipelines-ui-terminal-close') }).click()
    await page.getByText(say('pipelines-ui-terminal-about', { minutes: 30 })).waitFor()
    await stop()
  })

  test('a user who may not open terminals sees the missing permission', async () => {
    const { page, say, check } = await suite().enter(member)
    await page.goto(`${place}/history/1/info?tab=terminal`)
    await page.getByText(say('permission.pipeline_terminal_execute')).first().waitFor()
    await check()
  })
})
