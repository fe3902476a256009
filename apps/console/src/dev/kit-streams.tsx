import { useEffect } from 'react'
import { Button } from '../ui/button.tsx'
import { usePagedLog, useStreamLog, type LogLine } from '../ui/log/log-feed.ts'
import { LogPane } from '../ui/log/log-pane.tsx'
import { useLogSearch, useServerHits, type Hits } from '../ui/log/log-search.ts'
import { LogView } from '../ui/log/log-view.tsx'
import { Section } from '../ui/page.tsx'
import { useUrlState } from '../ui/table/url-state.ts'
import { Terminal, type TerminalProps } from '../ui/log/terminal.tsx'
import { logText } from './kit-data.ts'

const total = 1_000_000

/** A log of a million lines, as a server would store it. */
const readMillion = (offset: number, limit: number) => {
  const from = offset === -1 ? total - limit : offset
  const lines: LogLine[] = Array.from({ length: Math.min(limit, total - from) }, (_, at) => ({
    n: from + at + 1,
    text: logText(from + at + 1),
    at: 1_750_000_000_000 + (from + at) * 12,
  }))
  return Promise.resolve({ lines, total, complete: true })
}

/** Every 29th line, fifty at a time. */
const searchMillion = (from: number): Promise<Hits> =>
  Promise.resolve({
    hits: Array.from({ length: 50 }, (_, at) => ({ part: '', line: (from + at + 1) * 29 })),
    more: () => searchMillion(from + 50),
  })

function MillionLines() {
  const feed = usePagedLog('million', readMillion)
  const [{ line, find: text }, setUrl] = useUrlState({ line: '', find: '' })
  const [found, more] = useServerHits(() => searchMillion(0), text)
  const link = (n: number) => setUrl({ line: String(n) }, { replace: true })
  const find = (next: string) => setUrl({ find: next }, { replace: true })
  const hunt = useLogSearch({ text, found, more, line, part: '', find, go: (hit) => link(hit.line) })
  return <LogPane feed={feed} name="build 128, step test" hunt={hunt} part="" linked={line} link={link} />
}

export function LogSamples() {
  const stream = useStreamLog(2000)
  const { append } = stream
  useEffect(() => {
    append(Array.from({ length: 40 }, (_, at) => ({ text: logText(at + 1), at: Date.now() })))
  }, [append])
  return (
    <>
      <Section title="Log view: a million lines, kept by the server">
        <MillionLines />
      </Section>
      <Section
        title="Log view: a live stream"
        actions={
          <>
            <Button
              small
              onClick={() =>
                stream.append(Array.from({ length: 500 }, (_, at) => ({ text: logText(at), at: Date.now() })))
              }
            >
              500 lines more
            </Button>
            <Button small onClick={stream.end}>
              End
            </Button>
          </>
        }
      >
        <LogView feed={stream} name="container web" prefix="stream-" />
      </Section>
    </>
  )
}

/** A program that echoes, and ends on `exit`. */
const echo: TerminalProps['connect'] = (hears) => {
  let typed = ''
  const prompt = '\u001b[36mworkshop\u001b[0m $ '
  hears.output(prompt)
  return Promise.resolve({
    resize: () => undefined,
    close: () => undefined,
    send: (data) => {
      if (data !== '\r') {
        typed += data
        return hears.output(data)
      }
      const line = typed
      typed = ''
      if (line === 'exit') return hears.ended('exit 0')
      return hears.output(`\r\n${line}\r\n${prompt}`)
    },
  })
}

export const TerminalSample = () => (
  <Section title="Terminal">
    <Terminal connect={echo} name="web, container shell" />
  </Section>
)
