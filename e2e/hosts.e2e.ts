import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { environments } from '@gantry/contract/clusters/environments'
import { hosts } from '@gantry/contract/clusters/hosts'
import { teams } from '@gantry/contract/teams/teams'
import { beforeAll, test } from 'vitest'
import { parse } from 'yaml'
import { stories } from './story.ts'

/** An administrator drains a host, marks it, keeps it for a team, reads its log, adds one and takes one out. In the sandbox. */

interface Kubeconfig {
  clusters: [{ cluster: { server: string } }]
  users: [{ user: { token: string } }]
}

stories('hosts', (theatre, { language }) => {
  const host = 'sandbox-2'
  const spare = `spare-${language}`
  const namespace = `shop-${language}`
  const teamName = `team-${language}`
  let teamId = 0
  let env = ''
  /** Tells the sandbox's API server what kubectl would. */
  let tell: (method: 'POST' | 'PATCH', path: string, body: object) => Promise<void>

  beforeAll(async () => {
    const { product } = theatre()
    ;({ id: teamId } = await product.admin.call(teams.create, { body: { name: teamName } }))
    const { items } = await product.admin.call(environments.list, {})
    env = items[0]?.uuid ?? ''
    const { clusters, users } = parse(readFileSync(join(product.data, 'sandbox/kubeconfig'), 'utf8')) as Kubeconfig
    tell = async (method, path, body) => {
      const type = method === 'PATCH' ? 'application/merge-patch+json' : 'application/json'
      const answer = await fetch(clusters[0].cluster.server + path, {
        method,
        headers: { authorization: `Bearer ${users[0].user.token}`, 'content-type': type },
        body: JSON.stringify(body),
      })
      if (!answer.ok) throw new Error(`${path}: ${await answer.text()}`)
    }
    const labels = { app: 'web' }
    await tell('POST', '/api/v1/namespaces', { metadata: { name: namespace } })
    await tell('POST', `/apis/apps/v1/namespaces/${namespace}/deployments`, {
      metadata: { name: 'web', namespace },
      spec: {
        replicas: 2,
        selector: { matchLabels: labels },
        template: {
          metadata: { labels },
          spec: {
            nodeSelector: { 'kubernetes.io/hostname': host },
            containers: [
              { name: 'web', image: 'registry.example.org/web:1', resources: { requests: { cpu: '500m' } } },
            ],
          },
        },
      },
    })
    await tell('POST', `/apis/policy/v1/namespaces/${namespace}/poddisruptionbudgets`, {
      metadata: { name: 'web', namespace },
      spec: { minAvailable: 2, selector: { matchLabels: labels } },
    })
    await tell('POST', '/api/v1/nodes', { metadata: { name: spare, labels: { 'kubernetes.io/hostname': spare } } })
  })

  test('drained: what waits is named with its reason, what may go goes, and pods start there again', async () => {
    const story = await theatre().enter('admin')
    const { page, say, press, check } = story
    const dialog = page.getByRole('dialog')
    const button = (label: string) => page.getByRole('button', { name: label, exact: true })
    await page.goto(`/teams/${teamId}/resourcemanager/cn`)
    await page.getByRole('link', { name: host }).waitFor()
    await check()
    await press(page.getByRole('link', { name: host }))
    await page.getByRole('heading', { level: 1, name: host }).waitFor()
    await page.getByText(say('hosts-ui-capacity-about')).waitFor()
    await check()

    await press(button(say('hosts-ui-maintenance')))
    await dialog.getByText(say('hosts-ui-drain-goes', { count: 2, namespace })).waitFor()
    await check()
    await press(dialog.getByRole('button', { name: say('hosts-ui-maintenance') }))
    await dialog.waitFor({ state: 'hidden' })
    const reason = 'The disruption budget web needs 2 healthy pods and has 2 currently'
    await page.getByText(say('hosts-drain-budget', { reason })).first().waitFor()
    await check()
    await tell('PATCH', `/apis/policy/v1/namespaces/${namespace}/poddisruptionbudgets/web`, {
      spec: { minAvailable: 0 },
    })
    await page.getByText(say('hosts-ui-drain-done-text')).waitFor()
    await check()
    await press(button(say('hosts-ui-maintenance-end')))
    await page.getByRole('heading', { level: 1 }).getByText(say('state-ready'), { exact: true }).waitFor()
    await story.end()
  })

  test('marked, kept for a team, and its log read', async () => {
    const story = await theatre().enter('admin')
    const { page, say, press, write, pick, check } = story
    const dialog = page.getByRole('dialog')
    const button = (label: string) => page.getByRole('button', { name: label, exact: true })
    const at = `/teams/${teamId}/resourcemanager/cluster/environments-detail/${env}/host/${host}/-/-`
    await page.goto(`${at}?tab=labels`)
    await press(button(say('hosts-ui-label-add')))
    await write(dialog.getByLabel(say('hosts-ui-key')), 'kubernetes.io/os')
    await page.keyboard.press('Enter')
    await dialog.getByText(say('hosts-own-key', { key: 'kubernetes.io/os' })).waitFor()
    await check()
    await write(dialog.getByLabel(say('hosts-ui-key')), 'example.com/disk')
    await write(dialog.getByLabel(say('hosts-ui-value')), 'ssd')
    await page.keyboard.press('Enter')
    await dialog.waitFor({ state: 'hidden' })
    await page.getByText('example.com/disk').first().waitFor()
    await check()
    await pick(button(say('ui-actions-of', { name: 'example.com/disk' })), say('ui-delete'))
    await press(dialog.getByRole('button', { name: say('ui-delete') }))
    await dialog.waitFor({ state: 'hidden' })
    await page.getByText('example.com/disk').first().waitFor({ state: 'detached' })

    await pick(button(say('ui-actions-of', { name: host })), say('hosts-ui-dedicate'))
    await write(dialog.getByRole('combobox'), teamName)
    await page.locator('.ant-select-item-option-active').filter({ hasText: teamName }).waitFor()
    await page.keyboard.press('Enter')
    await check()
    await press(dialog.getByRole('button', { name: say('ui-save') }))
    await dialog.waitFor({ state: 'hidden' })
    await page.goto(at)
    await page.getByRole('definition').getByText(teamName, { exact: true }).waitFor()
    await check()

    await page.goto(`${at}?tab=logs`)
    await page.getByText('kubelet').nth(1).waitFor()
    await check()
    // As it was, for the other look.
    await theatre().product.admin.call(hosts.dedicated, { params: { env, host }, body: { teamId: null } })
    await story.end(/host-label/)
  })

  test('one more by a script that is shown once; one is taken out by its name', async () => {
    const story = await theatre().enter('admin')
    const { page, say, press, write, choose, pick, check } = story
    const dialog = page.getByRole('dialog')
    const button = (label: string) => page.getByRole('button', { name: label, exact: true })
    await page.goto(`/teams/${teamId}/resourcemanager/cn`)
    await press(button(say('hosts-ui-add')))
    await choose(dialog.getByRole('combobox'), 'sandbox')
    await check()
    await press(dialog.getByRole('button', { name: say('hosts-ui-add-make') }))
    await dialog.getByText('kubeadm join').waitFor()
    await check()
    await press(dialog.getByRole('button', { name: say('ui-close') }))
    await dialog.waitFor({ state: 'hidden' })

    await page.getByRole('link', { name: spare }).waitFor()
    await pick(button(say('ui-actions-of', { name: spare })), say('hosts-ui-remove'))
    await dialog.getByText(say('hosts-ui-remove-node', { name: spare })).waitFor()
    await check()
    await write(dialog.getByRole('textbox'), spare)
    await page.keyboard.press('Enter')
    await dialog.waitFor({ state: 'hidden' })
    await page.getByRole('link', { name: spare }).waitFor({ state: 'detached' })
    await story.end()
  })
})
