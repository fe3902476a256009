import type { BuildWait } from '@gantry/contract/pipelines/builds/wait'
import { expect, test } from 'vitest'
import { totalsOf } from './waits.ts'

const at = (second: number): string => new Date(second * 1000).toISOString()
const wait = (kind: BuildWait['for'], from: number, to: number | null): BuildWait => ({
  for: kind,
  stage: null,
  job: null,
  from: at(from),
  to: to === null ? null : at(to),
})

test.each<[string, BuildWait[], [BuildWait['for'], number][]]>([
  ['nothing', [], []],
  ['less than a moment', [wait('agent', 5, 5.9)], []],
  [
    'each thing apart',
    [wait('agent', 400, 412), wait('review', 0, 360)],
    [
      ['review', 360],
      ['agent', 12],
    ],
  ],
  ['jobs at once a single time', [wait('agent', 0, 10), wait('agent', 2, 6), wait('agent', 8, 15)], [['agent', 15]]],
  ['jobs one after the other', [wait('agent', 0, 10), wait('agent', 20, 25)], [['agent', 15]]],
  ['until now what goes on', [wait('approval', 90, null)], [['approval', 10]]],
  ['no time where clocks disagree', [wait('approval', 200, null)], [['approval', 0]]],
])('a wait counts %s', (_, waits, totals) => {
  expect(totalsOf(waits, 100_000)).toEqual(totals.map(([kind, seconds]) => ({ for: kind, ms: seconds * 1000 })))
})
