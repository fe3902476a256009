import { createServer, type AddressInfo } from 'node:net'
import { afterAll, expect, test } from 'vitest'
import { collection } from '@gantry/contract/log-shipping/collection'
import { kafka } from '@gantry/contract/log-shipping/kafka'
import { clusters } from '@gantry/contract/clusters/clusters'
import { labService } from '../apps/server/test/lab.ts'
import { stories } from './story.ts'

const lab = labService('kafka')
const broker = lab?.['KAFKA_BROKERS']?.split(',')[0]

/** Kafka is configured, after a first refusal; a cluster is selected, gets its collector and loses it. */
stories(
  'log-settings',
  (suite, { language }) => {
    const silent = createServer((socket) => socket.on('error', () => {}).destroy())
    afterAll(() => void silent.close())

    test('logs go to Kafka', async ({ skip }) => {
      if (broker === undefined) return skip('needs the lab: GANTRY_LAB')
      await new Promise<void>((up) => silent.listen(0, '127.0.0.1', up))
      const wrong = `127.0.0.1:${(silent.address() as AddressInfo).port}`
      const story = await suite().enter('admin')
      const { page, say, press, tick, write, find, field, check } = story
      const button = (text: string) => page.getByRole('button', { name: text, exact: true })
      const [cluster] = (await suite().product.admin.call(clusters.list, {})).items

      // The story in the other look has left both as at its end.
      const { admin } = suite().product
      const { audit: _, ...before } = await admin.call(kafka.get)
      await admin.call(kafka.set, { body: { ...before, enabled: false, brokers: [] } })
      const { kafka: __, collectors: ___, ...stored } = await admin.call(collection.get)
      await admin.call(collection.set, { body: { ...stored, environments: [] } })

      await page.goto('/sysconfig/log')
      await page.getByText(say('logs-ui-audit-off'), { exact: true }).waitFor()
      await check()
      await tick(field(say('logs-ui-enabled')))
      const brokers = field(say('logs-ui-brokers'))
      await brokers.fill(wrong)
      await brokers.press('Enter')
      await write(field(say('logs-ui-log-topic')), `logs-${language}`)
      await write(field(say('logs-ui-audit-topic')), `audit-${language}`)
      await press(button(say('ui-save')))
      const refused = say('kafka-broken', { host: wrong, reason: '' }).slice(0, wrong.length + 8)
      await page.getByText(refused).first().waitFor({ timeout: 30_000 })
      await check()
      await brokers.press('Backspace')
      await brokers.fill(broker)
      await brokers.press('Enter')
      await press(button(say('ui-save')))
      await page
        .locator('.g-toast')
        .filter({ hasText: say('save-success', { object: '' }).trim() })
        .last()
        .waitFor({ timeout: 30_000 })
      await page.getByText(say('logs-ui-audit-done'), { exact: true }).waitFor({ timeout: 30_000 })
      await check()

      await page.goto('/sysconfig/log?tab=collection')
      await page.getByText(say('logs-ui-none')).waitFor()
      await check()
      await find(field(say('logs-ui-clusters')), cluster?.name ?? '')
      await press(button(say('ui-save')))
      await page.getByText(say('logs-ui-state-completed')).first().waitFor({ timeout: 30_000 })
      await check()

      await page.goto('/sysconfig/log')
      const on = field(say('logs-ui-enabled'))
      await expect.poll(() => on.isChecked()).toBe(true)
      await tick(on)
      await press(button(say('ui-save')))
      await page.getByText(say('logs-ui-audit-off'), { exact: true }).waitFor({ timeout: 30_000 })
      await page.goto('/sysconfig/log?tab=collection')
      await page.getByText(say('logs-ui-state-off')).first().waitFor({ timeout: 30_000 })
      await check()
      // The refusal of the wrong broker.
      await story.end(/api\/kafka/)
    })
  },
  { GANTRY_OUTBOUND_ALLOW: '127.0.0.0/8' },
)
