import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { lintDockerfile } from './lint.ts'
import { parseDockerfile } from './parse.ts'

const found = (text: string): string[] => lintDockerfile(text).map(({ line, rule }) => `${line} ${rule}`)

const clean = `# syntax=docker/dockerfile:1
ARG BASE=debian:12
FROM \${BASE} AS build
WORKDIR /src
COPY . .
RUN apt-get update && \\
    # a comment between continued lines
    apt-get install -y --no-install-recommends gcc
RUN <<EOF
sudo is only a word in here
EOF

FROM scratch
COPY --from=build /src/app /app
EXPOSE 8080 9000-9010/udp $PORT
USER 1000
ENTRYPOINT ["/app"]
`

test('a sound Dockerfile has no findings', () => {
  expect(found(clean)).toEqual([])
})

test.each([
  ['', ['1 no-from']],
  ['# only a comment', ['1 no-from']],
  ['RUN true', ['1 no-from', '1 from-first']],
  ['ARG A\nRUN true\nFROM a:1', ['2 from-first']],
  ['FROM', ['1 empty']],
  ['FROM a:1 b c', ['1 from-format']],
  ['from a:1\nFORM b\ncopy . /x', ['2 unknown']],
  ['FROM a:1\nCOPY', ['2 empty']],
  ['FROM a', ['1 latest']],
  ['FROM host:5000/a', ['1 latest']],
  ['FROM host:5000/a:latest', ['1 latest']],
  ['FROM host:5000/a:1', []],
  [`FROM a@sha256:${'0'.repeat(64)}`, []],
  ['FROM a:1 AS x\nFROM b:1 AS X', ['2 stage-twice']],
  ['FROM a:1 AS x\nFROM x', []],
  ['FROM a:1\nCOPY --from=0 /a /b', ['2 stage-unknown']],
  ['FROM a:1\nFROM a:1\nCOPY --from=0 /a /b', []],
  ['FROM a:1 AS me\nCOPY --from=me /a /b', ['2 stage-unknown']],
  ['FROM a:1\nADD https://example.test/x.sh /x', ['2 add-url']],
  ['FROM a:1\nADD x.tar.gz /x', []],
  ['FROM a:1\nADD x.txt /x', ['2 add-local']],
  ['FROM a:1\nWORKDIR src', ['2 workdir-relative']],
  ['FROM a:1\nMAINTAINER me', ['2 maintainer']],
  ['FROM a:1\nEXPOSE 0 70000 http', ['2 port', '2 port', '2 port']],
  ['FROM a:1\nCMD a\nCMD b', ['2 only-last']],
  ["FROM a:1\nCMD ['a']", ['2 exec-form']],
  ['FROM a:1\nRUN [ -f /x ]', []],
  ['FROM a:1\nUSER root', ['2 user-root']],
  ['FROM a:1\nUSER 0:0', ['2 user-root']],
  ['FROM a:1\nUSER root\nRUN true\nUSER app', []],
  ['FROM a:1\nENV DB_PASSWORD=geheim', ['2 secret']],
  ['FROM a:1\nENV API_TOKEN geheim', ['2 secret']],
  ['FROM a:1\nARG DB_PASSWORD\nENV X=$DB_PASSWORD', []],
  ['FROM a:1\nRUN sudo make', ['2 sudo']],
  ['FROM a:1\nRUN apt-get install gcc', ['2 apt-asks']],
  ['FROM a:1\nRUN cd /src', ['2 run-cd']],
  ['FROM a:1\nRUN <<END\ntrue', ['2 heredoc-open']],
  ['# escape=`\nFROM a:1\nRUN a `\n  b\nFORM', ['5 unknown']],
])('%j: %j', (text, expected) => {
  expect(found(text)).toEqual(expected)
})

test('counts lines as an editor does, whatever the line ends', () => {
  expect(found('FROM a:1\r\n\r\nRUN a \\\r\n\r\n  b\r\nFORM')).toEqual(['6 unknown'])
})

test('separates flags from the rest of an instruction', () => {
  const [, copy] = parseDockerfile('FROM a:1\nCOPY --from=build --chown=1:1 /a /b')
  expect(copy).toMatchObject({ name: 'COPY', rest: '/a /b' })
  expect([...(copy?.flags ?? [])]).toEqual([
    ['from', 'build'],
    ['chown', '1:1'],
  ])
})

test('parses any text to its end', () => {
  const words = fc.constantFrom('FROM', 'RUN', '\\', '\n', '<<EOF', '--from=0', '[', '"', '# escape=`', '`', ' ', 'a:1')
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string(),
        fc.array(words).map((some) => some.join(' ')),
      ),
      (text) => {
        const lines = text.split('\n').length
        for (const { line } of lintDockerfile(text)) expect(line).toSatisfy((n: number) => n >= 1 && n <= lines)
      },
    ),
  )
})
