import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { makeFiles } from './files.ts'
import { runScript } from './shell-run.ts'
import type { Run, Shell } from './shell.ts'

interface Ran {
  out: string
  err: string
  code: number
  slept: number
}

/** Runs a script with this input, without waiting where it sleeps; at most so many steps. */
function run(source: string, input: string[] = [], most = 10_000): Ran {
  let slept = 0
  const shell: Shell = {
    env: new Map([
      ['HOME', '/root'],
      ['A', '1'],
      ['S', 'x  y'],
    ]),
    cwd: '/',
    files: makeFiles({ '/etc/hostname': 'box\n', '/data/a': 'one\ntwo\nthree\n' }),
    hostname: 'box',
    status: 0,
    jobs: [],
    now: () => slept,
    unknown: function* (name): Run {
      yield { err: `sh: ${name}: not found\n` }
      return 127
    },
    busy: 0,
    pause: 100,
  }
  const ran: Ran = { out: '', err: '', code: -1, slept: 0 }
  const script = runScript(shell, source)
  let answer: string | null | undefined
  for (let steps = 0; steps < most; steps++) {
    const step = script.next(answer)
    answer = undefined
    if (step.done) return { ...ran, code: step.value, slept }
    const effect = step.value
    if ('out' in effect) ran.out += effect.out
    else if ('err' in effect) ran.err += effect.err
    else if ('sleep' in effect) slept += effect.sleep
    else answer = input.shift() ?? null
  }
  return { ...ran, slept }
}

const table: [source: string, out: string, code?: number][] = [
  ['echo a b   c', 'a b c\n'],
  ['echo "a  b" \'$A\' "$A" $A', 'a  b $A 1 1\n'],
  ['echo $S "$S"', 'x y x  y\n'],
  ['echo -n a; echo -e "b\\tc"', 'ab\tc\n'],
  ['echo ${A} ${B:-none} ${B}x', '1 none x\n'],
  ['B=2; echo $B; B=3 true; echo $?', '2\n0\n'],
  ['true && echo yes || echo no', 'yes\n'],
  ['false && echo yes || echo no', 'no\n'],
  ['! true || echo no', 'no\n'],
  ['exit 7; echo never', '', 7],
  ['(exit 3); echo never', '', 3],
  ['false', '', 1],
  ['for x in a b c; do [ $x = b ] && continue; echo $x; done', 'a\nc\n'],
  ['i=; while [ "$i" != xxx ]; do i=x$i; done; echo $i', 'xxx\n'],
  ['while true; do echo once; break; done', 'once\n'],
  ['until false; do echo x; exit 0; done', 'x\n'],
  ['if [ -f /data/a ]; then echo file; elif true; then echo b; else echo c; fi', 'file\n'],
  ['if false; then echo a; else echo b; fi', 'b\n'],
  ['cat /data/a | grep t | wc -l', '2\n'],
  ['cat </data/a | head -n 1', 'one\n'],
  ['echo $(cat /etc/hostname)', 'box\n'],
  ['echo a >/tmp/f; echo b >>/tmp/f; cat /tmp/f', 'a\nb\n'],
  ['echo a >/dev/null; nope 2>/dev/null; echo $?', '127\n'],
  ['nope 2>&1', 'sh: nope: not found\n', 127],
  ['cd /data && pwd && ls', '/data\na\n'],
  ['cd /none', '', 1],
  ['mkdir /tmp/d; touch /tmp/d/f; ls /tmp/d; rm /tmp/d/f; ls /tmp/d', 'f\n'],
  ['sh -c "echo inner; exit 4"; echo $?', 'inner\n4\n'],
  ['echo one # two', 'one\n'],
  ['printf "%s-%s\\n" a b', 'a-b\n'],
  ['seq 3', '1\n2\n3\n'],
  ['exec echo last; echo never', 'last\n'],
  ['hostname; id -u; whoami', 'box\n0\nroot\n'],
  ['read X; echo "got $X"', 'got typed\n'],
  ['export C=3; printenv C', '3\n'],
  ['echo a;; echo b', '', 2],
  ['echo "open', '', 2],
]

test.each(table)('%s', (source, out, code = 0) => {
  expect(run(source, ['typed\n'])).toMatchObject({ out, code })
})

describe('time', () => {
  test('passes only where a script sleeps', () => {
    expect(run('sleep 1.5; sleep 2m; echo done')).toMatchObject({ out: 'done\n', slept: 121_500 })
  })
  test('passes also in a loop that never waits, so that whoever drives it can stop', () => {
    expect(run('while true; do :; done', [], 10).slept).toBeGreaterThan(0)
  })
  test('of a command in the background passes when it is waited for', () => {
    expect(run('sleep 5 & echo first; wait; echo last')).toMatchObject({ out: 'first\nlast\n', slept: 5000 })
  })
})

test('any text is a script that ends in an exit code or goes on', () => {
  const pieces = fc.constantFrom(
    'echo',
    ' ',
    'a',
    '"',
    "'",
    '$',
    '$(',
    ')',
    '(',
    ';',
    '|',
    '&&',
    '||',
    '&',
    '>',
    '<',
    '\n',
    'if',
    'then',
    'fi',
    'do',
    'done',
    'while',
    '{',
    '}',
    '\\',
    '${',
    '#',
    '2>&1',
  )
  fc.assert(
    fc.property(fc.array(pieces, { maxLength: 12 }), (parts) => {
      expect(run(parts.join(''), [], 2000).code).toBeGreaterThanOrEqual(-1)
    }),
    { numRuns: 2000 },
  )
})
