import { buffer } from 'node:stream/consumers'
import { builds } from '@gantry/contract/pipelines/builds'
import { definitions } from '@gantry/contract/pipelines/editing/definitions'
import { groups } from '@gantry/contract/pipelines/groups'
import { teams } from '@gantry/contract/teams/teams'
import { beforeAll, expect, test } from 'vitest'
import { newUser } from './product.ts'
import { stories } from './story.ts'
import { shifts } from './walk/checks/layout-shift.ts'

/** The log of a step while it is written: a growing line, a progress bar, colours, a very long line. */

declare global {
  /** The total duration of the page's long tasks, in milliseconds. */
  var longTasks: number[]
}

/** Its line stays open for as long as the page may take to show it. */
const grows = `printf 'tests: .'
sleep 15
for i in 2 3 4 5 6 7 8; do printf .; done
echo ' FAILED 3 of 8'
sleep 2
echo after`

const bar = `echo before
i=0
while [ $i -lt 100000 ]; do
  i=$((i+1)); printf '\\rstep %06d' $i
  [ $((i % 5000)) = 0 ] && sleep 0.2
done
printf '\\rERROR: it broke\\n'
exit 1`

const colour = `printf '\\033[32mgreen begins\\n'
i=0; while [ $i -lt 5000 ]; do i=$((i+1)); echo "line $i"; done
printf 'BEGIN'; head -c 100000 /dev/zero | tr '\\0' x; echo END`

stories('build log', (suite, { language }) => {
  const leader = `log-${language}`
  let teamId = 0
  beforeAll(async () => {
    const { product } = suite()
    ;({ id: teamId } = await product.admin.call(teams.create, { body: { name: `logs-${language}` } }))
    await newUser(product, leader, { teamId, roleId: 'leader' })
  })

  /** Opens the page of a build that has just started and whose only step runs this script. */
  async function open(name: string, run: string) {
    const { admin } = suite().product
    const story = await suite().enter(leader)
    const { id: appId } = await admin.call(groups.create, { params: { teamId }, body: { name } })
    const definition = { stages: [{ name: 'only', steps: [{ type: 'script' as const, name: 'says', run }] }] }
    const { id } = await admin.call(definitions.create, { body: { appId, projectName: name, definition } })
    const { number } = await admin.call(builds.trigger, { params: { id }, body: {} })
    await story.page.goto(`/teams/${teamId}/cd/pipeline_group_id/${appId}/pipeline_id/${id}/history/${number}/info`)
    const log = story.page.getByRole('region', { name: story.say('pipelines-ui-log-of', { step: 'says' }) })
    await log.waitFor()
    const line = (text: string | RegExp) => log.getByText(text, { exact: true })
    const state = (key: 'state-success' | 'state-failed') =>
      story.page.getByRole('heading', { level: 1 }).getByText(story.say(key)).waitFor()
    return { story, log, line, state }
  }

  test('a growing line is shown while it grows, and completely once it has ended', async () => {
    const { story, line, state } = await open('grows', grows)
    await line('tests: .').waitFor()
    await line('tests: ........ FAILED 3 of 8').waitFor()
    await line('after').waitFor()
    await state('state-success')
    expect(await shifts(story.page)).toEqual([])
    await story.check()
    await story.end()
  })

  test('a progress bar is one moving line; the view, the search and the download have its end', async () => {
    const { story, log, line, state } = await open('bar', bar)
    const { page, say, press, write, check } = story
    await page.evaluate(() => {
      globalThis.longTasks = []
      new PerformanceObserver((seen) =>
        globalThis.longTasks.push(...seen.getEntries().map((task) => task.duration)),
      ).observe({
        type: 'longtask',
      })
    })
    await line(/^step \d{6}$/).waitFor()
    await line('ERROR: it broke').waitFor()
    const tasks = await page.evaluate(() => globalThis.longTasks)
    // oxlint-disable-next-line no-console -- a figure, of which nothing passes or fails
    console.log(
      `a bar of 100,000 rewrites, open in a browser: ${tasks.length} tasks over 50 ms, the longest ${Math.max(0, ...tasks)} ms`,
    )
    await state('state-failed')
    expect(await log.locator('.g-log-line').count()).toBe(2)
    await write(page.getByPlaceholder(say('pipelines-ui-log-search')), 'it broke')
    await page.keyboard.press('Enter')
    await page.getByText(say('ui-log-hits', { at: 1, count: 1 })).waitFor()
    await check()
    const download = page.waitForEvent('download')
    await press(page.getByRole('button', { name: say('ui-log-download'), exact: true }))
    const file = await (await download).createReadStream()
    expect((await buffer(file)).toString()).toBe('before\nERROR: it broke\n')
    await story.end()
  })

  test('colours continue over lines, and both ends of a long line are shown', async () => {
    const { story, log, line, state } = await open('colour', colour)
    await state('state-success')
    await line(/^BEGINx+ … \[\+\d+ B\] … x+END$/).waitFor()
    const last = log.locator('.g-log-line').filter({ hasText: 'line 5000' })
    await last.waitFor()
    expect(await last.locator('.ansi-green').textContent()).toBe('line 5000')
    await story.check()
    await story.end()
  })
})
