import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { teams } from '@gantry/contract/teams/teams'
import { beforeAll, test } from 'vitest'
import { parse, stringify } from 'yaml'
import { stories } from './story.ts'

/** An administrator joins clusters, keeps them and lets them go. The sandbox stands for a cluster of somebody's own. */

interface Kubeconfig {
  clusters: { cluster: { server: string } }[]
  users: { user: { token: string } }[]
  contexts: { name: string; context: object }[]
}

stories(
  'clusters',
  (theatre, { language }) => {
    const name = `edge-${language}`
    const teamName = `team-${language}`
    let teamId = 0
    /** The sandbox by another name: to the product it is a cluster like any other. */
    let kubeconfig = ''
    let server = ''
    let token = ''
    beforeAll(async () => {
      const { product } = theatre()
      ;({ id: teamId } = await product.admin.call(teams.create, { body: { name: teamName } }))
      kubeconfig = readFileSync(join(product.data, 'sandbox/kubeconfig'), 'utf8').replace('127.0.0.1', 'localhost')
      const { clusters, users } = parse(kubeconfig) as Kubeconfig
      server = clusters[0]?.cluster.server ?? ''
      token = users[0]?.user.token ?? ''
    })

    test('listed, refused, added, limited, forgotten', async () => {
      const story = await theatre().enter('admin')
      const { page, say, press, write, pick, check } = story
      const dialog = page.getByRole('dialog')
      const button = (label: string) => page.getByRole('button', { name: label, exact: true })
      await page.goto(`/teams/${teamId}/resourcemanager/cluster`)
      await page.getByRole('link', { name: 'sandbox' }).waitFor()
      await check()
      await press(button(say('clusters-ui-add')))
      await page.getByRole('heading', { level: 1, name: say('route-cluster-add') }).waitFor()
      await write(story.field(say('clusters-ui-name')), name)
      await write(story.field(say('clusters-ui-kubeconfig')), 'kind: Config')
      await press(button(say('clusters-ui-add-check')))
      await page.locator('.ant-form-item-explain-error').first().waitFor()
      await check()
      await write(story.field(say('clusters-ui-kubeconfig')), kubeconfig.replace(/localhost:\d+/, '127.0.0.1:1'))
      await press(button(say('clusters-ui-add-check')))
      await page
        .getByText(say('kube-refused', { server: '127.0.0.1:1' }))
        .first()
        .waitFor()
      await write(story.field(say('clusters-ui-kubeconfig')), kubeconfig)
      await press(button(say('clusters-ui-add-check')))
      await page.getByRole('heading', { level: 1, name }).waitFor()
      await page.getByText(say('state-healthy'), { exact: true }).first().waitFor()
      await check()

      await press(page.getByRole('tab', { name: say('clusters-ui-tab-overview') }))
      await press(button(say('clusters-ui-check')))
      await page.getByRole('list', { name: say('clusters-ui-rights') }).waitFor()
      await check()
      await openTab(say('clusters-ui-quotas'))
      await pick(button(say('ui-actions-of', { name: teamName })), say('clusters-ui-quota-set'))
      await write(dialog.getByLabel(say('stacks-ui-cpu')), '4')
      await check()
      await page.keyboard.press('Enter')
      await dialog.waitFor({ state: 'hidden' })
      await pick(button(say('ui-actions-of', { name })), say('ui-delete'))
      await dialog.getByText(say('clusters-ui-delete-text')).waitFor()
      await check()
      await write(dialog.getByRole('textbox'), 'OK')
      await page.keyboard.press('Enter')
      await dialog.waitFor({ state: 'hidden' })
      await page.getByRole('link', { name: 'sandbox' }).waitFor()
      await story.end(/resource-manager\/api\/environments/)

      /** Arrows move through the tabs. */
      async function openTab(label: string) {
        const tab = page.getByRole('tab', { name: label, exact: true })
        for (let step = 0; step < 10 && (await tab.getAttribute('aria-selected')) !== 'true'; step++)
          await page.locator('[role=tab][aria-selected=true]').press('ArrowRight')
        await page.getByRole('tabpanel', { name: label }).waitFor()
      }
    })

    test('by a token: wrong credentials are named, the rights are listed, it is renamed, assigned and emptied', async () => {
      const story = await theatre().enter('admin')
      const { page, say, press, write, pick, check, reach } = story
      const dialog = page.getByRole('dialog')
      const button = (label: string) => page.getByRole('button', { name: label, exact: true })
      await page.goto(`/teams/${teamId}/resourcemanager/cluster/add-environments-new`)
      await write(story.field(say('clusters-ui-name')), name)
      await reach(page.getByRole('radio', { name: say('clusters-ui-way-kubeconfig') }))
      await page.keyboard.press('ArrowRight')
      await write(story.field(say('clusters-ui-server')), server)
      await write(story.field(say('clusters-ui-token')), 'wrong')
      await press(button(say('clusters-ui-check')))
      await page.getByText(say('clusters-credentials-refused', { server: new URL(server).host })).waitFor()
      await check()
      await write(story.field(say('clusters-ui-token')), token)
      await press(button(say('clusters-ui-check')))
      await page.getByRole('list', { name: say('clusters-ui-rights') }).waitFor()
      await page.getByText(say('clusters-right-stacks')).waitFor()
      await check()
      await press(button(say('clusters-ui-add-check')))
      await page.getByRole('heading', { level: 1, name }).waitFor()

      await pick(button(say('ui-actions-of', { name })), say('ui-edit'))
      await write(dialog.getByLabel(say('clusters-ui-name')), `${name}-2`)
      await check()
      await press(dialog.getByRole('button', { name: say('ui-save') }))
      await dialog.waitFor({ state: 'hidden' })
      await page.getByRole('heading', { level: 1, name: `${name}-2` }).waitFor()

      await page.goto(`${page.url().split('?')[0]}?tab=teams`)
      await pick(button(say('ui-actions-of', { name: teamName })), say('clusters-ui-unassign'))
      await press(dialog.getByRole('button', { name: say('clusters-ui-unassign') }))
      await page.getByText(say('clusters-ui-teams-none-memo')).waitFor()
      await check()
      await press(button(say('clusters-ui-assign')))
      await write(dialog.getByRole('combobox'), teamName)
      await page.locator('.ant-select-item-option-active').filter({ hasText: teamName }).waitFor()
      await page.keyboard.press('Enter')
      await page.keyboard.press('Escape')
      await press(dialog.getByRole('button', { name: say('clusters-ui-assign') }))
      await dialog.waitFor({ state: 'hidden' })
      await button(say('ui-actions-of', { name: teamName })).waitFor()

      await pick(button(say('ui-actions-of', { name: `${name}-2` })), say('clusters-ui-empty'))
      await dialog.getByText(say('clusters-ui-empty-warning')).waitFor()
      await check()
      await write(dialog.getByRole('textbox'), 'OK')
      await page.keyboard.press('Enter')
      await dialog.waitFor({ state: 'hidden' })
      await page.getByRole('link', { name: 'sandbox' }).waitFor()
      await page.getByRole('link', { name: `${name}-2` }).waitFor({ state: 'detached' })
      await story.end(/resource-manager\/api\/environments/)
    })

    test('of a kubeconfig with several contexts one is chosen; for an agent nothing is asked', async () => {
      const story = await theatre().enter('admin')
      const { page, say, press, write, choose, check, reach } = story
      const { contexts, ...rest } = parse(kubeconfig) as Kubeconfig
      const [one] = contexts
      const two = stringify({ ...rest, contexts: ['first', 'second'].map((context) => ({ ...one, name: context })) })
      await page.goto(`/teams/${teamId}/resourcemanager/cluster/add-environments-new`)
      await write(story.field(say('clusters-ui-name')), `two-${language}`)
      await write(story.field(say('clusters-ui-kubeconfig')), two)
      await choose(story.field(say('clusters-ui-context')), 'second')
      await check()
      await reach(page.getByRole('radio', { name: say('clusters-ui-way-kubeconfig') }))
      await page.keyboard.press('ArrowRight')
      await page.keyboard.press('ArrowRight')
      await page.getByText(say('clusters-ui-agent-next')).waitFor()
      await check()
      await press(page.getByRole('button', { name: say('clusters-ui-add-agent'), exact: true }))
      await page.getByRole('heading', { level: 2, name: say('clusters-ui-agent'), exact: true }).waitFor()
      await check()
      await story.end(/resource-manager\/api|monitor-metrics/)
    })
  },
  { GANTRY_OUTBOUND_ALLOW: '127.0.0.0/8,::1/128' },
)
