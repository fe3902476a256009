import { clusters } from '@gantry/contract/clusters/clusters'
import { beforeAll, onTestFailed, onTestFinished, test } from 'vitest'
import { parse, stringify } from 'yaml'
import { clusterAgent, tokenIn } from '../../apps/server/test/cluster-agent.ts'
import type { Story } from '../story.ts'
import { clusterStories } from './cluster.ts'

/** An administrator joins clusters, manages them and deletes them. */

interface Kubeconfig {
  contexts: { name: string; context: object }[]
}

clusterStories(
  'clusters',
  (suite, { language }) => {
    const name = `edge-${language}`
    let teamName = ''
    let teamId = 0
    /** The joined cluster; a sandbox has a badge beside its name. */
    const known = ({ page }: Story) => page.getByRole('link', { name: new RegExp(`^${suite().cluster.name}`) })
    beforeAll(async () => {
      const { cluster } = suite()
      teamName = cluster.own(`team-${language}`)
      teamId = await cluster.team(teamName)
    })

    test('a cluster is listed, refused, added, limited and deleted', async () => {
      const { cluster, enter } = suite()
      const story = await enter('admin')
      const { page, say, press, write, pick, check } = story
      const dialog = page.getByRole('dialog')
      const button = (label: string) => page.getByRole('button', { name: label, exact: true })
      await page.goto(`/teams/${teamId}/resourcemanager/cluster`)
      await known(story).waitFor()
      await check()
      await press(button(say('clusters-ui-add')))
      await page.getByRole('heading', { level: 1, name: say('route-cluster-add') }).waitFor()
      await write(story.field(say('clusters-ui-name')), name)
      await write(story.field(say('clusters-ui-kubeconfig')), 'kind: Config')
      await press(button(say('clusters-ui-add-check')))
      await page.locator('.ant-form-item-explain-error').first().waitFor()
      await check()
      await write(
        story.field(say('clusters-ui-kubeconfig')),
        cluster.kubeconfig.replace(/localhost:\d+/, '127.0.0.1:1'),
      )
      await press(button(say('clusters-ui-add-check')))
      await page
        .getByText(say('kube-refused', { server: '127.0.0.1:1' }))
        .first()
        .waitFor()
      await write(story.field(say('clusters-ui-kubeconfig')), cluster.kubeconfig)
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
      await known(story).waitFor()
      await story.end(/resource-manager\/api\/environments/)

      /** Arrow keys move through the tabs. */
      async function openTab(label: string) {
        const tab = page.getByRole('tab', { name: label, exact: true })
        for (let step = 0; step < 10 && (await tab.getAttribute('aria-selected')) !== 'true'; step++)
          await page.locator('[role=tab][aria-selected=true]').press('ArrowRight')
        await page.getByRole('tabpanel', { name: label }).waitFor()
      }
    })

    test('by a token: wrong credentials are reported, the rights are listed, the cluster is renamed, assigned and emptied', async () => {
      const { cluster, enter } = suite()
      const { server, token, ca } = await cluster.account()
      const story = await enter('admin')
      const { page, say, press, write, pick, check, reach } = story
      const dialog = page.getByRole('dialog')
      const button = (label: string) => page.getByRole('button', { name: label, exact: true })
      await page.goto(`/teams/${teamId}/resourcemanager/cluster/add-environments-new`)
      await write(story.field(say('clusters-ui-name')), name)
      await reach(page.getByRole('radio', { name: say('clusters-ui-way-kubeconfig') }))
      await page.keyboard.press('ArrowRight')
      await write(story.field(say('clusters-ui-server')), server)
      await write(story.field(say('clusters-ui-ca')), ca)
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
      await known(story).waitFor()
      await page.getByRole('link', { name: `${name}-2` }).waitFor({ state: 'detached' })
      await story.end(/resource-manager\/api\/environments/)
    })

    test('one of several contexts of a kubeconfig is chosen; an agent needs no input, and connects by itself', async () => {
      const { product, cluster, enter } = suite()
      const story = await enter('admin')
      const { page, say, press, write, choose, check, reach } = story
      const { contexts, ...rest } = parse(cluster.kubeconfig) as Kubeconfig
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

      await press(page.getByRole('button', { name: say('clusters-ui-agent-make'), exact: true }))
      const manifest = page.locator('pre')
      await manifest.waitFor()
      await check()
      // The sandbox runs no programs: the agent runs outside of either cluster, with the manifest's settings.
      const token = tokenIn(await manifest.innerText())
      const agent = clusterAgent({ server: product.url, token, account: await cluster.account() })
      onTestFailed(() => void process.stderr.write(agent.log()))
      onTestFinished(() => agent.kill())
      await page.getByText(say('clusters-ui-agent-about')).waitFor()
      await page.getByText(say('state-healthy'), { exact: true }).first().waitFor()
      await check()
      await story.end(/resource-manager\/api|monitor-metrics/)
      // a cluster can be joined only once, and the story in the other language joins it too
      const uuid = new URL(page.url()).pathname.split('/').at(-1) ?? ''
      await product.admin.call(clusters.remove, { params: { uuid }, query: { confirm: `two-${language}` } })
    })
  },
  { joins: true },
)
