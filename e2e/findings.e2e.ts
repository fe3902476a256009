import type { StepInput } from '@gantry/contract/pipelines/definition'
import { definitions } from '@gantry/contract/pipelines/editing/definitions'
import { groups } from '@gantry/contract/pipelines/groups'
import { teams } from '@gantry/contract/teams/teams'
import { beforeAll, expect, test } from 'vitest'
import { logOf, runBuild } from './builds.ts'
import { newUser } from './product.ts'
import { stories } from './story.ts'

/** Steps that read reports of tools: coverage and scanners; and caches from one build to the next. */

const lcov = (hit: number) => `SF:src/price.ts\\nDA:1,1\\nDA:2,${hit}\\nDA:3,1\\nDA:4,0\\nend_of_record\\n`
const sarif = JSON.stringify({
  runs: [
    {
      results: [
        {
          ruleId: 'sql-injection',
          level: 'error',
          message: { text: 'The price is part of the statement' },
          locations: [
            {
              physicalLocation: { artifactLocation: { uri: 'src/price.ts' }, region: { startLine: 2, startColumn: 5 } },
            },
          ],
        },
      ],
    },
  ],
})
const stagesOf = (hit: number): [{ name: string; steps: StepInput[] }] => [
  {
    name: 'test',
    steps: [
      { type: 'cache', name: 'packages', key: 'packages', paths: ['packages'] },
      {
        type: 'script',
        name: 'test',
        run: `test -e packages || mkdir packages; echo one > packages/a; printf '${lcov(hit)}' > lcov.info; echo '${sarif}' > scan.sarif`,
      },
      { type: 'coverage', name: 'coverage', files: 'lcov.info', minimum: 50 },
      { type: 'scan', name: 'scan', files: 'scan.sarif', limits: { critical: 0 } },
    ],
  },
]

stories('findings', (suite, { language, width }) => {
  const leader = `finder-${language}-${width}`
  let place = ''
  const logs: string[] = []
  beforeAll(async () => {
    const { product } = suite()
    const { admin } = product
    const { id: teamId } = await admin.call(teams.create, { body: { name: `findings-${language}-${width}` } })
    await newUser(product, leader, { teamId, roleId: 'leader' })
    const { id: appId } = await admin.call(groups.create, { params: { teamId }, body: { name: 'shop' } })
    const { id } = await admin.call(definitions.create, {
      body: { appId, projectName: 'web', definition: { stages: stagesOf(1) } },
    })
    for (const hit of [1, 0]) {
      await admin.call(definitions.set, {
        params: { appId, pipelineId: id },
        body: { stages: stagesOf(hit) },
      })
      const build = await runBuild(admin, id)
      expect(build.state).toBe('success')
      logs.push((await logOf(admin, id, build, 'packages')).join('\n'))
    }
    place = `/teams/${teamId}/cd/pipeline_group_id/${appId}/pipeline_id/${id}`
  })

  test('a build restores what the one before has cached', () => {
    expect(logs[0]).toContain('Cached packages')
    expect(logs[1]).toContain('Restoring packages')
  })

  test('a build shows its coverage compared with the one before, and scanner findings among its problems', async () => {
    const { page, say, check } = await suite().enter(leader)
    await page.goto(`${place}/history/2/info?tab=coverage`)
    await page.getByText(say('pipelines-ui-coverage-sum', { percent: '50.0', covered: 2, lines: 4 })).waitFor()
    await page.getByText(say('pipelines-ui-coverage-fewer', { points: '25.0', number: 1 })).waitFor()
    await page.getByText('src/price.ts').waitFor()
    await check()
    await page.goto(`${place}/history/2/info?tab=annotations`)
    await page.getByText('high: sql-injection: The price is part of the statement').waitFor()
    await check()
  })

  test('the settings list the cache entries', async () => {
    const { page, check } = await suite().enter(leader)
    await page.goto(`${place}/setting?tab=caches`)
    await page.getByText('packages', { exact: true }).waitFor()
    await check()
  })

  test('the form requires the fields of each step', async () => {
    const { page, say, press, pick, check } = await suite().enter(leader)
    const button = (name: string) => page.getByRole('button', { name, exact: true })
    await page.goto(`${place}/orch-pipeline`)
    for (const type of ['cache', 'coverage', 'scan', 'copy', 'mail', 'helm', 'blueprint'] as const) {
      await pick(button(say('pipelines-ui-step-add')), say(`pipelines-ui-step-${type}`))
      await check()
      await press(button(say('pipelines-ui-undo')))
    }
  })
})
