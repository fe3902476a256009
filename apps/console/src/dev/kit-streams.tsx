import { useEffect } from 'react'
import { Button } from '../ui/button.tsx'
import { usePagedLog, useStreamLog, type LogLine } from '../ui/log/log-feed.ts'
import { LogView } from '../ui/log/log-view.tsx'
import { Section } from '../ui/page.tsx'
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

const searchMillion = (_text: string, offset: number) =>
  Promise.resolve({
    lines: Array.from({ length: 50 }, (_, at) => (offset + at + 1) * 29),
    total: Math.floor(total / 29),
  })

export function LogSamples() {
  const kept = usePagedLog('million', readMillion)
  const stream = useStreamLog(2000)
  const { append } = stream
  useEffect(() => {
    append(Array.from({ length: 40 }, (_, at) => ({ text: logText(at + 1), at: Date.now() })))
  }, [append])
  return (
    <>
      <Section title="Log view: a million lines, kept by the server">
        <LogView feed={kept} name="build 128, step test" search={searchMillion} />
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
        <LogView feed={stream} name="container web" lineKey="stream-line" />
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
