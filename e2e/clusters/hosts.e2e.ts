import { hosts } from '@gantry/contract/clusters/hosts'
import { beforeAll, expect, test, vi } from 'vitest'
import * as kinds from '../../apps/server/src/adapters/kube/resources.ts'
import { clusterStories } from './cluster.ts'

/** An administrator drains a host, marks it, keeps it for a team, reads its log, adds one and takes one out. */

clusterStories('hosts', (theatre, { language }) => {
  let host = ''
  let spare = ''
  let namespace = ''
  let teamName = ''
  let teamId = 0
  const budget = () => ({ name: 'web', namespace })

  beforeAll(async () => {
    const { cluster } = theatre()
    const { kube, own, team } = cluster
    host = cluster.spareHost()
    spare = own(`spare-${language}`)
    namespace = own(`shop-${language}`)
    teamName = own(`team-${language}`)
    teamId = await team(teamName)
    const labels = { app: 'web' }
    await kube.create(kinds.namespaces, { metadata: { name: namespace } })
    await kube.create(kinds.deployments, {
      metadata: { name: 'web', namespace },
      spec: {
        replicas: 2,
        selector: { matchLabels: labels },
        template: {
          metadata: { labels },
          spec: {
            nodeSelector: { 'kubernetes.io/hostname': host },
            // of the taint that played hosts have; who tolerates them all comes back to a cordoned one
            tolerations: [{ key: 'kwok.x-k8s.io/node', operator: 'Exists' }],
            containers: [
              { name: 'web', image: 'registry.example.org/web:1', resources: { requests: { cpu: '500m' } } },
            ],
          },
        },
      },
    })
    await kube.create(kinds.disruptionBudgets, {
      metadata: budget(),
      spec: { minAvailable: 2, selector: { matchLabels: labels } },
    })
    await kube.create(kinds.nodes, { metadata: { name: spare, labels: { 'kubernetes.io/hostname': spare } } })
    // before that a budget says of each pod that it has none
    const healthy = async () => (await kube.get(kinds.disruptionBudgets, budget())).status?.currentHealthy
    await vi.waitFor(async () => expect(await healthy()).toBe(2), { timeout: 30_000, interval: 250 })
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
    await theatre().cluster.kube.merge(kinds.disruptionBudgets, budget(), { spec: { minAvailable: 0 } })
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
    const { product, cluster } = theatre()
    const at = `/teams/${teamId}/resourcemanager/cluster/environments-detail/${cluster.uuid}/host`
    const ofHost = `${at}/${host}/-/-`
    await page.goto(`${ofHost}?tab=labels`)
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
    await page.goto(ofHost)
    await page.getByRole('definition').getByText(teamName, { exact: true }).waitFor()
    await check()

    // As it was, for the other look.
    await product.admin.call(hosts.dedicated, { params: { env: cluster.uuid, host }, body: { teamId: null } })

    await page.goto(`${at}/${cluster.host}/-/-`)
    await page.getByText(say('hosts-ui-capacity-about')).waitFor()
    await check()
    await page.goto(`${at}/${cluster.host}/-/-?tab=logs`)
    // Kubelets of the sandbox offer their logs; the lab's is as most are.
    if (cluster.real) await page.getByText(say('hosts-log-off', { host: cluster.host })).waitFor()
    else await page.getByText('kubelet').nth(1).waitFor()
    await check()
    await story.end(/host-label/, /log\/api/)
  })

  test('one more by a script that is shown once; one is taken out by its name', async () => {
    const story = await theatre().enter('admin')
    const { page, say, press, write, choose, pick, check } = story
    const dialog = page.getByRole('dialog')
    const button = (label: string) => page.getByRole('button', { name: label, exact: true })
    await page.goto(`/teams/${teamId}/resourcemanager/cn`)
    await press(button(say('hosts-ui-add')))
    const { cluster } = theatre()
    await choose(dialog.getByRole('combobox'), cluster.name)
    await check()
    await press(dialog.getByRole('button', { name: say('hosts-ui-add-make') }))
    await dialog.getByText('kubeadm join').waitFor()
    await check()
    // Its token opens the cluster for an hour.
    const [, token] = /"token":"(\w+)\./.exec(await dialog.locator('pre').innerText()) ?? []
    const secret = { namespace: 'kube-system', name: `bootstrap-token-${token}` }
    expect(await cluster.kube.remove(kinds.secrets, secret)).toBe(true)
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
