import { readFile } from 'node:fs/promises'
import { gunzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { stories } from './story.ts'

stories('backups', (suite, { language }) => {
  test('a backup is scheduled, made at once, downloaded and deleted', async () => {
    const story = await suite().enter('admin')
    const { page, say, press, pick, tick, write, field, check } = story
    const button = (text: string) => page.getByRole('button', { name: text, exact: true })
    await page.goto('/sysconfig/common?tab=backup')
    await button(say('backups-ui-now')).waitFor()
    await check()
    const on = field(say('backups-ui-enabled'))
    if (!(await on.isChecked())) await tick(on)
    await write(field(say('backups-ui-cron')), 'now')
    await press(button(say('ui-save')))
    await page.getByText(say('cron-five-fields')).waitFor()
    await write(field(say('backups-ui-cron')), language === 'en' ? '0 3 * * *' : '0 4 * * *')
    await press(button(say('ui-save')))
    await page.getByText(say('backups-ui-next'), { exact: true }).waitFor()

    await press(button(say('backups-ui-now')))
    const row = page
      .getByRole('row')
      .filter({ hasText: say('backups-ui-state-done') })
      .first()
    await row.waitFor()
    await check()
    const menu = row.getByRole('button')
    const arrives = page.waitForEvent('download')
    await pick(menu, say('backups-ui-download'))
    const file = gunzipSync(await readFile(await (await arrives).path())).toString()
    expect(file.startsWith('-- gantry {')).toBe(true)
    expect(file.endsWith('-- end\n')).toBe(true)

    await pick(menu, say('ui-delete'))
    const dialog = page.getByRole('dialog')
    await dialog.waitFor()
    await check()
    await press(dialog.getByRole('button', { name: say('ui-delete'), exact: true }))
    await dialog.waitFor({ state: 'hidden' })
    await page.getByText(say('backups-ui-none')).waitFor()
    await check()
    await story.end()
  })
})
