import { hosts } from '@gantry/contract/clusters/hosts'
import { beforeAll, expect, test } from 'vitest'
import { eventually } from '@gantry/waiting/eventually'
import * as kinds from '../../apps/server/src/adapters/kube/resources.ts'
import { clusterStories } from './cluster.ts'

/**
 * An administrator drains, labels and dedicates hosts, reads a log, directs ingress traffic, adds and removes hosts.
 */

clusterStories('hosts', (suite, { language }) => {
  let host = ''
  let spare = ''
  let control = ''
  let group = ''
  let namespace = ''
  let teamName = ''
  let teamId = 0
  const budget = () => ({ name: 'web', namespace })

  beforeAll(async () => {
    const { cluster } = suite()
    const { kube, own, team } = cluster
    host = cluster.spareHost()
    spare = own(`spare-${language}`)
    control = own(`control-${language}`)
    group = own(`edge-${language}`)
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
            // the taint of simulated hosts; a pod that tolerated all taints would return to a cordoned host
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
    await kube.create(kinds.nodes, {
      metadata: { name: control, labels: { 'node-role.kubernetes.io/control-plane': '' } },
    })
    await kube.create(kinds.ingressClasses, { metadata: { name: group }, spec: { controller: 'example.com/edge' } })
    // before that, the budget allows no disruption of any pod
    const healthy = async () => (await kube.get(kinds.disruptionBudgets, budget())).status?.currentHealthy
    await eventually(healthy, (pods) => pods === 2, { ms: 30_000, everyMs: 250 })
  })

  test('a drain names waiting pods with the reason, evicts the others, and pods can start again afterwards', async () => {
    const story = await suite().enter('admin')
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
    await suite().cluster.kube.merge(kinds.disruptionBudgets, budget(), { spec: { minAvailable: 0 } })
    await page.getByText(say('hosts-ui-drain-done-text')).waitFor()
    await check()
    await press(button(say('hosts-ui-maintenance-end')))
    await page.getByRole('heading', { level: 1 }).getByText(say('state-ready'), { exact: true }).waitFor()
    await story.end()
  })

  test('a host is labelled and dedicated to a team, and its log is read', async () => {
    const story = await suite().enter('admin')
    const { page, say, press, write, pick, check } = story
    const dialog = page.getByRole('dialog')
    const button = (label: string) => page.getByRole('button', { name: label, exact: true })
    const { product, cluster } = suite()
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

    // Restored for the story in the other look.
    await product.admin.call(hosts.dedicated, { params: { env: cluster.uuid, host }, body: { teamId: null } })

    await page.goto(`${at}/${cluster.host}/-/-`)
    await page.getByText(say('hosts-ui-capacity-about')).waitFor()
    await check()
    await page.goto(`${at}/${cluster.host}/-/-?tab=logs`)
    // Kubelets of the sandbox offer their logs; the lab's, like most, does not.
    if (cluster.real) await page.getByText(say('hosts-log-off', { host: cluster.host })).waitFor()
    else await page.getByText('kubelet').nth(1).waitFor()
    await check()
    await story.end(/host-label/, /log\/api/)
  })

  test('of several hosts, one that must stay in service is reported with the reason, and each has its own result', async () => {
    const story = await suite().enter('admin')
    const { page, say, press, write, tick, check } = story
    const dialog = page.getByRole('dialog')
    const row = (name: string) => page.getByRole('row').filter({ hasText: name })
    const choose = async (...names: string[]) => {
      for (const name of names)
        await tick(page.getByRole('checkbox', { name: say('ui-choose', { name }), exact: true }))
    }
    const chosen = page.getByRole('region', { name: say('ui-chosen-region') })
    const begin = (action: string) => press(chosen.getByRole('button', { name: action, exact: true }))
    const ended = async (total: number) => {
      await dialog.getByText(say('ui-bulk-progress', { ended: total, total, failed: 0 })).waitFor()
      await check()
      await press(dialog.getByRole('button', { name: say('ui-close') }).last())
      await dialog.waitFor({ state: 'hidden' })
    }
    await page.goto(`/teams/${teamId}/resourcemanager/cn`)
    await choose(spare, control)
    await begin(say('hosts-ui-maintenance'))
    await dialog.getByText(say('hosts-controller', { host: control })).waitFor()
    await check()
    await press(dialog.getByRole('button', { name: say('hosts-ui-maintenance') }))
    await ended(1)
    await row(spare).getByText(say('state-maintenance'), { exact: true }).waitFor()
    await choose(spare)
    await begin(say('hosts-ui-maintenance-end'))
    await ended(1)

    await choose(spare, control)
    await begin(say('hosts-ui-label-set'))
    await write(dialog.getByLabel(say('hosts-ui-key')), 'kubernetes.io/os')
    await dialog.getByText(say('hosts-own-key', { key: 'kubernetes.io/os' })).waitFor()
    await check()
    await write(dialog.getByLabel(say('hosts-ui-key')), 'example.com/rack')
    await write(dialog.getByLabel(say('hosts-ui-value')), 'r1')
    await press(dialog.getByRole('button', { name: say('hosts-ui-label-set') }))
    await ended(2)
    for (const name of [spare, control]) {
      const { metadata } = await suite().cluster.kube.get(kinds.nodes, { name })
      expect(metadata?.labels).toMatchObject({ 'example.com/rack': 'r1' })
    }
    await story.end()
  })

  test('a host takes the traffic of ingress groups, which link to it', async () => {
    const story = await suite().enter('admin')
    const { page, say, press, pick, check } = story
    const { product, cluster } = suite()
    const row = page.getByRole('row').filter({ hasText: group })
    const at = `/teams/${teamId}/resourcemanager/cluster/environments-detail/${cluster.uuid}`
    await page.goto(`${at}?tab=ingress`)
    await row.getByText(say('ingress-ui-hosts-none')).waitFor()
    await check()
    await page.goto(`${at}?tab=hosts`)
    await pick(page.getByRole('button', { name: say('ui-actions-of', { name: spare }) }), say('hosts-ui-ingress-on'))
    await page.locator('.g-toast').filter({ hasText: spare }).first().waitFor()
    await page.goto(`${at}?tab=ingress`)
    await row.getByText(say('state-not-ready'), { exact: true }).waitFor()
    await check()
    await press(row.getByRole('link', { name: spare }))
    await page.getByRole('heading', { level: 1, name: spare }).waitFor()
    // Restored for the story in the other look.
    const params = { env: cluster.uuid, host: spare }
    await product.admin.call(hosts.ingress, { params, body: { enable: false } })
    await story.end()
  })

  test('a host is added by a script that is shown once, if kubeadm made the cluster; a host is removed by its name', async () => {
    const { cluster, enter } = suite()
    const story = await enter('admin')
    const { page, say, press, write, choose, pick, check } = story
    const dialog = page.getByRole('dialog')
    const button = (label: string) => page.getByRole('button', { name: label, exact: true })
    await page.goto(`/teams/${teamId}/resourcemanager/cn`)
    await press(button(say('hosts-ui-add')))
    await choose(dialog.getByRole('combobox'), cluster.name)
    await check()
    await press(dialog.getByRole('button', { name: say('hosts-ui-add-make') }))
    if (cluster.real) {
      // the lab's cluster was not made by kubeadm
      await dialog.getByText(say('hosts-script-other-maker', { name: cluster.name })).waitFor()
      await check()
      // the selection was not applied, so the dialog asks before it closes
      await page.keyboard.press('Escape')
      await press(button(say('ui-unsent-discard')))
    } else {
      await dialog.getByText('kubeadm join').waitFor()
      await check()
      await press(dialog.getByRole('button', { name: say('ui-close') }))
    }
    await dialog.waitFor({ state: 'hidden' })

    await page.getByRole('link', { name: spare }).waitFor()
    await pick(button(say('ui-actions-of', { name: spare })), say('hosts-ui-remove'))
    await dialog.getByText(say('hosts-ui-remove-node', { name: spare })).waitFor()
    await check()
    await write(dialog.getByRole('textbox'), spare)
    await page.keyboard.press('Enter')
    await dialog.waitFor({ state: 'hidden' })
    await page.getByRole('link', { name: spare }).waitFor({ state: 'detached' })
    await story.end(/script\/environments/)
  })
})
