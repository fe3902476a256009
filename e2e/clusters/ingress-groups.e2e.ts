import { expect, test } from 'vitest'
import * as kinds from '../../apps/server/src/adapters/kube/resources.ts'
import { clusterStories } from './cluster.ts'

/** An administrator adds a group for a controller; it cannot be deleted while an ingress uses it. */

clusterStories('ingress groups', (suite, { language }) => {
  test('a group is added, cannot be deleted while it is used, and is deleted', async () => {
    const { cluster, enter } = suite()
    const group = cluster.own(`internal-${language}`)
    const namespace = cluster.own(`entrances-${language}`)
    await cluster.kube.apply(kinds.namespaces, { metadata: { name: namespace } })
    const story = await enter('admin')
    const { page, say, press, write, pick, check } = story
    const dialog = page.getByRole('dialog')
    const row = page.getByRole('row').filter({ hasText: group })
    await page.goto(`/teams/1/resourcemanager/cluster/environments-detail/${cluster.uuid}?tab=ingress`)
    await press(page.getByRole('button', { name: say('ingress-ui-create'), exact: true }))
    await write(dialog.getByLabel(say('ingress-ui-name')), group)
    await write(dialog.getByLabel(say('ingress-ui-controller')), 'example.com')
    await press(dialog.getByRole('button', { name: say('ingress-ui-create') }))
    await dialog.getByText(say('ingress-controller-format')).waitFor()
    await check()
    await write(dialog.getByLabel(say('ingress-ui-controller')), 'example.com/ingress')
    await press(dialog.getByRole('button', { name: say('ingress-ui-create') }))
    await dialog.waitFor({ state: 'hidden' })
    await row.getByText('example.com/ingress').waitFor()
    await check()

    const ref = { name: 'front', namespace }
    await cluster.kube.create(kinds.ingresses, {
      metadata: ref,
      spec: { ingressClassName: group, defaultBackend: { service: { name: 'web', port: { number: 80 } } } },
    })
    const remove = async () => {
      await pick(
        page.getByRole('button', { name: say('ui-actions-of', { name: group }), exact: true }),
        say('ui-delete'),
      )
      await write(dialog.getByRole('textbox'), group)
      await page.keyboard.press('Enter')
    }
    await remove()
    await dialog.getByText(`${namespace}/front`).waitFor()
    await check()
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'hidden' })
    await cluster.kube.remove(kinds.ingresses, ref)
    await remove()
    await dialog.waitFor({ state: 'hidden' })
    await row.waitFor({ state: 'detached' })
    expect(await cluster.kube.find(kinds.ingressClasses, { name: group })).toBeUndefined()
    await story.end(/ingress-groups/)
  })
})
