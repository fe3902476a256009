import { describe, expect, test } from 'vitest'
import { initialLifecycle, next, pauseAfter, type Command, type Lifecycle, type Occurrence } from './lifecycle.ts'

const run = (occurrences: Occurrence[], mustStart = false): { state: Lifecycle; commands: Command['do'][] } => {
  let state = initialLifecycle
  const commands: Command['do'][] = []
  for (const occurrence of occurrences) {
    const [after, command] = next(state, occurrence, mustStart)
    state = after
    if (command) commands.push(command.do)
  }
  return { state, commands }
}

describe('a part', () => {
  test.each<[string, Occurrence[], Lifecycle['phase'], Command['do'][]]>([
    ['starts once', ['start', 'start'], 'starting', ['spawn']],
    ['is up when it answers', ['start', 'ready'], 'up', ['spawn']],
    ['pauses after it was killed', ['start', 'ready', 'killed'], 'pausing', ['spawn', 'pause']],
    ['pauses after it left', ['start', 'ready', 'left'], 'pausing', ['spawn', 'pause']],
    ['starts again after the pause', ['start', 'killed', 'pause-over'], 'starting', ['spawn', 'pause', 'spawn']],
    ['is asked to end', ['start', 'ready', 'stop'], 'stopping', ['spawn', 'ask-to-end']],
    ['is asked to end while it starts', ['start', 'stop'], 'stopping', ['spawn', 'ask-to-end']],
    [
      'stays down after it was stopped',
      ['start', 'stop', 'left', 'pause-over'],
      'down',
      ['spawn', 'ask-to-end', 'ended'],
    ],
    [
      'is not started after a stop in its pause',
      ['start', 'killed', 'stop', 'pause-over'],
      'down',
      ['spawn', 'pause', 'ended'],
    ],
    ['has nothing to stop before its start', ['stop'], 'down', []],
    ['is asked once', ['start', 'stop', 'stop'], 'stopping', ['spawn', 'ask-to-end']],
    ['is not up by an answer that comes late', ['start', 'killed', 'ready'], 'pausing', ['spawn', 'pause']],
  ])('%s', (_, occurrences, phase, commands) => {
    const result = run(occurrences)
    expect(result.state.phase).toBe(phase)
    expect(result.commands).toEqual(commands)
  })
})

describe('a part that must start', () => {
  test.each<[string, Occurrence[], Command['do'] | undefined]>([
    ['gives up when it leaves before it was up', ['start', 'left'], 'give-up'],
    ['tries again when it was killed before it was up', ['start', 'killed'], 'pause'],
    ['gives up when it leaves after such a try', ['start', 'killed', 'pause-over', 'left'], 'give-up'],
    ['tries again when it leaves after it was up', ['start', 'ready', 'left'], 'pause'],
    ['tries again when a restart leaves', ['start', 'ready', 'killed', 'pause-over', 'left'], 'pause'],
  ])('%s', (_, occurrences, last) => {
    expect(run(occurrences, true).commands.at(-1)).toBe(last)
  })
})

test('pauses double up to a limit', () => {
  expect([0, 1, 2, 3, 7, 8, 1000].map(pauseAfter)).toEqual([100, 200, 400, 800, 12_800, 15_000, 15_000])
})

test('a steady run resets the count of failures, a short run does not', () => {
  const fallThrice: Occurrence[] = ['start', 'ready', 'killed', 'pause-over', 'ready', 'killed', 'pause-over', 'ready']
  expect(run(fallThrice).state.failures).toBe(2)
  expect(run([...fallThrice, 'steady']).state.failures).toBe(0)
})
