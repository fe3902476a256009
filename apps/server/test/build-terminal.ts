import { WebSocket } from 'ws'

/** Connects to a terminal of a build like a browser, types into it and reads its output. */
export async function connectTerminal(origin: string, url: string, ticket: string) {
  const ws = new WebSocket(`${origin.replace('http:', 'ws:')}${url}?authorization=${ticket}`, { headers: { origin } })
  let output = ''
  let message: string | undefined
  ws.on('message', (data: Buffer, isBinary: boolean) => {
    if (isBinary) output += data.toString('utf8')
    else ({ message } = JSON.parse(data.toString('utf8')) as { message: string })
  })
  const closed = new Promise<number>((resolve) => ws.once('close', resolve))
  const status = await new Promise<number>((resolve) => {
    ws.once('open', () => resolve(101))
    ws.on('error', () => undefined)
    ws.once('unexpected-response', (request, answer) => {
      resolve(answer.statusCode ?? 0)
      request.destroy()
    })
  })
  return {
    ws,
    status,
    closed,
    output: () => output,
    message: () => message,
    type: (data: string) => ws.send(JSON.stringify({ type: 'input', data })),
    resize: (columns: number, rows: number) => ws.send(JSON.stringify({ type: 'resize', columns, rows })),
  }
}
