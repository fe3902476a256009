import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { teams } from '@gantry/contract/teams/teams'
import { beforeAll, test } from 'vitest'
import { stories } from './story.ts'

/** An administrator adds a cluster by its kubeconfig: refused with the reason, then taken, given to a team, and forgotten. */

stories(
  'clusters',
  (theatre, { language }) => {
    let teamId = 0
    beforeAll(async () => {
      ;({ id: teamId } = await theatre().product.admin.call(teams.create, { body: { name: `team-${language}` } }))
    })

    test('listed, refused, added, limited, forgotten', async () => {
      const { product, enter } = theatre()
      const sandbox = readFileSync(join(product.data, 'sandbox/kubeconfig'), 'utf8')
      const story = await enter('admin')
      const { page, say, press, write, pick, check } = story
      const dialog = page.getByRole('dialog')
      const button = (name: string) => page.getByRole('button', { name, exact: true })
      await page.goto(`/teams/${teamId}/resourcemanager/cluster`)
      await page.getByRole('link', { name: 'sandbox' }).waitFor()
      await check()
      await press(button(say('clusters-ui-add')))
      await page.getByRole('heading', { level: 1, name: say('route-cluster-add') }).waitFor()
      await write(page.getByLabel(say('clusters-ui-name')), `edge-${language}`)
      await write(page.getByLabel(say('clusters-ui-kubeconfig')), 'kind: Config')
      await press(button(say('clusters-ui-add-check')))
      await page.locator('.ant-form-item-explain-error').first().waitFor()
      await check()
      await write(page.getByLabel(say('clusters-ui-kubeconfig')), sandbox.replace(/127\.0\.0\.1:\d+/, '127.0.0.1:1'))
      await press(button(say('clusters-ui-add-check')))
      await page
        .getByText(say('kube-refused', { server: '127.0.0.1:1' }))
        .first()
        .waitFor()
      await check()
      await write(page.getByLabel(say('clusters-ui-kubeconfig')), sandbox.replace('127.0.0.1', 'localhost'))
      await press(button(say('clusters-ui-add-check')))
      await page.getByRole('heading', { level: 1, name: `edge-${language}` }).waitFor()
      await page.getByText(say('state-healthy'), { exact: true }).first().waitFor()
      await check()

      await pick(button(say('ui-actions-of', { name: `team-${language}` })), say('clusters-ui-quota-set'))
      await write(dialog.getByLabel(say('stacks-ui-cpu')), '4')
      await check()
      await page.keyboard.press('Enter')
      await dialog.waitFor({ state: 'hidden' })
      await pick(button(say('ui-actions-of', { name: `edge-${language}` })), say('ui-delete'))
      await dialog.getByText(say('clusters-ui-delete-text')).waitFor()
      await check()
      await write(dialog.getByRole('textbox'), 'OK')
      await page.keyboard.press('Enter')
      await dialog.waitFor({ state: 'hidden' })
      await page.getByRole('link', { name: 'sandbox' }).waitFor()
      await story.end(/resource-manager\/api\/environments/)
    })
  },
  { GANTRY_OUTBOUND_ALLOW: '127.0.0.0/8,::1/128' },
)
