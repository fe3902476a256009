import { stacks } from '@gantry/contract/stacks/stacks'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { eventually } from '@gantry/waiting/eventually'
import * as kinds from '../../apps/server/src/adapters/kube/resources.ts'
import { clusterStories } from './cluster.ts'

/** An administrator creates and reclaims storage of a cluster, and sets a team's quota there. */

clusterStories('storage and quotas', (suite, { language }) => {
  let volume = ''
  let driver = ''
  let namespace = ''
  let teamName = ''
  let address = ''
  let teamId = 0
  beforeAll(async () => {
    const { product, cluster } = suite()
    volume = cluster.own(`exports-${language}`)
    driver = cluster.own(`fast-${language}`)
    namespace = cluster.own(`claims-${language}`)
    teamName = cluster.own(`stores-${language}`)
    teamId = await cluster.team(teamName)
    address = `/teams/${teamId}/resourcemanager/cluster/environments-detail/${cluster.uuid}`
    await cluster.kube.apply(kinds.namespaces, { metadata: { name: namespace } })
    await product.admin.call(stacks.create, {
      params: { teamId },
      body: { name: 'shop', envId: cluster.uuid, quota: { cpu: 2, memory: 1 } },
    })
  })
  afterAll(async () => {
    const { cluster } = suite()
    await cluster.kube.merge(
      kinds.storageClasses,
      { name: cluster.driver },
      { metadata: { annotations: { 'storageclass.kubernetes.io/is-default-class': 'true' } } },
    )
  })

  const phase = async () => (await suite().cluster.kube.get(kinds.persistentVolumes, { name: volume })).status?.phase
  const bind = async () => {
    await suite().cluster.kube.create(kinds.persistentVolumeClaims, {
      metadata: { name: 'data', namespace },
      spec: {
        accessModes: ['ReadWriteOnce'],
        resources: { requests: { storage: '5Gi' } },
        storageClassName: '',
        volumeName: volume,
      },
    })
    await eventually(phase, (now) => now === 'Bound')
  }
  const release = async () => {
    await suite().cluster.kube.remove(kinds.persistentVolumeClaims, { name: 'data', namespace })
    await eventually(phase, (now) => now === 'Released')
  }

  test('a volume is created, claimed, released, reclaimed, activated and deleted', async () => {
    const story = await suite().enter('admin')
    const { page, say, press, write, pick, check } = story
    const dialog = page.getByRole('dialog')
    const button = (label: string) => page.getByRole('button', { name: label, exact: true })
    const row = page.getByRole('row').filter({ hasText: volume })
    const shows = (text: string) => row.getByText(text, { exact: true }).waitFor()
    const confirm = async (action: string) => {
      await pick(button(say('ui-actions-of', { name: volume })), action)
      await check()
      await write(dialog.getByRole('textbox'), volume)
      await page.keyboard.press('Enter')
      await dialog.waitFor({ state: 'hidden' })
    }
    await page.goto(`${address}?tab=storage`)
    // a real cluster may have other volumes
    const none = page.getByRole('heading', { name: say('storage-ui-volumes-none') })
    await (suite().cluster.real ? none.or(page.locator('.g-table')) : none).first().waitFor()
    await check()

    await press(button(say('storage-ui-volume-create')).first())
    await write(dialog.getByLabel(say('storage-ui-name')), volume)
    await write(dialog.getByLabel(say('storage-ui-capacity')), '5')
    await write(dialog.getByLabel(say('storage-ui-server')), '10.0.0.1')
    await write(dialog.getByLabel(say('storage-ui-path')), '/exports/../etc')
    await page.keyboard.press('Enter')
    await dialog.getByText(say('storage-path-up')).waitFor()
    await check()
    await write(dialog.getByLabel(say('storage-ui-path')), '/exports')
    await page.keyboard.press('Enter')
    await dialog.waitFor({ state: 'hidden' })
    await shows(say('storage-ui-available'))

    // Changes in the cluster appear by themselves, sooner than the page would read again.
    await bind()
    await row.getByText(`${namespace}/data`).waitFor()
    await check()
    await release()
    await shows(say('storage-ui-released'))
    await confirm(say('storage-ui-reclaim'))
    await shows(say('state-failed'))
    await row.getByText('no deletable volume plugin matched').waitFor()
    await check()
    await pick(button(say('ui-actions-of', { name: volume })), say('storage-ui-activate'))
    await press(dialog.getByRole('button', { name: say('storage-ui-activate') }))
    await dialog.waitFor({ state: 'hidden' })
    await shows(say('storage-ui-available'))
    await confirm(say('ui-delete'))
    await row.waitFor({ state: 'detached' })

    await story.end()
  })

  test('a driver becomes the default, and then the previous one again', async () => {
    const { cluster, enter } = suite()
    const story = await enter('admin')
    const { page, say, press, write, pick, check } = story
    const dialog = page.getByRole('dialog')
    await page.goto(`${address}?tab=storage`)
    await press(page.getByRole('button', { name: say('storage-ui-driver-create'), exact: true }))
    await write(dialog.getByLabel(say('storage-ui-name')), driver)
    await write(dialog.getByLabel(say('storage-ui-provisioner')), 'csi.example.test')
    await story.reach(dialog.getByRole('switch', { name: say('storage-ui-default-set') }))
    await page.keyboard.press('Space')
    await check()
    await press(dialog.getByRole('button', { name: say('storage-ui-driver-create') }))
    await dialog.waitFor({ state: 'hidden' })
    const defaults = page.getByRole('row').filter({ has: page.getByText(say('storage-ui-default'), { exact: true }) })
    await defaults.filter({ hasText: driver }).waitFor()
    expect(await defaults.count()).toBe(1)
    await check()
    const actions = page.getByRole('button', { name: say('ui-actions-of', { name: cluster.driver }), exact: true })
    await pick(actions.last(), say('storage-ui-make-default'))
    await defaults.filter({ hasText: cluster.driver }).waitFor()
    expect(await defaults.count()).toBe(1)
    await story.end()
  })

  test('a team’s quota is set, but not below the shares of its stacks, and the team sees it', async () => {
    const story = await suite().enter('admin')
    const { page, say, press, write, pick, check } = story
    const dialog = page.getByRole('dialog')
    await page.goto(`${address}?tab=teams`)
    const row = page.getByRole('row').filter({ hasText: teamName })
    await write(page.getByRole('searchbox', { name: say('quotas-ui-search') }), teamName)
    await page.getByRole('row').filter({ hasText: 'default' }).waitFor({ state: 'detached' })
    await row.first().waitFor()
    await check()
    const set = () =>
      pick(
        page.getByRole('button', { name: say('ui-actions-of', { name: teamName }), exact: true }),
        say('clusters-ui-quota-set'),
      )
    await set()
    await write(dialog.getByLabel(say('stacks-ui-cpu')), '1')
    await page.keyboard.press('Enter')
    await dialog.getByText(say('quotas-below-use-cpu', { taken: '2', hard: '1' })).waitFor()
    await check()
    await write(dialog.getByLabel(say('stacks-ui-cpu')), '4')
    await press(dialog.getByRole('button', { name: say('ui-save') }))
    await dialog.waitFor({ state: 'hidden' })
    await row
      .getByRole('meter', { name: say('stacks-ui-cpu') })
      .first()
      .waitFor()
    await page.getByRole('heading', { name: say('quotas-ui-namespaces') }).waitFor()
    await check()
    await page.goto(`/sysconfig/teams/edit?team_id=${teamId}&tab=quotas`)
    await page.getByRole('row').filter({ hasText: suite().cluster.name }).first().waitFor()
    await check()
    await story.end(/quotas\/tenants/)
  })
})
